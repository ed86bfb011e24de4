"""``tzzr host``: the command-line MCP host of the distributed proof of concept."""

from __future__ import annotations

from tzzr_mcp.host.script import arguments, main

__all__ = ["arguments", "main"]
