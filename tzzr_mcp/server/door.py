"""The core's side of the low-level door (`tzzr_mcp.plugins.lowlevel`)."""

from __future__ import annotations

from typing import Any

from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity

from tzzr_mcp.plugins.api import Ref
from tzzr_mcp.plugins.lowlevel import Answer, Params, RawRequest, is_raw
from tzzr_mcp.seams import Dice
from tzzr_mcp.server.refs import resolve
from tzzr_mcp.server.registry import Registry
from tzzr_mcp.server.runtime import Visit


async def answered(visit: Visit, answer: Ref[Answer], params: Params) -> Any:
    """What ``answer`` returns, under the limits of every request.

    Raises:
        MCPError: as the answer raised it.
    """
    runtime = visit.runtime
    request = RawRequest(visit.ctx, params, runtime.seams.clock, runtime.changes.catalogue_changed)
    return await runtime.running.within(visit.deadline(), lambda: resolve(answer)(request))


def sealing(registry: Registry, dice: Dice, audience: str) -> list[RequestStateBoundary]:
    """The middleware that seals what an ``InputRequiredResult`` gives the client to keep; only where anybody may."""
    catalogues = (registry.tools, registry.resources, registry.prompts)
    if not any(is_raw(owned.item) for catalogue in catalogues for owned in catalogue.values()):
        return []
    key = dice.named("request state").hex(64)
    return [RequestStateBoundary(RequestStateSecurity(keys=[key]), default_audience=audience)]
