"""Streamable HTTP: the limits of its sessions, and how it serves without any."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import httpx2
import pytest
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from tests.tzzr_mcp.server.tiny import ERAS, Era, text_of
from tests.tzzr_mcp.server.transports.http.reaching import HELLO, JSON, request, served
from tests.tzzr_mcp.server.transports.http.test_rough import answer_of
from tzzr_mcp.seams import SystemClock
from tzzr_mcp.server.transports.http import HttpOptions

ALONE = HttpOptions(wires=frozenset({"http"}), stateless=True)


async def greeted(http: httpx2.AsyncClient) -> dict[str, str]:
    """The header of a new session."""
    begun = await http.post("/mcp", json=request(1, "initialize", **HELLO))
    session = {"Mcp-Session-Id": begun.headers["mcp-session-id"]}
    await http.post("/mcp", json=request(None, "notifications/initialized"), headers=session)
    return session


async def test_a_session_ends_after_its_idle_time_and_a_message_puts_that_off() -> None:
    async with served(options=HttpOptions(idle_s=100)) as reach, reach.http(JSON) as http:
        session = await greeted(http)
        for wait, status in ((60, 200), (60, 200), (200, 404)):
            await SystemClock().sleep(wait)
            assert (await http.post("/mcp", json=request(2, "ping"), headers=session)).status_code == status


async def test_no_more_sessions_are_open_than_may_be() -> None:
    async with served(options=HttpOptions(max_sessions=1)) as reach, reach.http(JSON) as http:
        session = await greeted(http)
        refused = await http.post("/mcp", json=request(1, "initialize", **HELLO))
        assert refused.status_code == 503
        assert (await http.post("/mcp", json=request(2, "ping"), headers=session)).status_code == 200


async def test_two_sessions_may_use_the_same_id_at_the_same_time() -> None:
    call = request(2, "tools/call", name="wait", arguments={"texto": "5"})
    async with served() as reach, reach.http(JSON) as http:
        one, two = await greeted(http), await greeted(http)
        async with http.stream("POST", "/mcp", json=call, headers=one) as first:
            pong = await http.post("/mcp", json=request(2, "ping"), headers=two)
            assert answer_of(pong)["result"] == {}
            await first.aread()
            assert answer_of(first)["result"]["content"][0]["text"] == "hecho"


@pytest.mark.parametrize("era", ERAS)
async def test_without_sessions_each_request_is_served_by_itself(era: Era) -> None:
    async with served(options=ALONE) as reach, reach.client("http", era) as client:
        assert text_of(await client.call_tool("echo", {"texto": "x"})) == "x"
    async with served(options=ALONE) as reach, reach.http(JSON) as http:
        begun = await http.post("/mcp", json=request(1, "initialize", **HELLO))
        assert (begun.status_code, begun.headers.get("mcp-session-id")) == (200, None)


@pytest.mark.parametrize("method", ["GET", "DELETE"])
async def test_without_sessions_there_is_nothing_to_hear_and_nothing_to_end(method: str) -> None:
    headers = {"Accept": "text/event-stream"}
    async with served(options=ALONE) as reach, reach.http(headers) as http:
        refused = await http.request(method, "/mcp")
    told: dict[str, Any] = refused.json()
    assert (refused.status_code, refused.headers["allow"]) == (405, "POST")
    assert told == {
        "jsonrpc": "2.0",
        "id": None,
        "error": {"code": -32600, "message": "Este servidor no guarda sesiones: solo admite POST."},
    }


async def test_without_a_session_two_requests_may_have_the_same_id() -> None:
    meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}
    headers = {"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "wait"}
    call = request(1, "tools/call", name="wait", arguments={"texto": "5"}, _meta=meta)
    async with served() as reach, reach.http({**JSON, **headers}) as http:
        both = await asyncio.gather(*(http.post("/mcp", json=call) for _ in range(2)))
    assert [answer_of(each)["result"]["content"][0]["text"] for each in both] == ["hecho", "hecho"]


async def test_a_message_of_five_megabytes_is_within_the_limit() -> None:
    body = json.dumps(request(1, "initialize", **HELLO)).encode().ljust(5_000_000)
    async with served() as reach, reach.http(JSON) as http:
        assert (await http.post("/mcp", content=body)).status_code == 200


async def test_each_id_of_a_session_is_in_use_until_its_own_answer_whatever_came_before() -> None:
    def call(identity: int, seconds: int) -> dict[str, Any]:
        meta = {"progressToken": identity}
        return request(identity, "tools/call", name="wait", arguments={"texto": str(seconds)}, _meta=meta)

    async with served() as reach, reach.http(JSON) as http:
        http.headers.update(await greeted(http))
        long = asyncio.create_task(http.post("/mcp", json=call(2, 30)))
        short = asyncio.create_task(http.post("/mcp", json=call(3, 5)))
        for wait, refused in ((1, {2, 3}), (10, {2}), (30, set[int]())):
            await SystemClock().sleep(wait)
            answers = {number: await http.post("/mcp", json=request(number, "ping")) for number in (2, 3)}
            assert {number for number, answer in answers.items() if answer.status_code == 409} == refused
            assert {answer.status_code for number, answer in answers.items() if number not in refused} <= {200}
        for task in (long, short):
            assert answer_of(await task)["result"]["content"][0]["text"] == "hecho"


async def test_whoever_has_read_an_answer_may_use_its_id_before_the_sdk_has_tidied_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def tidies_up(manager: object, scope: Scope, receive: Receive, send: Send) -> None:
        await Response("{}")(scope, receive, send)
        await SystemClock().sleep(5)

    monkeypatch.setattr(StreamableHTTPSessionManager, "handle_request", tidies_up)
    async with served() as reach, reach.http({**JSON, "Mcp-Session-Id": "x"}) as http:
        both = [(await http.post("/mcp", json=request(2, "ping"))).status_code for _ in range(2)]
    assert both == [200, 200]
