"""How a reply is sent: how fast, and where it breaks off."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass, field

from starlette.responses import StreamingResponse

from tzzr_mcp.seams import Clock
from tzzr_mocks.control.asgi import Send


@dataclass(frozen=True)
class Pace:
    """``first_s`` until the first piece, ``each_s`` for every further one, in seconds of the world's clock."""

    first_s: float = 0.25
    each_s: float = 0.03


@dataclass(frozen=True)
class Break:
    """Where a stream ends before its time: after ``after`` events, in one of these ways.

    ``gone`` closes the connection, ``short`` ends the reply as if it were whole, ``error`` sends the API's error event
    (``status`` tells which), ``hang`` sends nothing for ``seconds``.
    """

    how: str
    after: int = 4
    status: int = 500
    seconds: float = 0.0


@dataclass(frozen=True)
class Delivery:
    """How one reply is sent."""

    pace: Pace = field(default_factory=Pace)
    broken: Break | None = None


class Stream(StreamingResponse):
    """Server-sent events as they come. ``events`` sets ``cut`` when the connection is to end without an end."""

    def __init__(self, source: Events) -> None:
        super().__init__(source, media_type="text/event-stream", headers={"cache-control": "no-cache"})
        self._source = source

    async def stream_response(self, send: Send) -> None:
        """Send head and events; without the last message when the connection breaks off."""
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        async for chunk in self._source:
            await send({"type": "http.response.body", "body": chunk, "more_body": True})
        if not self._source.cut:
            await send({"type": "http.response.body", "body": b"", "more_body": False})


class Events:
    """A reply's events at the delivery's pace, up to where it breaks off; ``error`` is the API's error event."""

    def __init__(self, events: Iterable[bytes], delivery: Delivery, clock: Clock, error: bytes) -> None:
        self.cut = False
        self._events, self._delivery, self._clock, self._error = list(events), delivery, clock, error

    async def __aiter__(self) -> AsyncIterator[bytes]:
        pace, broken = self._delivery.pace, self._delivery.broken
        last = len(self._events) if broken is None else min(broken.after, len(self._events) - 1)
        await self._clock.sleep(pace.first_s)
        for number, event in enumerate(self._events[:last]):
            if number:
                await self._clock.sleep(pace.each_s)
            yield event
        async for event in self._breaking(broken, last):
            yield event

    async def _breaking(self, broken: Break | None, last: int) -> AsyncIterator[bytes]:
        if broken is None:
            return
        if broken.how == "error":
            yield self._error
        if broken.how == "hang":
            await self._clock.sleep(broken.seconds)
            for event in self._events[last:]:
                yield event
        self.cut = broken.how == "gone"
