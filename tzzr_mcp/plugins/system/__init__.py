"""The server about itself: what it holds, and how the services behind it are."""

from __future__ import annotations

from tzzr_mcp.plugins.system.declarations import plugin

__all__ = ["plugin"]
