"""GRACE: nine tools over S-CONTRACT, the catalogue of its modules, and the prompts that use them."""

from __future__ import annotations

from tzzr_mcp.plugins.grace.declarations import plugin

__all__ = ["plugin"]
