"""The one door to the network: nothing else in the server speaks HTTP.

A request is bounded in time as a whole (a body that drips one byte a second ends at the same instant as one that
never comes) and its answer in size. What happens is recorded in the trace without headers and without bodies.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC
from email.utils import parsedate_to_datetime
from functools import lru_cache
from typing import Any, Final, Literal
from urllib.parse import urlencode, urlsplit
from urllib.request import getproxies, proxy_bypass
from uuid import UUID

import httpx
from pydantic import SecretStr

from tzzr_mcp.seams import Clock, Deadline, Seams
from tzzr_mcp.services.redaction import Redaction
from tzzr_mcp.services.troubles import Trouble, UpstreamError, trouble_of

LIMIT_BYTES: Final = 32 * 1024 * 1024
"""Most bytes of an answer: RunPod returns at most 20 MB of output, plus its envelope."""
TRACE_HEADER: Final = "X-Trace-Id"
"""Carries the trace id of the MCP call on every request (DESIGN, upstream calls)."""
FAKE_HEADER: Final = "X-TZZR-Fake"
"""What every answer of a fake carries (DESIGN, the fakes)."""
CONNECT_S: Final = 5.0
"""Seconds for a connection to stand, within the request's own time."""
_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_INSTANT_S: Final = 0.001
"""Less than this is no time at all."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Request:
    """One HTTP request. ``path`` is below the base URL and percent-encoded; ``about`` is shown in the trace.

    ``timeout_s`` is for the whole of it; without one the door's own holds. With an ``etag`` the answer may be 304,
    without a body, when what the tag names has not changed (RFC 9110 §13.1.2).
    """

    method: Literal["GET", "POST"]
    path: str
    params: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None
    timeout_s: float | None = None
    about: Mapping[str, str] = field(default_factory=dict)
    etag: str | None = None


@dataclass(frozen=True)
class Answer:
    """One HTTP answer, read whole. ``retry_after_s`` is never negative; ``simulated`` says that a fake gave it.

    ``unchanged`` is an answer 304 to a request with an etag.
    """

    status: int
    body: bytes
    retry_after_s: float | None = None
    simulated: bool = False
    etag: str | None = None
    unchanged: bool = False


class Door:
    """A connection pool to one upstream, on httpx's transport: redirects, cookies and log-ins are not of its world.

    ``base_url`` has no credentials; ``token`` goes into ``Authorization: Bearer`` and nowhere else. ``timeout_s`` is
    a request's time where it names none. ``transport`` replaces the network, offline and in tests; whoever gave it
    closes it.
    """

    def __init__(
        self,
        service: str,
        base_url: str,
        seams: Seams,
        *,
        token: SecretStr | None = None,
        timeout_s: float = 10.0,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self.service = service
        self.base_url = base_url.rstrip("/")
        self.redaction = Redaction([token] if token else [])
        self._seams = seams
        self.timeout_s = timeout_s
        self._borrowed = transport is not None
        self._open = True
        self._transport = transport or _network(self.base_url)
        self._headers = _headers(token)

    async def send(self, request: Request, deadline: Deadline, trace_id: UUID) -> Answer:
        """The answer to ``request``, whatever its status.

        Raises:
            UpstreamError: UNREACHABLE, TIMEOUT (the request's own time), DEADLINE, or BAD_RESPONSE (too large, or
                undecodable).
            RuntimeError: the door is closed.
        """
        if not self._open:
            raise RuntimeError(f"the door to {self.service} is closed")
        allowed = deadline.within(request.timeout_s or self.timeout_s)
        if allowed < _INSTANT_S:
            raise UpstreamError(self.service, Trouble.DEADLINE)
        self.note("upstream.request", request, trace_id, **request.about)
        try:
            async with asyncio.timeout(allowed):
                answer = await self._exchange(request, allowed, trace_id)
        except asyncio.CancelledError:
            self.note("upstream.answer", request, trace_id, trouble="cancelled")
            raise
        except (TimeoutError, httpx.HTTPError, httpx.InvalidURL, _TooLarge) as error:
            trouble = _trouble(error, deadline)
            self.note("upstream.answer", request, trace_id, trouble=str(trouble))
            _log.warning("%s %s: %s (%s) [%s]", self.service, request.path, trouble, type(error).__name__, trace_id)
            raise UpstreamError(self.service, trouble) from None
        self.note("upstream.answer", request, trace_id, status=answer.status)
        return answer

    def warn(self, what: str, text: str, trace_id: UUID) -> None:
        """Log an upstream's own words, which no user ever sees: cut, on one line, secrets taken out."""
        _log.warning("%s: %s: %s [%s]", self.service, what, self.redaction.clean(text), trace_id)

    async def aclose(self) -> None:
        """Close every connection of its own; nothing can be sent any more."""
        self._open = False
        if not self._borrowed:
            await self._transport.aclose()

    async def _exchange(self, request: Request, allowed: float, trace_id: UUID) -> Answer:
        answer = await self._transport.handle_async_request(self._outgoing(request, allowed, trace_id))
        try:
            body = await _read(answer)
        finally:
            await answer.aclose()
        wait = _seconds(answer.headers.get("Retry-After"), self._seams.clock)
        fake, etag, status = FAKE_HEADER in answer.headers, answer.headers.get("ETag"), answer.status_code
        return Answer(status, body, wait, fake, etag, unchanged=status == 304 and request.etag is not None)

    def _outgoing(self, request: Request, allowed: float, trace_id: UUID) -> httpx.Request:
        """The request as it is sent. Its headers are whole, since for httpx to add two takes longer than all the rest."""
        url = _url(self.base_url + request.path, tuple(request.params.items()))
        headers = [(b"Host", url.netloc), *self._headers, (TRACE_HEADER.encode(), str(trace_id).encode())]
        if request.body is not None:
            length = str(len(request.body)).encode()
            headers += [(b"Content-Type", b"application/json"), (b"Content-Length", length)]
        if request.etag is not None:
            headers.append((b"If-None-Match", request.etag.encode()))
        timeout = {"connect": min(allowed, CONNECT_S)}  # `send` bounds the whole
        body = httpx.ByteStream(request.body or b"")
        return httpx.Request(request.method, url, headers=headers, stream=body, extensions={"timeout": timeout})

    def note(self, kind: str, request: Request, trace_id: UUID, **details: Any) -> None:
        """Record an event about ``request`` in the trace: where it goes, for which call, and the ``details``."""
        place = {"service": self.service, "method": request.method, "path": request.path, "trace_id": str(trace_id)}
        self._seams.trace.record("server", kind, **place, **details)


