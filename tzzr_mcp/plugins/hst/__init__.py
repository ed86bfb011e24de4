"""HST: the tags of the three libraries on Directus, searched and read."""

from __future__ import annotations

from tzzr_mcp.plugins.hst.declarations import plugin

__all__ = ["plugin"]
