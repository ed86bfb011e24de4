"""The journal: every exchange of a world's fakes, in the order in which the requests arrived."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from tzzr_mocks.control.asgi import Scope
from tzzr_mocks.control.exchange import Body, Exchange, Reply
from tzzr_mocks.control.near import Wanted, near_misses
from tzzr_mocks.control.occasion import Occasion
from tzzr_mocks.control.redaction import Redaction

BODY_CAP = 64 * 1024
"""Characters of a body that the journal keeps."""
LENGTH_CAP = 10_000
"""Exchanges that the journal keeps; older ones are dropped, and counted."""

Listener = Callable[[Exchange], None]


class Journal:
    """Exchanges, without secrets. ``cap`` is in characters of a body, ``length`` in exchanges."""

    def __init__(self, *, cap: int = BODY_CAP, length: int = LENGTH_CAP, redaction: Redaction | None = None) -> None:
        self.redaction = redaction or Redaction()
        self.cap, self.length = cap, length
        self.dropped = 0
        self._exchanges: dict[int, Exchange] = {}
        self._next = 1
        self._listeners: list[Listener] = []

    def begin(self, scope: Scope, occasion: Occasion, at: float) -> int:
        """Enter a request that has arrived; the number under which to finish it."""
        number, self._next = self._next, self._next + 1
        self._enter(
            Exchange(
                number=number, service=occasion.service, at=at, method=scope["method"],
                path=self.redaction.text(scope["path"]),
                query=self.redaction.text(scope.get("query_string", b"").decode("latin-1")),
                headers=self._headers(scope.get("headers", ())),
                body=Body.keep(occasion.body or b"", self.cap, self.redaction),
                route=occasion.route, module=occasion.module, trace_id=occasion.trace_id, key=occasion.key,
                endpoint=occasion.endpoint, attempt=occasion.attempt,
            )
        )  # fmt: skip
        return number

    def blame(self, number: int, sentences: tuple[str, ...]) -> None:
        """Note which faults act on the exchange."""
        if number in self._exchanges:
            self._enter(replace(self._exchanges[number], faults=(*self._exchanges[number].faults, *sentences)))

    def finish(self, number: int, start: dict[str, Any] | None, body: bytes, complete: bool, duration: float) -> None:
        """Enter the reply: the ASGI start message (None when there was none), the body, whether it was complete."""
        if number not in self._exchanges:
            return
        reply = None
        if start:
            kept = Body.keep(body, self.cap, self.redaction)
            reply = Reply(start["status"], self._headers(start.get("headers", ())), kept, complete)
        self._enter(replace(self._exchanges[number], reply=reply, duration=duration))

    def _headers(self, raw: Any) -> dict[str, str]:
        pairs = [(name.decode("latin-1").lower(), value.decode("latin-1")) for name, value in raw]
        return {name: self.redaction.header(name, value) for name, value in pairs}

    def _enter(self, exchange: Exchange) -> None:
        self._exchanges[exchange.number] = exchange
        if len(self._exchanges) > self.length:
            del self._exchanges[next(iter(self._exchanges))]
            self.dropped += 1
        for listener in self._listeners:
            listener(exchange)

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Tell ``listener`` of each exchange as it begins and ends; returns what ends that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def of(self, service: str) -> list[Exchange]:
        """The exchanges of one service."""
        return [exchange for exchange in self if exchange.service == service]

    def find(self, **attributes: Any) -> list[Exchange]:
        """The exchanges that have each of these attributes (`tzzr_mocks.control.near.Wanted` says which)."""
        wanted = Wanted(**attributes)
        return [exchange for exchange in self if wanted.fits(exchange)]

    def saw(self, route: str | None = None, *, times: int | None = None, **attributes: Any) -> list[Exchange]:
        """The exchanges wanted; at least one, or just ``times``.

        Raises:
            AssertionError: there are more or fewer; the message shows the nearest ones and what differs.
        """
        wanted = Wanted(route=route, **attributes)
        found = [exchange for exchange in self if wanted.fits(exchange)]
        if len(found) == times or (times is None and found):
            return found
        expected = "at least 1" if times is None else str(times)
        heading = f"expected {expected} × {wanted.describe()}, saw {len(found)}"
        raise AssertionError("\n".join([heading, *near_misses(wanted, list(self))]))

    def __iter__(self) -> Iterator[Exchange]:
        return iter(tuple(self._exchanges.values()))

    def __len__(self) -> int:
        return len(self._exchanges)

    def clear(self) -> None:
        """Forget every exchange."""
        self._exchanges.clear()
        self.dropped = 0
