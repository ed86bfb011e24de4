"""Server and host on two machines, as the proof of concept has them (seed 3, option B)."""

from __future__ import annotations

from asyncio.subprocess import Process
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import pytest

from tests.tzzr_mcp.host.machines import Machine, NoMachines, ended, two_machines

pytestmark = [pytest.mark.realtime, pytest.mark.enable_socket, pytest.mark.slow]

PORT = 3001


@asynccontextmanager
async def started(machine: Machine) -> AsyncIterator[Process]:
    """The server of the proof of concept on ``machine``, once it listens."""
    async with machine.running("-m", "tzzr_mcp", "--profile", "poc") as server:
        await machine.listens(PORT)
        yield server


@asynccontextmanager
async def machines() -> AsyncIterator[tuple[Machine, Machine]]:
    """The two machines, or a test that says why there are none."""
    async with AsyncExitStack() as stack:
        try:
            pair = await stack.enter_async_context(two_machines())
        except NoMachines as none:
            pytest.skip(f"no network namespaces here: {none}")
        yield pair


async def test_the_host_finds_its_server_again_after_it_was_killed_and_restarted() -> None:
    async with machines() as (far, near):
        url = f"http://{far.address}:{PORT}"
        async with started(far) as server:
            first = await near.output("-m", "tzzr_mcp.host", f"{url}/sse")
            await ended(server)
            meanwhile = await near.output("-m", "tzzr_mcp.host", f"{url}/sse")
        async with started(far):
            second = await near.output("-m", "tzzr_mcp.host", f"{url}/mcp")

    assert first[0] == second[0] == 0, (first, second)
    assert "protocol 2025-11-25" in first[1]
    assert "protocol 2026-07-28" in second[1]
    assert all("se esperan 77,479.90" in told and "disconnected" in told for _, told in (first, second))
    assert meanwhile[0] == 2
    assert f"cannot connect to {url}/sse (HTTP+SSE): nothing listens there" in meanwhile[1]
    assert "Traceback" not in meanwhile[1]


async def test_a_server_killed_in_the_middle_of_a_conversation_is_told_in_one_line() -> None:
    async with machines() as (far, near):
        url = f"http://{far.address}:{PORT}/sse"
        async with started(far) as server, near.running("-m", "tzzr_mcp.host", url, "--interactive") as host:
            assert host.stdout is not None
            await host.stdout.readuntil(b"nothing to end)> ")
            await ended(server)
            _, err = await host.communicate(b"1\n1000\n5\n12\n\n")

    assert host.returncode == 2
    assert err.decode() == "host: the server went away during tools/call\n"
