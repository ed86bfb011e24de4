"""A journal entry as it is taken down while a request is served: cheap to write, made readable when somebody reads."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from tzzr_mocks.control.asgi import Message, Scope
from tzzr_mocks.control.exchange import Body, Exchange, Reply
from tzzr_mocks.control.occasion import Occasion
from tzzr_mocks.control.redaction import Redaction

MARGIN = 4096
"""Bytes beyond the cap that redaction sees, so that a secret cut in half at the cap is blotted out as well."""


class Kept:
    """The part of a body that the journal keeps, with size and digest of the whole."""

    __slots__ = ("_digest", "_head", "_size")

    def __init__(self, body: bytes, cap: int) -> None:
        self._head = body[: cap + MARGIN]
        self._size = len(body)
        self._digest = hashlib.sha256(body).hexdigest() if len(body) > len(self._head) else None

    def read(self, cap: int, redaction: Redaction) -> Body:
        """The body with its secrets blotted out, then cut at ``cap`` characters."""
        text = redaction.text(self._head.decode("utf-8", "backslashreplace"))
        cut = self._size > cap
        digest = self._digest or (hashlib.sha256(self._head).hexdigest() if self._size else "")
        return Body(text[:cap] if cut else text, self._size, cut, digest)


class Entry:
    """What is known of one exchange so far. Holds secrets, so that nobody but `read` may look into it."""

    __slots__ = (
        "_at",
        "_body",
        "_complete",
        "_duration",
        "_faults",
        "_number",
        "_occasion",
        "_reply",
        "_scope",
        "_start",
    )

    def __init__(self, number: int, scope: Scope, occasion: Occasion, at: float, cap: int) -> None:
        self._number, self._scope, self._occasion, self._at = number, scope, occasion, at
        self._body = Kept(occasion.body or b"", cap)
        self._faults: tuple[str, ...] = ()
        self._start: Message | None = None
        self._reply: Kept | None = None
        self._complete = False
        self._duration: float | None = None

    @property
    def number(self) -> int:
        """The exchange's number in its journal, from 1."""
        return self._number

    def blame(self, sentences: Iterable[str]) -> None:
        """Note which faults act on the exchange."""
        self._faults = (*self._faults, *sentences)

    def finish(self, start: Message | None, reply: Kept, complete: bool, duration: float) -> None:
        """Note the reply: the ASGI start message (None when there was none), the body, whether it was complete."""
        self._start, self._reply, self._complete, self._duration = start, reply, complete, duration

    def read(self, cap: int, redaction: Redaction) -> Exchange:
        """The exchange, without secrets."""
        scope, occasion = self._scope, self._occasion
        return Exchange(
            number=self._number, service=occasion.service, at=self._at, method=scope["method"],
            path=redaction.text(scope["path"]),
            query=redaction.text(scope.get("query_string", b"").decode("latin-1")),
            headers=_headers(scope.get("headers", ()), redaction), body=self._body.read(cap, redaction),
            route=occasion.route, module=occasion.module, trace_id=occasion.trace_id, key=occasion.key,
            endpoint=occasion.endpoint, attempt=occasion.attempt, faults=self._faults,
            reply=self._read_reply(cap, redaction), duration=self._duration,
        )  # fmt: skip

    def _read_reply(self, cap: int, redaction: Redaction) -> Reply | None:
        if self._start is None or self._reply is None:
            return None
        headers = _headers(self._start.get("headers", ()), redaction)
        return Reply(self._start["status"], headers, self._reply.read(cap, redaction), self._complete)


def _headers(raw: Iterable[tuple[bytes, bytes]], redaction: Redaction) -> dict[str, str]:
    pairs = [(name.decode("latin-1").lower(), value.decode("latin-1")) for name, value in raw]
    return {name: redaction.header(name, value) for name, value in pairs}
