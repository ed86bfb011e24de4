"""The same two hundred callers for a minute of real time: a server process over Streamable HTTP on loopback sockets.

What the fakes can do on real sockets strikes as in memory. The server's memory is read from the system, so that what a
library keeps is seen too.
"""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path
from typing import Any

import httpx
import pytest
from mcp import types as t

from tests.tzzr_mcp.server.transports.http.process import Process, started
from tests.tzzr_scenarios.callers import CALLERS, DEADLINE_S, SETTINGS, Question, faults, judge, percentile, question
from tzzr_mcp.seams import SystemClock
from tzzr_mocks.served import serve
from tzzr_mocks.world import World
from tzzr_scenarios.observation import Observation, of_tool

pytestmark = [pytest.mark.realtime, pytest.mark.enable_socket, pytest.mark.slow]

LOAD_S = 60.0
WARM_S = 20.0
"""The first third fills caches and pools; the plateau is that of the second, which the last may not leave."""
FLAT = 1.1
"""How much of the second third's memory the last third may have."""
CLOCK = SystemClock()


class Caller:
    """Asks one question after the other over a connection of its own, as a client of the protocol without sessions."""

    def __init__(self, origin: str, first: int) -> None:
        headers = {"Accept": "application/json, text/event-stream", "Mcp-Protocol-Version": "2026-07-28"}
        self.http = httpx.AsyncClient(base_url=origin, headers=headers, timeout=DEADLINE_S + 10, verify=False)  # noqa: S501
        self._next = first
        self.heard: list[tuple[Question, Observation]] = []

    async def ask_until(self, end: float) -> None:
        """Ask as long as there is time; the last answer is waited for."""
        while CLOCK.monotonic() < end:
            asked, begun = question(self._next), CLOCK.monotonic()
            result = await self._answer(self._next, asked)
            self.heard.append((asked, of_tool(result, CLOCK.monotonic() - begun)))
            self._next += CALLERS

    async def _answer(self, number: int, asked: Question) -> t.CallToolResult:
        meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "progressToken": number}
        meta["io.modelcontextprotocol/clientCapabilities"] = {}
        params = {"name": asked.tool, "arguments": asked.arguments, "_meta": meta}
        call = {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}
        reply = await self.http.post("/mcp", json=call, headers={"Mcp-Method": "tools/call", "Mcp-Name": asked.tool})
        assert reply.status_code == 200, reply.text
        told = [message for message in _messages(reply) if "id" in message]
        assert [message["id"] for message in told] == [number], "one answer, to this very request"
        return t.CallToolResult.model_validate(told[0]["result"])


def _messages(reply: httpx.Response) -> list[Any]:
    if reply.headers["content-type"].startswith("application/json"):
        return [reply.json()]
    lines = reply.text.splitlines()
    return [json.loads(line.removeprefix("data:")) for line in lines if line.startswith("data:") and len(line) > 6]


async def _weighed(server: Process, weights: list[tuple[float, int]]) -> None:
    """The server's resident bytes, each half second."""
    begun = CLOCK.monotonic()
    while True:
        weights.append((CLOCK.monotonic() - begun, _resident(server.process.pid)))
        await CLOCK.sleep(0.5)


def _resident(process: int) -> int:
    pages = int(Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


async def _drained(server: Process) -> None:
    """Read the log, as whoever starts a server does."""
    assert server.process.stderr is not None
    while await server.process.stderr.readline():
        pass


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is read from /proc")
async def test_a_minute_of_two_hundred_callers_over_http() -> None:
    world = World(7, time="real", faults=await faults(), starting="unlimited")
    weights: list[tuple[float, int]] = []
    async with (
        serve(world) as fakes,
        started("--transport", "http", "--port", "0", **fakes.environment, **SETTINGS) as server,
    ):
        watching = [asyncio.create_task(_drained(server)), asyncio.create_task(_weighed(server, weights))]
        callers = [Caller(server.origin, first) for first in range(CALLERS)]
        end = CLOCK.monotonic() + LOAD_S
        async with asyncio.TaskGroup() as group:
            for caller in callers:
                group.create_task(caller.ask_until(end))
        for caller in callers:
            await caller.http.aclose()
        for task in watching:
            task.cancel()
        await asyncio.gather(*watching, return_exceptions=True)

    answers = [each for caller in callers for each in caller.heard]
    plateau = max(size for at, size in weights if WARM_S <= at < 2 * WARM_S)
    last = max(size for at, size in weights if 2 * WARM_S <= at < 3 * WARM_S)
    elapsed = [seen.elapsed for _, seen in answers]
    told = [seen.meta["durationMs"] / 1000 for _, seen in answers]
    for who, times in (("callers", elapsed), ("the server", told)):
        print(f"{len(answers)} calls, by {who}: p50 {percentile(times, 50):.2f} s, p99 {percentile(times, 99):.2f} s")
    print(f"memory {plateau / 2**20:.1f} MiB, then {last / 2**20:.1f} MiB")
    print(f"outcomes {dict(judge(answers, real=True).most_common())}")
    assert len(answers) >= 2 * CALLERS
    assert last <= plateau * FLAT
