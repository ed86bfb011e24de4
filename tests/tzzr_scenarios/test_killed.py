"""kill -9 in mid-job: of the server, and the same call again is computed once; of GRACE, and the call is told so."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import os
import re
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tzzr_mcp.seams import Event
from tzzr_mocks.served import serve
from tzzr_mocks.world import World

pytestmark = [pytest.mark.realtime, pytest.mark.enable_socket, pytest.mark.slow]
ROOT = Path(__file__).parents[2]
LIMIT = 120
"""Seconds after which a test gives up: only against hanging for ever, on however busy a machine."""
SERVER = ("-m", "tzzr_mcp")
FAKES = (
    "-m",
    "tzzr_scenarios.cli",
    "mocks",
    "--grace-port",
    "0",
    "--hst-port",
    "0",
    "--context-port",
    "0",
    "--llm-port",
    "0",
)

HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}


def line(method: str, identity: int | None = None, **params: Any) -> bytes:
    message = {"jsonrpc": "2.0", "method": method, "params": params}
    return json.dumps(message if identity is None else {**message, "id": identity}).encode() + b"\n"


GREETING = line("initialize", 1, **HELLO) + line("notifications/initialized")
HASH = {"name": "generar_hash", "arguments": {"texto": "hola"}}


@asynccontextmanager
async def process(*words: str, environ: Mapping[str, str]) -> AsyncIterator[asyncio.subprocess.Process]:
    """A Python process, killed if a test leaves it alive."""
    pipe = asyncio.subprocess.PIPE
    started = await asyncio.create_subprocess_exec(
        sys.executable, *words, cwd=ROOT, env={**os.environ, **environ}, stdin=pipe, stdout=pipe, stderr=pipe
    )
    try:
        yield started
    finally:
        with contextlib.suppress(ProcessLookupError):
            started.kill()
        await started.communicate()


async def asked(server: asyncio.subprocess.Process, **more: Any) -> None:
    assert server.stdin is not None
    server.stdin.write(GREETING + line("tools/call", 2, **HASH, **more))
    await server.stdin.drain()


async def said(server: asyncio.subprocess.Process) -> dict[str, Any]:
    """The next message of the server."""
    assert server.stdout is not None
    assert server.stderr is not None
    told = await server.stdout.readline()
    assert told, (await server.stderr.read()).decode()
    return dict(json.loads(told))


async def answered(server: asyncio.subprocess.Process) -> dict[str, Any]:
    """The result of the call, the next answer after the greeting's."""
    assert (await said(server))["id"] == 1
    message = await said(server)
    assert message.get("id") == 2, "nobody asked for progress"
    return dict(message["result"])


async def test_a_server_that_is_killed_in_mid_job_has_the_same_call_computed_once() -> None:
    running = asyncio.Event()

    def hear(event: Event) -> None:
        if event.kind == "job" and event.details.get("status") == "IN_PROGRESS":
            running.set()

    world = World(time="real", faults=["grace: first job takes 2s"])
    async with asyncio.timeout(LIMIT), serve(world) as fakes:
        world.trace.listen(hear)
        async with process(*SERVER, environ=fakes.environment) as killed:
            await asked(killed)
            await running.wait()
            killed.kill()
            await killed.wait()
        async with process(*SERVER, environ=fakes.environment) as again:
            await asked(again)
            result = await answered(again)

    assert result["structuredContent"]["data"]["digest"] == hashlib.sha256(b"hola").hexdigest()
    computed = [event for event in world.trace if event.kind == "module" and event.details["outcome"] == "OK"]
    assert len(computed) == 1


async def reachable(fakes: asyncio.subprocess.Process) -> dict[str, str]:
    """What the fakes print for the server's environment, once they listen."""
    assert fakes.stdout is not None
    found: dict[str, str] = {}
    while "HST_TOKEN" not in found or "GRACE_BASE_URL" not in found or "RUNPOD_API_KEY" not in found:
        told = (await fakes.stdout.readline()).decode()
        assert told, (await fakes.communicate())[1].decode()
        found |= dict(re.findall(r"(?:export )?([A-Z_]+)=['\"]?([^'\"\s]+)", told))
    return found


async def test_a_grace_that_is_killed_in_mid_job_is_told_in_one_sentence() -> None:
    slow = ("--fault", "grace: every job takes 30s")
    async with asyncio.timeout(LIMIT), process(*FAKES, *slow, environ={}) as fakes:
        environ = {**await reachable(fakes), "TZZR_CALL_TIMEOUT_S": "8", "LOG_LEVEL": "INFO"}
        async with process(*SERVER, environ=environ) as server:
            await asked(server, _meta={"progressToken": "p"})
            while (await said(server)).get("method") != "notifications/progress":
                pass
            fakes.kill()
            while "result" not in (message := await said(server)):
                assert message["params"]["message"].startswith(("En cola en GRACE (", "GRACE está trabajando ("))
            result = message["result"]

    assert result["isError"] is True
    assert result["_meta"]["tzzr/error"]["code"] in {"GRACE_UNREACHABLE", "GRACE_DEADLINE"}
    assert result["content"][0]["text"].startswith("No se pudo calcular la huella: ")
