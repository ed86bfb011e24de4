"""From exec to the first answer of ``tools/list`` over stdio, against a bare SDK server."""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
from collections.abc import Iterator

from tests.bench.timing import wall

ROUNDS = 7
_BARE = """
import anyio
from mcp import types
from mcp.server import Server
from mcp.server.stdio import stdio_server
async def tools(ctx, params):
    return types.ListToolsResult(tools=[types.Tool(name="echo", description="Echo", input_schema={"type": "object"})])
async def main():
    server = Server("bare", on_list_tools=tools)
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())
anyio.run(main)
"""
_HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "bench", "version": "1"},
}


def figures() -> Iterator[tuple[str, str, str]]:
    """Rows of name, figure, ratio; the two are started in turn, so that both meet the same noise."""
    commands = {
        "start, bare SDK server": [sys.executable, "-c", _BARE],
        "start, mcp-server-tzzr --offline": [sys.executable, "-m", "tzzr_mcp", "--offline"],
        "start, mcp-server-tzzr with keys": [sys.executable, "-m", "tzzr_mcp"],
    }
    seconds: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(ROUNDS):
        for name, command in commands.items():
            seconds[name].append(wall(functools.partial(_first_list, command)))
    bare = min(next(iter(seconds.values())))
    for name, each in seconds.items():
        yield name, f"{min(each) * 1e3:,.0f} ms", f"{min(each) / bare:.2f} ×"


def _first_list(command: list[str]) -> None:
    environ = {**os.environ, "RUNPOD_API_KEY": "bench", "HST_TOKEN": "bench"}
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, env=environ, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for message in (
            {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": _HELLO},
            {"jsonrpc": "2.0", "method": "notifications/initialized"},
            {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
        ):
            process.stdin.write(json.dumps(message) + "\n")
        process.stdin.flush()
        while json.loads(process.stdout.readline()).get("id") != 2:
            pass
        process.stdin.close()
