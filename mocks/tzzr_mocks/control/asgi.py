"""The types of an ASGI application, and the few pieces of one that middleware and faults share."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any, TypeAlias

Scope: TypeAlias = MutableMapping[str, Any]
Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
ASGIApp: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]
RawHeaders: TypeAlias = list[tuple[bytes, bytes]]


async def read_body(receive: Receive) -> bytes:
    """The whole request body; what arrived until then when the client goes away."""
    chunks: list[bytes] = []
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return b"".join(chunks)
        chunks.append(message.get("body", b""))
        if not message.get("more_body", False):
            return b"".join(chunks)


def replay(body: bytes, receive: Receive) -> Receive:
    """A ``receive`` that gives ``body`` once more, and then whatever the server says."""
    waiting = [body]

    async def again() -> Message:
        if waiting:
            return {"type": "http.request", "body": waiting.pop(), "more_body": False}
        return await receive()

    return again


async def respond(send: Send, status: int, body: bytes, headers: Iterable[tuple[bytes, bytes]]) -> None:
    """Send a whole reply; its Content-Length is that of ``body``."""
    length = (b"content-length", str(len(body)).encode())
    await send({"type": "http.response.start", "status": status, "headers": [*headers, length]})
    await send({"type": "http.response.body", "body": body})


def answer(status: int, body: bytes, headers: Iterable[tuple[bytes, bytes]] = ()) -> ASGIApp:
    """An application that always answers the same."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await respond(send, status, body, headers)

    return app


def answer_json(status: int, content: Any, headers: Iterable[tuple[bytes, bytes]] = ()) -> ASGIApp:
    """An application that always answers with one JSON value."""
    body = json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()
    return answer(status, body, [(b"content-type", b"application/json"), *headers])


def change_reply(app: ASGIApp, change: Callable[[int, RawHeaders, bytes], tuple[int, RawHeaders, bytes]]) -> ASGIApp:
    """``app`` with its whole reply put through ``change`` (status, headers without length, body)."""

    async def changed(scope: Scope, receive: Receive, send: Send) -> None:
        start: Message = {}
        body: list[bytes] = []

        async def collect(message: Message) -> None:
            if message["type"] == "http.response.start":
                start.update(message)
            else:
                body.append(message.get("body", b""))

        await app(scope, receive, collect)
        headers = [(name, value) for name, value in start["headers"] if name.lower() != b"content-length"]
        status, headers, content = change(start["status"], headers, b"".join(body))
        await respond(send, status, content, headers)

    return changed
