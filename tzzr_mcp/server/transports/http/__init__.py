"""Streamable HTTP and HTTP+SSE, as one ASGI application."""

from __future__ import annotations

from tzzr_mcp.server.transports.http.app import http_app
from tzzr_mcp.server.transports.http.options import HttpOptions

__all__ = ["HttpOptions", "http_app"]
