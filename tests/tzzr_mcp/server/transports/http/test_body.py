"""Bodies as ASGI hands them over: in pieces, with what may be left out left out, and broken off."""

from __future__ import annotations

import json
from typing import Any

from mcp import types as t
from starlette.types import Message, Receive, Scope, Send

from tests.tzzr_mcp.server.transports.http.reaching import request, served
from tests.tzzr_mcp.server.transports.http.test_limits import POST
from tzzr_mcp.seams import SystemClock
from tzzr_mcp.server.transports.http.body import Messages, message_of

PING = json.dumps(request(1, "ping")).encode()
GONE: Message = {"type": "http.disconnect"}
SCOPE: Scope = {"type": "http", "method": "POST", "headers": []}


async def handed_on(*events: Message) -> tuple[list[t.JSONRPCMessage], list[Message], list[Message]]:
    """The message that the application is given, what it receives from then on, and what was sent without it."""
    coming, messages, received, sent = list(events), list[t.JSONRPCMessage](), list[Message](), list[Message]()

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        messages.append(message_of(scope))
        while not received or received[-1] != GONE:
            received.append(await receive())

    async def receive() -> Message:
        return coming.pop(0)

    async def send(message: Message) -> None:
        sent.append(message)

    await Messages(app, 1024)(SCOPE, receive, send)
    return messages, received, sent


async def test_a_body_in_pieces_is_handed_on_whole_and_what_comes_after_it_as_it_comes() -> None:
    pieces: list[Message] = [
        {"type": "http.request", "body": PING[:9], "more_body": True},
        {"type": "http.request", "more_body": True},
        {"type": "http.request", "body": PING[9:], "more_body": True},
        {"type": "http.request"},
    ]
    messages, received, _ = await handed_on(*pieces, GONE)
    assert [message.model_dump(exclude_none=True) for message in messages] == [json.loads(PING)]
    assert received == [{"type": "http.request", "body": PING, "more_body": False}, GONE]


async def test_a_body_that_is_broken_off_is_nothing_although_it_could_be_read() -> None:
    begun: Message = {"type": "http.request", "body": PING, "more_body": True}
    assert await handed_on(begun, GONE) == ([], [], [])


async def test_a_call_whose_body_was_not_whole_is_not_run() -> None:
    meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}
    arguments: dict[str, Any] = {"texto": "x"}
    call = json.dumps(request(1, "tools/call", name="echo", arguments=arguments, _meta=meta)).encode()
    async with served() as reach:
        connection = reach.connection()
        headers = b"Mcp-Protocol-Version: 2026-07-28\r\nAccept: application/json, text/event-stream\r\n"
        await connection.write(POST + headers + b"Content-Length: 9999\r\n\r\n" + call)
        await SystemClock().sleep(1)
        await connection.aclose()
        await SystemClock().sleep(1)
        assert list(reach.server.runtime.seams.trace) == []
