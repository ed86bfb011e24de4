"""One HTTP+SSE session: its stream, its messages both ways, and its end."""

from __future__ import annotations

from collections.abc import AsyncIterator
from uuid import UUID

import anyio
from mcp import types as t
from mcp.shared.message import ServerMessageMetadata, SessionMessage
from starlette.requests import Request
from starlette.types import Receive, Send

from tzzr_mcp.server.build import McpServer
from tzzr_mcp.server.transports.inflight import InFlight
from tzzr_mcp.server.transports.messages import encoded

PING_S = 15.0
"""Seconds without an event after which a comment is sent: proxies close what is silent, and who has gone is found."""
SEND_S = 60.0
"""Seconds that a client has to take an event off the network before it counts as gone."""
FLUSH_S = 1.0
"""Seconds for the stream's end."""
AHEAD = 128
"""Messages of the client that may wait for the server."""

_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-cache, no-transform"),
    (b"x-accel-buffering", b"no"),
]


class Full(Exception):
    """More messages wait than may."""


class SseSession:
    """A session from the request that opened it to the end of its stream.

    ``caller`` is who opened it (None: nobody in particular), ``idle_s`` the seconds without a message in either
    direction after which it ends.
    """

    def __init__(self, identity: UUID, caller: object, idle_s: float) -> None:
        self.identity = identity
        self.caller = caller
        self._idle_s = idle_s
        self._scope = anyio.CancelScope()
        self._in_flight = InFlight()
        self._to_server, self._received = anyio.create_memory_object_stream[SessionMessage | Exception](AHEAD)
        self._sent, self._from_server = anyio.create_memory_object_stream[SessionMessage](0)

    def put(self, message: t.JSONRPCMessage, request: Request) -> None:
        """Hand the server a message of the client's.

        Raises:
            NotAMessage: its ``id`` is that of a request in flight.
            Full: the server has not taken those before it.
        """
        self._in_flight.admit(message)
        self._touch()
        try:
            self._to_server.send_nowait(SessionMessage(message, ServerMessageMetadata(request_context=request)))
        except anyio.WouldBlock:
            self._in_flight.withdraw(message)
            raise Full from None

    def end(self) -> None:
        """End the stream, and cancel what is in flight."""
        self._scope.cancel()

    async def serve(self, server: McpServer, endpoint: str, receive: Receive, send: Send) -> None:
        """Answer the request that opens the session: until the client hangs up, is idle too long, or the server ends.

        Whatever the session still does is cancelled then: nobody could hear of it.
        """
        await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
        with self._to_server, self._received, self._sent, self._from_server, self._scope:
            self._touch()
            async with anyio.create_task_group() as group:
                group.start_soon(self._until_gone, receive)
                group.start_soon(self._run, server)
                await self._write(_event("endpoint", endpoint), send)
                async for event in self._events():
                    await self._write(event, send)
        with anyio.move_on_after(FLUSH_S):
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _until_gone(self, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self.end()

    async def _run(self, server: McpServer) -> None:
        try:
            await server.run(self._received, self._sent, server.create_initialization_options())
        finally:
            self.end()

    async def _events(self) -> AsyncIterator[bytes]:
        while True:
            event = b": ping\r\n\r\n"
            with anyio.move_on_after(PING_S):
                message = await self._from_server.receive()
                self._in_flight.answered(message.message)
                self._touch()
                event = _event("message", encoded(message).decode())
            yield event

    async def _write(self, event: bytes, send: Send) -> None:
        with anyio.move_on_after(SEND_S) as patience:
            await send({"type": "http.response.body", "body": event, "more_body": True})
        if patience.cancelled_caught:
            self.end()

    def _touch(self) -> None:
        self._scope.deadline = anyio.current_time() + self._idle_s


def _event(name: str, text: str) -> bytes:
    """One event; JSON as the SDK writes it holds no line break, and neither does a path."""
    return f"event: {name}\r\ndata: {text}\r\n\r\n".encode()
