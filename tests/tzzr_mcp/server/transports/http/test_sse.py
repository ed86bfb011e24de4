"""HTTP+SSE as the third seed shows it, and its limits."""

from __future__ import annotations

import asyncio
import gc
import re
from contextlib import AsyncExitStack

import pytest
from starlette.types import Message

from tests.tzzr_mcp.server.tiny import a_server, a_tool, echo
from tests.tzzr_mcp.server.transports.http.reaching import HELLO, JSON, greeted, opened, request, served
from tzzr_mcp.seams import SystemClock
from tzzr_mcp.server import McpServer
from tzzr_mcp.server.transports.http import HttpOptions
from tzzr_mcp.server.transports.http.sse import SseSessions
from tzzr_mcp.server.transports.http.sse_session import AHEAD, FLUSH_S, PING_S, SEND_S, SseSession

NO_SESSION = "No existe esa sesión, o ya terminó. Abra otra con GET /sse."
UUID4 = "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"


async def test_the_first_event_tells_where_to_post_as_the_seed_shows_it() -> None:
    async with served() as reach, reach.http() as http, http.stream("GET", "/sse") as stream:
        assert (stream.status_code, stream.headers["content-type"]) == (200, "text/event-stream; charset=utf-8")
        lines = stream.aiter_lines()
        assert await anext(lines) == "event: endpoint"
        assert re.fullmatch(f"data: /messages\\?sessionId={UUID4}", await anext(lines))
        assert await anext(lines) == ""


@pytest.mark.parametrize("slash", ["", "/"])
@pytest.mark.parametrize("name", ["sessionId", "session_id"])
async def test_both_names_of_the_parameter_and_a_slash_at_the_end_are_accepted(name: str, slash: str) -> None:
    async with served() as reach, opened(reach) as session:
        session.endpoint = session.endpoint.replace("?sessionId", f"{slash}?{name}")
        response = await session.post(request(1, "initialize", **HELLO))
        assert (response.status_code, response.text) == (202, "Accepted")
        answer = await session.answer()
        assert answer["result"]["serverInfo"]["name"] == "mcp-server-tzzr"


@pytest.mark.parametrize(
    ("query", "status", "told"),
    [
        ("", 400, "Falta el parámetro «sessionId», que indica el evento «endpoint» de GET /sse."),
        ("?sessionId=", 400, "Falta el parámetro «sessionId», que indica el evento «endpoint» de GET /sse."),
        ("?sessionId=nonsense", 404, NO_SESSION),
        ("?sessionId=00000000-0000-4000-8000-000000000000", 404, NO_SESSION),
    ],
)
async def test_a_message_to_no_session_is_refused(query: str, status: int, told: str) -> None:
    async with served() as reach, reach.http(JSON) as http:
        response = await http.post(f"/messages{query}", json=request(1, "ping"))
        assert response.status_code == status
        assert response.json()["error"] == {"code": -32600, "message": told}
        assert "connection" not in response.headers


@pytest.mark.parametrize(("root", "shown"), [("/a b/", "/a%20b"), ("/X", "/X"), ("/", "")])
async def test_the_first_event_names_the_path_under_which_a_proxy_serves(root: str, shown: str) -> None:
    async with served() as reach:
        reach.root_path = root
        async with reach.http() as http, http.stream("GET", "/sse") as stream:
            lines = stream.aiter_lines()
            await anext(lines)
            assert re.fullmatch(f"data: {shown}/messages\\?sessionId={UUID4}", await anext(lines))


async def test_a_server_that_says_nothing_of_a_proxy_has_none() -> None:
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        await SystemClock().sleep(1)
        return {"type": "http.disconnect"}

    async with a_server() as server:
        await SseSessions(server.mcp, limit=1, idle_s=60).open({"type": "http", "method": "GET"}, receive, send)
    assert sent[1]["body"].startswith(b"event: endpoint\r\ndata: /messages?sessionId=")


async def test_the_stream_is_for_no_proxy_to_keep() -> None:
    async with served() as reach, reach.http() as http, http.stream("GET", "/sse") as stream:
        assert stream.headers["cache-control"] == "no-cache, no-transform"
        assert stream.headers["x-accel-buffering"] == "no"


