"""A turn as server-sent events: its end frees everything, and so does a reader who goes away."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing

import anyio
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from tzzr_mcp.gateway.events import Event, as_json
from tzzr_mcp.seams import Clock

PING_S = 15.0
"""Seconds between comments that keep the connection open and find out who has gone: proxies close what is silent."""

_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-cache, no-transform"),
    (b"x-accel-buffering", b"no"),
]


class EventStream(Response):
    """The response. Whatever ends it closes ``events``, which cancels the model and the tools."""

    media_type = "text/event-stream"

    def __init__(self, events: AsyncGenerator[Event, None], clock: Clock) -> None:
        super().__init__()
        self._events, self._clock = events, clock
        self._sending = anyio.Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve the events until the last one, or until the reader goes away."""
        async with aclosing(self._events) as events, anyio.create_task_group() as group:
            await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
            group.start_soon(self._until_gone, receive, group.cancel_scope)
            group.start_soon(self._ping, send)
            async for event in events:
                await self._send(send, f"event: {event.type}\ndata: {as_json(event)}\n\n")
            await send({"type": "http.response.body", "body": b"", "more_body": False})
            group.cancel_scope.cancel()

    async def _until_gone(self, receive: Receive, scope: anyio.CancelScope) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        scope.cancel()

    async def _ping(self, send: Send) -> None:
        while True:
            await self._clock.sleep(PING_S)
            await self._send(send, ": ping\n\n")

    async def _send(self, send: Send, text: str) -> None:
        async with self._sending:
            await send({"type": "http.response.body", "body": text.encode(), "more_body": True})
