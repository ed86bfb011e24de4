"""The recipe of docs/deploy.md, with a real nginx in front of two servers."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.sse import sse_client
from mcp.client.streamable_http import streamable_http_client

from tests.tzzr_mcp.server.transports.http.process import LIMIT, ROOT, started
from tzzr_mcp.seams import SystemClock

NGINX = os.environ.get("TZZR_NGINX") or shutil.which("nginx") or ""
pytestmark = [
    pytest.mark.realtime,
    pytest.mark.enable_socket,
    pytest.mark.slow,
    pytest.mark.skipif(not NGINX, reason="needs nginx (apt install nginx), or its path in TZZR_NGINX"),
]

CALLERS = [f"caller{number}" for number in range(6)]
AROUND = """\
daemon off;
pid {folder}/pid;
error_log {folder}/error.log;
events {{ worker_connections 64; }}
http {{
    log_format seen '$upstream_addr $http_authorization $request';
    access_log {folder}/seen.log seen;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
{recipe}
}}
"""


def recipe(port: int, servers: Sequence[int]) -> str:
    """The block of the documentation, on these ports."""
    block: str
    (block,) = re.findall(r"```nginx\n(.*?)```", (ROOT / "docs/deploy.md").read_text("utf-8"), re.DOTALL)
    for written, real in (("8080", port), ("8001", servers[0]), ("8002", servers[1])):
        assert f":{written};" in block
        block = block.replace(f":{written};", f":{real};")
    return block


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@asynccontextmanager
async def nginx(folder: Path, port: int, servers: Sequence[int]) -> AsyncIterator[str]:
    """A running nginx; its origin."""
    (folder / "nginx.conf").write_text(AROUND.format(folder=folder, recipe=recipe(port, servers)), encoding="utf-8")
    process = await asyncio.create_subprocess_exec(NGINX, "-p", str(folder), "-c", str(folder / "nginx.conf"))
    try:
        while not (folder / "pid").exists():
            assert process.returncode is None, (folder / "error.log").read_text("utf-8")
            await SystemClock().sleep(0.05)
        yield f"http://127.0.0.1:{port}"
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


async def tools(target: Any) -> int:
    """How many tools an old-era client finds, whose every message belongs to one session."""
    async with Client(target, mode="legacy", cache=None) as client:
        for _ in range(3):
            found = await client.list_tools()
        return len(found.tools)


async def test_each_caller_stays_at_one_of_two_servers(tmp_path: Path) -> None:
    (tmp_path / "tokens").write_text("".join(f"{name} {name}\n" for name in CALLERS), encoding="utf-8")
    words = ["--transport", "http,sse", "--port", "0"]
    environ = {"TZZR_PLUGINS": "finance", "TZZR_HTTP_TOKENS_FILE": str(tmp_path / "tokens")}
    async with (
        asyncio.timeout(LIMIT),
        started(*words, **environ) as one,
        started(*words, **environ) as two,
        nginx(tmp_path, free_port(), (one.port, two.port)) as origin,
    ):
        for name in CALLERS:
            headers = {"Authorization": f"Bearer {name}"}
            assert await tools(sse_client(f"{origin}/sse", headers=headers)) == 2
            async with httpx2.AsyncClient(headers=headers) as http:
                assert await tools(streamable_http_client(f"{origin}/mcp", http_client=http)) == 2
    seen = [line.split()[:3] for line in (tmp_path / "seen.log").read_text("utf-8").splitlines()]
    assert {caller for _, _, caller in seen} == set(CALLERS)
    assert {server for server, _, _ in seen} == {f"127.0.0.1:{one.port}", f"127.0.0.1:{two.port}"}
    assert all(len({server for server, _, who in seen if who == caller}) == 1 for caller in CALLERS)
