"""The generic core: it knows the protocol and the plugin API, and no domain.

`build_server` makes a server of plugins and settings; `discover` finds the plugins that are installed.
"""

from __future__ import annotations

from tzzr_mcp.server.build import McpServer, TzzrServer, build_server
from tzzr_mcp.server.discovery import discover, installed
from tzzr_mcp.settings import Settings, StartError

__all__ = ["McpServer", "Settings", "StartError", "TzzrServer", "build_server", "discover", "installed"]
