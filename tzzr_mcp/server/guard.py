"""The one place that touches the SDK's middleware, which is provisional.

Three things need it. Old-era connections otherwise answer an unexpected exception with its raw text. Who wants to hear
of changes is known only when a session tells that it is ready. And the handshake's result leaves extensions out.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from mcp import MCPError
from mcp.server.context import CallNext, HandlerResult, ServerMiddleware
from pydantic import ValidationError

from tzzr_mcp.server.changes import Changes
from tzzr_mcp.server.errors import INTERNAL_ERROR
from tzzr_mcp.server.runtime import Context

log = logging.getLogger(__name__)


def guard(changes: Changes, extensions: Mapping[str, Any]) -> ServerMiddleware[Any]:
    """A middleware that lets no exception's text out, enrols old-era sessions, and tells them of ``extensions``."""

    async def guarded(ctx: Context, call_next: CallNext) -> HandlerResult:
        try:
            result = await call_next(ctx)
        except (MCPError, ValidationError):
            raise
        except Exception:
            log.exception("%s failed unexpectedly (request %s)", ctx.method, ctx.request_id)
            text = "El servidor no pudo atender la petición por un error interno, que ha quedado registrado."
            raise MCPError(code=INTERNAL_ERROR, message=text, data={"requestId": str(ctx.request_id)}) from None
        if ctx.method == "notifications/initialized":
            changes.enrol(ctx.session)
        return _extended(result, ctx.params, extensions) if ctx.method == "initialize" else result

    return guarded


def _extended(result: HandlerResult, params: Mapping[str, Any] | None, extensions: Mapping[str, Any]) -> HandlerResult:
    """The handshake's result with the extensions that the client named and the server has."""
    asked = (params or {}).get("capabilities", {}).get("extensions") or {}
    common = {name: settings for name, settings in extensions.items() if name in asked}
    if not common or not isinstance(result, dict):
        return result
    return {**result, "capabilities": {**result["capabilities"], "extensions": common}}
