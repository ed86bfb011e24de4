"""MCP Apps (``io.modelcontextprotocol/ui``, 2026-01-26): one page that draws any tool's tables and charts in the host.

The page is linked to the tools whose results hold tables, listed, and announced only where the host negotiated the
extension: any other client gets what it always got, and the text says enough (the extension's graceful degradation).
The page knows the shape of `tzzr_mcp.output.ToolOutput` and no dataset.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from mcp import types as t
from mcp.server.apps import APP_MIME_TYPE, EXTENSION_ID, ResourcePermissions

from tzzr_mcp.plugins.api import Tool
from tzzr_mcp.plugins.lowlevel import RawTool
from tzzr_mcp.server.refs import resolve
from tzzr_mcp.server.registry import Owned, Registry

URI: Final = "ui://tzzr/resultado"
EXTENSIONS: Final[Mapping[str, dict[str, Any]]] = {EXTENSION_ID: {"mimeTypes": [APP_MIME_TYPE]}}
"""What a server with such tools announces among its capabilities."""

_WHAT: Final = "Dibuja las tablas y los gráficos del resultado de una herramienta, con su fuente."
_PAGE: Final = "tzzr_mcp.screen:page"
"""By its place: the start needs no page."""
_CACHED_MS: Final = 3_600_000
_META: Final = {
    "ui": {
        # No domains: the page fetches nothing. The clipboard is for the CSV, and the page does without it.
        "permissions": ResourcePermissions(clipboard_write={}).model_dump(by_alias=True, exclude_none=True),
        "prefersBorder": True,
    }
}


def any_drawn(registry: Registry) -> bool:
    """Whether there is a tool that the page is for."""
    return any(drawn(owned) for owned in registry.tools.values())


def drawn(owned: Owned[Tool]) -> bool:
    """Whether the page is for this tool: its results may hold tables, and it brings no page of its own."""
    tool = owned.item
    return tool.tables and not isinstance(tool, RawTool) and "ui" not in tool.meta


def linked(tool: t.Tool) -> t.Tool:
    """The tool as a host with the extension sees it."""
    return tool.model_copy(update={"meta": {**(tool.meta or {}), "ui": {"resourceUri": URI}}})


def listed() -> t.Resource:
    """The page as ``resources/list`` shows it to such a host."""
    return t.Resource(
        uri=URI, name="resultado", title="Resultado", description=_WHAT, mime_type=APP_MIME_TYPE, _meta=_META
    )


def contents() -> t.ReadResourceResult:
    """The page, which is the same for everybody for as long as the process lives."""
    html: str = resolve(_PAGE)()
    content = t.TextResourceContents(uri=URI, mime_type=APP_MIME_TYPE, text=html, _meta=_META)
    return t.ReadResourceResult(contents=[content], ttl_ms=_CACHED_MS, cache_scope="public")
