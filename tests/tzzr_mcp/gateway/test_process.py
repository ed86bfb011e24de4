"""The gateway as a process: it starts its server, serves API and page, and ends when it is told to."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest

ROOT = Path(__file__).parents[3]
PATIENCE_S = 90.0
pytestmark = [pytest.mark.realtime, pytest.mark.slow, pytest.mark.enable_socket]


@asynccontextmanager
async def serving(**environ: str) -> AsyncIterator[tuple[Process, str]]:
    """A gateway whose server runs offline and whose model is not there, and its URL."""
    settings = {
        "TZZR_MODEL_API_KEY": "swordfish",
        "TZZR_MODEL": "nobody",
        "TZZR_MODEL_BASE_URL": "http://127.0.0.1:9/v1",
        "TZZR_MODEL_ATTEMPTS": "1",
        "TZZR_GATEWAY_SERVER": f"stdio:{sys.executable} -m tzzr_mcp --offline",
        "TZZR_GATEWAY_PORT": "0",
        "TZZR_PLUGINS": "system,finance",
        **environ,
    }
    command = [sys.executable, "-m", "tzzr_mcp.gateway"]
    process = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stderr=PIPE, env={**os.environ, **settings})
    try:
        async with asyncio.timeout(PATIENCE_S):
            yield process, await _url(process)
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def _url(process: Process) -> str:
    assert process.stderr is not None
    async for line in process.stderr:
        if found := re.search(r"serving (http://\S+)/ with the model nobody", line.decode()):
            return found[1]
    raise AssertionError("it ended before it served")


async def test_it_starts_its_server_serves_and_ends_at_a_signal() -> None:
    async with serving() as (process, url), httpx.AsyncClient(base_url=url, timeout=60) as http:
        assert (await http.get("/readyz")).json() == {"status": "ok", "tools": 3}
        assert (await http.get("/")).headers["content-type"].startswith("text/html")
        answer = await http.post("/api/chat", json={"messages": [{"role": "user", "content": "Hola"}]})
        assert re.findall(r"^event: (\w+)$", answer.text, re.MULTILINE) == ["error", "done"]
        assert '"code":"MODEL_UNREACHABLE"' in answer.text
        process.send_signal(signal.SIGTERM)
        assert await process.wait() in {-signal.SIGTERM, 128 + signal.SIGTERM}


async def test_other_machines_are_not_let_in_without_a_token() -> None:
    with pytest.raises(AssertionError, match="it ended before it served"):
        async with serving(TZZR_GATEWAY_HOST="0.0.0.0"):  # noqa: S104 - which is refused
            pass
