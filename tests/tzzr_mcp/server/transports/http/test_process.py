"""The command over real sockets: profiles, signals, processes."""

from __future__ import annotations

import asyncio
import json
import re
import signal
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.sse import sse_client

from tests.tzzr_mcp.server.tiny import ERAS, Era
from tests.tzzr_mcp.server.transports.http.process import started
from tests.tzzr_mcp.server.transports.http.reaching import HELLO, JSON, request
from tzzr_mcp.seams import SystemClock

pytestmark = [pytest.mark.realtime, pytest.mark.enable_socket, pytest.mark.slow]

LOAN = {"principal": 250_000, "annualInterestRate": 12.5, "termMonths": 48}


async def test_the_proof_of_concept_is_served_with_one_warning() -> None:
    async with started("--profile", "poc", "--port", "0", TZZR_PLUGINS="conformance") as server:
        for target, mode in ((sse_client(f"{server.origin}/sse"), "legacy"), (f"{server.origin}/mcp", "auto")):
            async with Client(target, mode=mode) as client:
                names = [tool.name for tool in (await client.list_tools()).tools]
                assert names == ["calculate_loan_amortization", "analyze_investment_projection"]
                assert not (await client.call_tool(names[0], LOAN)).is_error
        assert await server.end(signal.SIGTERM) == 143
    told = "".join(server.told)
    assert told.count("WARNING") == 1
    assert f"whoever reaches http://0.0.0.0:{server.port} may use it: no token is set (TZZR_HTTP_TOKEN)" in told


async def test_a_signal_ends_open_streams_and_the_process() -> None:
    async with started("--profile", "poc", "--port", "0", "--host", "127.0.0.1") as server:
        async with httpx2.AsyncClient(base_url=server.origin) as http, http.stream("GET", "/sse") as stream:
            lines = stream.aiter_lines()
            assert await anext(lines) == "event: endpoint"
            ending = asyncio.create_task(server.end(signal.SIGINT))
            assert [line async for line in lines][-1] == ""
        assert await ending == 130
    assert "ERROR" not in "".join(server.told)
    assert "WARNING" not in "".join(server.told)


@pytest.mark.parametrize("era", ERAS)
async def test_two_workers_share_a_port_and_serve_both_eras(era: Era) -> None:
    async with started("--transport", "http", "--port", "0", "--workers", "2", TZZR_PLUGINS="finance") as server:
        for _ in range(4):
            async with Client(f"{server.origin}/mcp", mode=era, cache=None) as client:
                assert len((await client.list_tools()).tools) == 2
                assert not (await client.call_tool("calculate_loan_amortization", LOAN)).is_error
        async with httpx2.AsyncClient(base_url=server.origin) as http:
            assert (await http.get("/mcp", headers={"Accept": "text/event-stream"})).status_code == 405
        assert await server.end(signal.SIGTERM) == 143


async def test_all_transports_at_once_and_the_end_of_stdin_ends_stdio_alone() -> None:
    async with started("--transport", "all", "--port", "0", TZZR_PLUGINS="finance") as server:
        stdin, stdout = server.process.stdin, server.process.stdout
        assert stdin is not None
        assert stdout is not None
        stdin.write(json.dumps(request(1, "initialize", **HELLO)).encode() + b"\n")
        assert json.loads(await stdout.readline())["result"]["serverInfo"]["name"] == "mcp-server-tzzr"
        stdin.close()
        async with httpx2.AsyncClient(base_url=server.origin, headers=JSON) as http:
            assert (await http.post("/mcp", json=request(1, "initialize", **HELLO))).status_code == 200
        assert await server.end(signal.SIGTERM) == 143


@pytest.mark.parametrize(
    ("words", "environ", "told"),
    [
        (["--transport", "http", "--host", "0.0.0.0"], {}, "nothing asks them who they are"),  # noqa: S104 - refused
        (["--transport", "http", "--port", "70000"], {}, "TZZR_HTTP_PORT is '70000'"),
        (["--transport", "htp"], {}, "TZZR_TRANSPORT is 'htp'"),
        (["--transport", "http", "--host", "203.0.113.1"], {"TZZR_HTTP_TOKEN": "alfa"}, "cannot listen on 203.0.113.1"),
        (["--transport", "stdio,http", "--workers", "2"], {}, "--workers 2 cannot serve stdio"),
    ],
)
async def test_a_start_that_is_refused_says_what_to_mend(words: list[str], environ: dict[str, Any], told: str) -> None:
    with pytest.raises(AssertionError) as caught:
        async with started(*words, TZZR_PLUGINS="finance", **environ) as server:
            pytest.fail(f"it listens on {server.port}")
    assert told in str(caught.value)


async def test_a_connection_outlasts_the_five_seconds_for_which_clients_keep_theirs() -> None:
    async with started("--transport", "http", "--port", "0", TZZR_PLUGINS="finance") as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        for pause in (6.0, 0.0):
            writer.write(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            head = await reader.readuntil(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 200")
            await reader.readexactly(int(re.search(rb"content-length: (\d+)", head)[1]))  # type: ignore[index]
            await SystemClock().sleep(pause)
        writer.close()