async def test_more_messages_than_wait_are_refused_and_hold_no_id(monkeypatch: pytest.MonkeyPatch) -> None:
    async def stands_still(*_: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(McpServer, "run", stands_still)
    async with served() as reach, opened(reach) as session:
        accepted = [(await session.post(request(number, "ping"))).status_code for number in range(AHEAD)]
        assert set(accepted) == {202}
        for _ in range(2):
            refused = await session.post(request("more", "ping"))
            assert refused.status_code == 503
            assert refused.json()["error"]["message"] == (
                "La sesión tiene demasiados mensajes sin atender. Vuelva a intentarlo más tarde."
            )
        again = await session.post(request(0, "ping"))
        assert (again.status_code, again.json()["id"]) == (409, 0)


@pytest.mark.slow
async def test_a_thousand_sessions_dropped_without_goodbye_leave_nothing() -> None:
    async with served() as reach:
        before = len(asyncio.all_tasks())
        connections = [reach.connection() for _ in range(1000)]
        for connection in connections:
            await connection.write(b"GET /sse HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        await SystemClock().sleep(1)
        assert reach.sessions == 1000
        for connection in connections:
            await connection.aclose()
        await SystemClock().sleep(1)
        assert reach.sessions == 0
        assert len(reach.state.connections) == 0
        assert len(asyncio.all_tasks()) == before
        gc.collect()
        assert not [each for each in gc.get_objects() if type(each) is SseSession]


async def test_a_session_that_is_dropped_cancels_its_call() -> None:
    async with served() as reach:
        async with greeted(reach) as session:
            await session.post(request(2, "tools/call", name="wait", arguments={"texto": "45"}))
            await SystemClock().sleep(1)
            assert len(reach.server.runtime.running) == 1
        await SystemClock().sleep(1)
        assert len(reach.server.runtime.running) == 0


async def test_no_more_sessions_are_open_than_may_be(caplog: pytest.LogCaptureFixture) -> None:
    async with served(options=HttpOptions(max_sessions=2)) as reach, AsyncExitStack() as stack:
        sessions = [await stack.enter_async_context(opened(reach)) for _ in range(2)]
        async with reach.http() as http:
            response = await http.get("/sse")
            assert response.status_code == 503
            assert response.json()["error"] == {
                "code": -32600,
                "message": ("El servidor ya tiene abiertas 2 sesiones, su límite. Vuelva a intentarlo más tarde."),
            }
        messages = [record.getMessage() for record in caplog.records if record.name.endswith("http.sse")]
        assert messages == ["refused an SSE session: 2 are open, the limit"]
        await sessions[0].ask(request(1, "initialize", **HELLO))


async def test_a_silent_session_is_pinged_and_ends_after_its_idle_time() -> None:
    async with (
        served(options=HttpOptions(idle_s=100)) as reach,
        reach.http() as http,
        http.stream("GET", "/sse") as one,
    ):
        clock = SystemClock()
        began = clock.monotonic()
        lines = [line async for line in one.aiter_lines()]
        assert lines.count(": ping") == 100 // PING_S
        assert set(lines[2:]) == {": ping", ""}
        assert clock.monotonic() - began == pytest.approx(100)
        assert reach.sessions == 0


async def test_a_message_puts_the_idle_time_off() -> None:
    async with served(options=HttpOptions(idle_s=100)) as reach, greeted(reach) as session:
        for identity in range(2, 5):
            await SystemClock().sleep(60)
            assert (await session.ask(request(identity, "ping")))["result"] == {}


async def test_a_client_that_stops_reading_its_stream_is_dropped() -> None:
    async with served(a_tool(echo)) as reach:
        stuck = reach.connection()
        await stuck.write(b"GET /sse HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        told = await stuck.read(65536)
        while b"sessionId=" not in told:
            told += await stuck.read(65536)
        path = told.split(b"data: ")[1].split()[0].decode()
        async with reach.http(JSON) as http:
            await http.post(path, json=request(1, "initialize", **HELLO))
            for identity in range(2, 5):
                call = request(identity, "tools/call", name="echo", arguments={"texto": "x" * 100_000})
                await http.post(path, json=call)
        await SystemClock().sleep(SEND_S + FLUSH_S + 1)
        assert reach.sessions == 0


async def test_a_session_answers_in_order_and_to_both_ids_of_two_requests() -> None:
    async with served() as reach, greeted(reach) as session:
        await session.post(request(2, "tools/call", name="wait", arguments={"texto": "5"}))
        await session.post(request("3", "ping"))
        assert (await session.answer())["id"] == "3"
        assert (await session.answer())["id"] == 2


async def test_other_methods_are_refused_and_head_opens_no_session() -> None:
    async with served() as reach, reach.http(JSON) as http:
        assert (await http.post("/sse", json=request(1, "initialize", **HELLO))).status_code == 405
        assert (await http.get("/messages")).status_code == 405
        head = await http.head("/sse")
        assert (head.status_code, head.headers["content-type"]) == (200, "text/event-stream")
        assert reach.sessions == 0


async def test_only_the_transports_that_were_asked_for_are_there() -> None:
    async with served(options=HttpOptions(wires=frozenset({"http"}))) as reach, reach.http(JSON) as http:
        assert (await http.get("/sse")).status_code == 404
    async with served(options=HttpOptions(wires=frozenset({"sse"}))) as reach, reach.http(JSON) as http:
        assert (await http.post("/mcp", json=request(1, "initialize", **HELLO))).status_code == 404
