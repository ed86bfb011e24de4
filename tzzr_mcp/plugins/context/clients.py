"""The client of the Context Manager while the server runs, and how it is asked whether it is well."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from tzzr_mcp.plugins.api import Opening, ServiceStatus
from tzzr_mcp.plugins.context.settings import ContextSettings
from tzzr_mcp.seams import Deadline
from tzzr_mcp.services.context import HEALTH, ContextManager
from tzzr_mcp.services.status import describe
from tzzr_mcp.services.upstream import reached


@asynccontextmanager
async def lifespan(opening: Opening[Any]) -> AsyncIterator[ContextManager]:
    """The client, open; closed with the server."""
    settings: ContextSettings = opening.settings
    async with reached("context", settings, settings.token, opening.seams, opening.transport) as upstream:
        yield ContextManager(upstream)


async def probe(clients: ContextManager, deadline: Deadline) -> ServiceStatus:
    """Its row of ``tzzr://servers/status``, from ``/health``."""
    upstream = clients.upstream
    return ServiceStatus(kind="HTTP", **describe("Context Manager", upstream, await upstream.look(HEALTH, deadline)))
