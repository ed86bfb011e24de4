"""The client of HST while the server runs, and how the service is asked whether it is well."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from tzzr_mcp.plugins.api import Opening, ServiceStatus
from tzzr_mcp.plugins.hst.settings import HstSettings
from tzzr_mcp.seams import Deadline
from tzzr_mcp.services.directus import PING, Directus
from tzzr_mcp.services.hst import Hst
from tzzr_mcp.services.status import describe
from tzzr_mcp.services.upstream import reached


@asynccontextmanager
async def lifespan(opening: Opening[Any]) -> AsyncIterator[Hst]:
    """The client, open; closed with the server."""
    settings: HstSettings = opening.settings
    async with reached("hst", settings, settings.token, opening.seams, opening.transport) as upstream:
        yield Hst(Directus(upstream), settings.ttl_s)


async def probe(clients: Hst, deadline: Deadline) -> ServiceStatus:
    """HST's row of ``tzzr://servers/status``, from ``/server/ping``."""
    upstream = clients.directus.upstream
    return ServiceStatus(kind="Directus", **describe("HST", upstream, await upstream.look(PING, deadline)))
