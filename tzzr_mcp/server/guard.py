"""The one place that touches the SDK's middleware, which is provisional.

Two things need it. Old-era connections otherwise answer an unexpected exception with its raw text. And who wants to
hear of changes is known only when a session tells that it is ready.
"""

from __future__ import annotations

import logging
from typing import Any

from mcp import MCPError
from mcp.server.context import CallNext, HandlerResult, ServerMiddleware
from pydantic import ValidationError

from tzzr_mcp.server.changes import Changes
from tzzr_mcp.server.errors import INTERNAL_ERROR
from tzzr_mcp.server.runtime import Context

log = logging.getLogger(__name__)


def guard(changes: Changes) -> ServerMiddleware[Any]:
    """A middleware that lets no exception's text out, and enrols old-era sessions for change notices."""

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
        return result

    return guarded