def check(service: str, answer: Answer) -> Answer:
    """``answer`` itself when its status is a success, or says that nothing has changed.

    Raises:
        UpstreamError: the status is none; `trouble_of` says which trouble it means.
    """
    trouble = trouble_of(answer.status, answer.body)
    if trouble is None or answer.unchanged:
        return answer
    raise UpstreamError(service, trouble, status=answer.status, retry_after_s=answer.retry_after_s)


def read_object(service: str, answer: Answer) -> dict[str, Any]:
    """The JSON object in ``answer``.

    Raises:
        UpstreamError: BAD_RESPONSE; the body is empty, not JSON (an HTML page at 200, say), or no object.
    """
    try:
        document = json.loads(answer.body)
    except (ValueError, RecursionError):
        document = None
    if not isinstance(document, dict):
        raise UpstreamError(service, Trouble.BAD_RESPONSE, status=answer.status)
    return document


def encode(document: object) -> bytes:
    """Compact JSON in UTF-8, every character as it is."""
    return _ENCODER.encode(document).encode()


class _TooLarge(Exception):
    pass


@lru_cache(maxsize=128)
def _url(place: str, params: tuple[tuple[str, str], ...]) -> httpx.URL:
    # Making a URL takes a tenth of a request, and most requests go where another one went.
    return httpx.URL(f"{place}?{urlencode(params)}" if params else place)


def _network(base_url: str) -> httpx.AsyncBaseTransport:
    """The network, through the proxy that the environment names for this upstream, if any."""
    place = urlsplit(base_url)
    proxies = getproxies()
    proxy = None if proxy_bypass(place.hostname or "") else proxies.get(place.scheme) or proxies.get("all")
    return httpx.AsyncHTTPTransport(proxy=proxy)


def _headers(token: SecretStr | None) -> list[tuple[bytes, bytes]]:
    named = {"Accept": "application/json", "Accept-Encoding": "gzip, deflate", "User-Agent": "mcp-server-tzzr"}
    known = {"Authorization": f"Bearer {token.get_secret_value()}"} if token else {}
    return httpx.Headers({**named, **known}).raw


async def _read(answer: httpx.Response) -> bytes:
    parts: list[bytes] = []
    size = 0
    # What is not encoded need not pass the decoders.
    async for part in answer.aiter_bytes() if "Content-Encoding" in answer.headers else _plain(answer.stream):
        size += len(part)
        if size > LIMIT_BYTES:
            raise _TooLarge
        parts.append(part)
    return b"".join(parts)


def _plain(stream: object) -> httpx.AsyncByteStream:
    assert isinstance(stream, httpx.AsyncByteStream)  # noqa: S101 - an asynchronous transport gives no other
    return stream


def _trouble(error: Exception, deadline: Deadline) -> Trouble:
    if isinstance(error, TimeoutError | httpx.TimeoutException):
        return Trouble.DEADLINE if deadline.remaining() < _INSTANT_S else Trouble.TIMEOUT
    if isinstance(error, _TooLarge | httpx.DecodingError):
        return Trouble.BAD_RESPONSE
    return Trouble.UNREACHABLE


def _seconds(header: str | None, clock: Clock) -> float | None:
    """What ``Retry-After`` asks for: whole seconds or an HTTP date (RFC 9110 §10.2.3)."""
    if header is None:
        return None
    if header.strip().isdecimal():
        return float(header)
    try:
        when = parsedate_to_datetime(header)
    except ValueError:
        return None
    return max(0.0, (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp() - clock.now().timestamp())
