"""The official TypeScript clients and MCP Inspector's command line, unmodified, against both HTTP transports.

They need node and the folder in which ``@modelcontextprotocol/sdk@1``, ``client@2`` and ``inspector@2`` were installed:
``TZZR_NODE_MODULES=…/node_modules``.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.tzzr_mcp.server.transports.http.process import LIMIT, started

NODE = shutil.which("node")
MODULES = Path(os.environ.get("TZZR_NODE_MODULES", "node_modules")).absolute()
SCOPE = MODULES / "@modelcontextprotocol"
SCRIPT = Path(__file__).with_name("typescript.mjs")
NAMES = ["calculate_loan_amortization", "analyze_investment_projection"]

pytestmark = [
    pytest.mark.realtime,
    pytest.mark.enable_socket,
    pytest.mark.node,
    pytest.mark.skipif(NODE is None, reason="node is not installed"),
    pytest.mark.skipif(
        not (SCOPE / "client").is_dir(), reason=f"the TypeScript clients are not installed in {MODULES}"
    ),
]


async def node(*words: str, given: str = "", **environ: str) -> tuple[int, str, str]:
    """Run node; exit code, stdout, stderr."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        str(NODE), *words, stdin=pipe, stdout=pipe, stderr=pipe, env={**os.environ, **environ}
    )
    try:
        async with asyncio.timeout(LIMIT):
            out, err = await process.communicate(given.encode())
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    return process.returncode or 0, out.decode(), err.decode()


async def test_both_versions_of_the_typescript_client_are_served_over_both_transports() -> None:
    async with started("--profile", "poc", "--host", "127.0.0.1", "--port", "0") as server:
        given = json.dumps({"modules": str(MODULES), "origin": server.origin})
        code, out, err = await node(str(SCRIPT), given=given)
        assert code == 0, err
    seen: dict[str, Any] = json.loads(out)
    assert len(seen) == 6
    assert all(visit == {"tools": NAMES, "error": False, "text": True} for visit in seen.values()), seen


@pytest.mark.skipif(not (SCOPE / "inspector").is_dir(), reason=f"MCP Inspector is not installed in {MODULES}")
async def test_the_inspector_s_command_line_is_served(tmp_path: Path) -> None:
    program = str(MODULES / ".bin" / "mcp-inspector")
    async with started("--profile", "poc", "--host", "127.0.0.1", "--port", "0") as server:
        for path in ("sse", "mcp"):
            words = ["--cli", f"{server.origin}/{path}", "--method", "tools/list", "--format", "json"]
            code, out, err = await node(program, *words, HOME=str(tmp_path))
            assert code == 0, err
            assert all(name in out for name in NAMES)
