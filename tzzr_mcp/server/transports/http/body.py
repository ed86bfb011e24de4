"""Request bodies: bounded in bytes and in time, and messages before anything else sees them.

The mends of what the SDK does with rough bodies stand here, once for both transports: it refuses a byte order mark,
takes a request with a fractional ``id`` for a notification, and lets half a surrogate pair through to where it breaks.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import cast

import anyio
from mcp import types as t
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tzzr_mcp.server.transports.http.replies import answered, refusal
from tzzr_mcp.server.transports.messages import MARK, PARSE_ERROR, NotAMessage, parsed

MESSAGE = "tzzr.message"
"""Where a request's scope holds its message, read already."""

BODY_S = 60.0
"""Seconds that a client has to send a request's body."""
DISCARD_S = 5.0
"""Seconds for which the rest of a refused body is read: who is still sending would not hear the answer otherwise."""


class TooLong(ValueError):
    """The body has more bytes than it may."""


class Gone(Exception):
    """The client hung up before its body was whole."""


class Messages:
    """An ASGI middleware: POSTed bodies reach ``app`` whole, or not at all.

    Refused are a body beyond ``limit`` bytes (413), one that is not whole in `BODY_S` (408), and one that is no
    JSON-RPC message (400, with the error that the message deserves).
    """

    def __init__(self, app: ASGIApp, limit: int) -> None:
        self._app = app
        self._limit = limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http" or scope["method"] != "POST":
            await self._app(scope, receive, send)
            return
        try:
            body = await self._body(scope, receive)
            message = _message(body)
        except Gone:
            return
        except TooLong:
            await _discard(receive)
            await refusal(413, f"El mensaje pasa de {self._limit} bytes, el límite.", close=True)(scope, receive, send)
        except TimeoutError:
            await refusal(408, f"El mensaje no llegó entero en {BODY_S:g} s.", close=True)(scope, receive, send)
        except NotAMessage as refused:
            await answered(400, refused.answer)(scope, receive, send)
        else:
            await self._app({**scope, MESSAGE: message}, _replay(body, receive), send)

    async def _body(self, scope: Scope, receive: Receive) -> bytes:
        if _declared(scope) > self._limit:
            raise TooLong
        body = bytearray()
        with anyio.fail_after(BODY_S):
            async for chunk in _chunks(receive):
                body += chunk
                if len(body) > self._limit:
                    raise TooLong
        return bytes(body).removeprefix(MARK)


def message_of(scope: Scope) -> t.JSONRPCMessage:
    """The message of a request that came through `Messages`."""
    return cast("t.JSONRPCMessage", scope[MESSAGE])


def _message(body: bytes) -> t.JSONRPCMessage:
    message = parsed(body)
    if message is None:
        raise NotAMessage(PARSE_ERROR, "El cuerpo de la petición está vacío; se espera un mensaje JSON-RPC.")
    return message


def _declared(scope: Scope) -> int:
    """The length that the header states; the server's HTTP parser has refused one that is no number."""
    lengths = [value for name, value in scope["headers"] if name == b"content-length"]
    return int(lengths[0]) if lengths else 0


async def _chunks(receive: Receive) -> AsyncIterator[bytes]:
    more = True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Gone
        yield message.get("body", b"")
        more = message.get("more_body", False)


async def _discard(receive: Receive) -> None:
    with anyio.move_on_after(DISCARD_S):
        try:
            async for _ in _chunks(receive):
                pass
        except Gone:
            return


def _replay(body: bytes, receive: Receive) -> Receive:
    """As ``receive``, but the whole body comes first."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replayed() -> Message:
        return waiting.pop() if waiting else await receive()

    return replayed
