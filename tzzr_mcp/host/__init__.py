"""The command-line MCP host of the distributed proof of concept, over its client layer (seed 3).

    script    layer 3 from outside: arguments, environment, exit codes (``tzzr host``, ``python -m tzzr_mcp.host``)
    host      layer 3: connect, discover, call, leave, in that order, told line by line
    forms     the arguments of any tool, asked one by one
    client    layer 2: one connection to one server, over SSE or Streamable HTTP

It reaches the server through the protocol alone and knows none of its code.
"""

from __future__ import annotations

from tzzr_mcp.host.client import Connection, Target, connected, target
from tzzr_mcp.host.errors import HostError, Lost, Unreachable

__all__ = ["Connection", "HostError", "Lost", "Target", "Unreachable", "connected", "target"]
