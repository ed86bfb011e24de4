"""The tiny plugin's server over real stdio: what the transport's tests start as a process."""

from __future__ import annotations

import asyncio
import sys

from tests.tzzr_mcp.server.tiny import ENVIRON, a_plugin, a_tool, echo, wait
from tzzr_mcp.server import build_server
from tzzr_mcp.server.logs import configure_logs
from tzzr_mcp.server.transports.lines import claimed_stdio
from tzzr_mcp.server.transports.stdio import serve_stdio

if __name__ == "__main__":
    configure_logs("INFO", "text", ["swordfish"])
    with claimed_stdio() as (stdin, stdout):
        server = build_server([a_plugin(a_tool(echo), a_tool(wait, name="wait"))], ENVIRON)
        print("a stray print, which must not reach the client")
        code = asyncio.run(serve_stdio(server, stdin, stdout))
    sys.exit(code)
