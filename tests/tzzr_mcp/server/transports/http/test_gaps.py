"""What the SDK does by itself where our transports mend it. One of these failing means that a mend can go."""

from __future__ import annotations

import gc
import json
import warnings
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
from mcp import types as t
from mcp.server.sse import SseServerTransport
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
from mcp.shared.message import SessionMessage
from starlette.applications import Starlette
from starlette.routing import Route

from tests.tzzr_mcp.server.tiny import a_server, a_tool, wait
from tests.tzzr_mcp.server.transports.http.reaching import HELLO, JSON, Reach, request
from tzzr_mcp.seams import SystemClock
from tzzr_mcp.server import TzzrServer


@asynccontextmanager
async def bare(app: Starlette, server: TzzrServer) -> AsyncIterator[Reach]:
    """The application as it is; streams that the SDK leaves open are no matter of these tests."""
    reach = Reach(app, server)
    yield reach
    await reach.close()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


def test_a_request_with_a_fraction_or_null_as_id_is_taken_for_a_notification() -> None:
    for identity in ("1.5", "null"):
        line = b'{"jsonrpc":"2.0","id":%s,"method":"ping"}' % identity.encode()
        message = t.jsonrpc_message_adapter.validate_json(line, by_name=False)
        assert isinstance(message, t.JSONRPCNotification), "messages._refuse_identity can go"


async def test_the_second_of_two_requests_with_one_id_takes_the_first_one_s_place() -> None:
    server = a_server(a_tool(wait, name="wait"))
    to_server, received = anyio.create_memory_object_stream[SessionMessage | Exception](9)
    sent, from_server = anyio.create_memory_object_stream[SessionMessage](9)
    call = request(2, "tools/call", name="wait", arguments={"texto": "5"})
    cancel = request(None, "notifications/cancelled", requestId=2)
    with to_server, received, sent, from_server:
        async with server, anyio.create_task_group() as group:
            group.start_soon(server.mcp.run, received, sent, server.mcp.create_initialization_options())
            for message in (request(1, "initialize", **HELLO), call, call):
                await to_server.send(SessionMessage(t.jsonrpc_message_adapter.validate_python(message)))
            await SystemClock().sleep(1)
            await to_server.send(SessionMessage(t.jsonrpc_message_adapter.validate_python(cancel)))
            await SystemClock().sleep(1)
            assert len(server.runtime.running) == 1, "InFlight can go: the first call is no longer out of reach"
            group.cancel_scope.cancel()


async def test_a_body_with_a_byte_order_mark_is_refused() -> None:
    server = a_server()
    manager = StreamableHTTPSessionManager(server.mcp)
    app = Starlette(routes=[Route("/mcp", StreamableHTTPASGIApp(manager), methods=["POST"])])
    content = b"\xef\xbb\xbf" + json.dumps(request(1, "initialize", **HELLO)).encode()
    async with server, manager.run(), bare(app, server) as reach, reach.http(JSON) as http:
        assert (await http.post("/mcp", content=content)).status_code == 400, "Messages need not take the mark away"


async def test_without_sessions_a_get_is_held_open() -> None:
    server = a_server()
    manager = StreamableHTTPSessionManager(server.mcp, stateless=True)
    app = Starlette(routes=[Route("/mcp", StreamableHTTPASGIApp(manager), methods=["GET"])])
    async with server, manager.run(), bare(app, server) as reach, reach.http({"Accept": "text/event-stream"}) as http:
        response = await http.send(http.build_request("GET", "/mcp"), stream=True)
        assert response.status_code == 200, "Streamable need no longer refuse GET without sessions"
        await response.aclose()


async def test_the_sdk_s_sse_transport_names_its_parameter_otherwise() -> None:
    server, transport = a_server(), SseServerTransport("/messages")

    class Open:
        async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
            async with transport.connect_sse(scope, receive, send) as (read, write):
                await server.mcp.run(read, write, server.mcp.create_initialization_options())

    app = Starlette(routes=[Route("/sse", Open(), methods=["GET"])])
    async with server, bare(app, server) as reach, reach.http() as http, http.stream("GET", "/sse") as stream:
        lines = [line async for line in _first(stream, 2)]
        assert "session_id=" in lines[1], "the SDK may now speak as the seed does"


async def _first(stream: Any, number: int) -> Any:
    lines = stream.aiter_lines()
    for _ in range(number):
        yield await anext(lines)
