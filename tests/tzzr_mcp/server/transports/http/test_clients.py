"""The SDK's own client over both HTTP transports, in both protocol eras."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.tzzr_mcp.server.tiny import ERAS, Era, a_tool, output, text_of
from tests.tzzr_mcp.server.transports.http.reaching import HELLO, JSON, WIRES, Wire, request, served
from tzzr_mcp.output import ToolOutput
from tzzr_mcp.plugins.api import Call
from tzzr_mcp.seams import SystemClock

VERSIONS = {"auto": "2026-07-28", "legacy": "2025-11-25"}


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("wire", WIRES)
async def test_a_client_shakes_hands_lists_and_calls(wire: Wire, era: Era) -> None:
    async with served() as reach, reach.client(wire, era) as client:
        assert client.protocol_version == VERSIONS[era]
        assert [tool.name for tool in (await client.list_tools()).tools] == ["echo", "wait"]
        assert text_of(await client.call_tool("echo", {"texto": "ñ\u2028👍"})) == "ñ\u2028👍"


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("wire", WIRES)
async def test_progress_comes_before_the_result_of_a_long_call(wire: Wire, era: Era) -> None:
    told: list[float] = []

    async def tell(progress: float, total: float | None, message: str | None) -> None:
        told.append(progress)

    async with served() as reach, reach.client(wire, era) as client:
        result = await client.call_tool("wait", {"texto": "40"}, progress_callback=tell)
        assert (text_of(result), told) == ("hecho", [1])


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("wire", WIRES)
async def test_a_tool_knows_that_its_client_is_elsewhere_and_whether_it_hears_of_progress(wire: Wire, era: Era) -> None:
    seen: list[tuple[bool, bool]] = []

    async def look(call: Call[Any]) -> ToolOutput:
        seen.append((call.remote, call.watched))
        return output(call, "hecho")

    async def hear(progress: float, total: float | None, message: str | None) -> None: ...

    async with served(a_tool(look)) as reach, reach.client(wire, era) as client:
        await client.call_tool("echo", {"texto": "x"}, progress_callback=hear)
        await client.call_tool("echo", {"texto": "x"})
    assert seen == [(True, True), (True, False)]


@pytest.mark.parametrize("era", ERAS)
async def test_a_client_that_closes_its_sse_stream_leaves_nothing_running(era: Era) -> None:
    async with served() as reach:
        async with reach.client("sse", era) as client:
            call = asyncio.create_task(client.call_tool("wait", {"texto": "45"}))
            await SystemClock().sleep(1)
            assert (reach.sessions, len(reach.server.runtime.running)) == (1, 1)
            call.cancel()
            await asyncio.wait([call])
        await SystemClock().sleep(1)
        assert (reach.sessions, len(reach.server.runtime.running)) == (0, 0)


async def test_closing_the_connection_of_a_new_era_call_cancels_it() -> None:
    async with served() as reach, reach.client("http", "auto") as client:
        call = asyncio.create_task(client.call_tool("wait", {"texto": "45"}))
        await SystemClock().sleep(1)
        assert len(reach.server.runtime.running) == 1
        call.cancel()
        await asyncio.wait([call])
        await SystemClock().sleep(1)
        assert len(reach.server.runtime.running) == 0


async def test_a_dropped_post_of_an_old_era_session_cancels_nothing_and_a_notification_does() -> None:
    async with served() as reach, reach.http(JSON) as http:
        begun = await http.post("/mcp", json=request(1, "initialize", **HELLO))
        http.headers["Mcp-Session-Id"] = begun.headers["mcp-session-id"]
        await http.post("/mcp", json=request(None, "notifications/initialized"))
        call = request(2, "tools/call", name="wait", arguments={"texto": "45"})
        async with http.stream("POST", "/mcp", json=call):
            await SystemClock().sleep(1)
        await SystemClock().sleep(1)
        assert len(reach.server.runtime.running) == 1, "protocol 2025-11-25: a disconnection is no cancellation"
        await http.post("/mcp", json=request(None, "notifications/cancelled", requestId=2))
        await SystemClock().sleep(1)
        assert len(reach.server.runtime.running) == 0
        assert (await http.post("/mcp", json=request(2, "ping"))).status_code == 200


async def test_an_old_era_session_has_a_stream_of_its_own_and_ends_when_its_client_says_so() -> None:
    async with served() as reach, reach.http(JSON) as http:
        begun = await http.post("/mcp", json=request(1, "initialize", **HELLO))
        http.headers["Mcp-Session-Id"] = begun.headers["mcp-session-id"]
        await http.post("/mcp", json=request(None, "notifications/initialized"))
        async with http.stream("GET", "/mcp", headers={"Accept": "text/event-stream"}) as stream:
            assert (stream.status_code, stream.headers["content-type"]) == (200, "text/event-stream")
        assert (await http.delete("/mcp")).status_code == 200
        assert (await http.post("/mcp", json=request(2, "ping"))).status_code == 404
