"""The Context Manager: what is known about an agent, as a resource."""

from __future__ import annotations

from tzzr_mcp.plugins.context.declarations import plugin

__all__ = ["plugin"]
