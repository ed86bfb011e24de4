"""What the tools of GRACE use while the server runs, and how the service is asked whether it is well."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from tzzr_mcp.plugins.api import Opening, ServiceStatus
from tzzr_mcp.plugins.grace.files import Files
from tzzr_mcp.plugins.grace.settings import GraceSettings
from tzzr_mcp.seams import Deadline
from tzzr_mcp.services.grace import Grace
from tzzr_mcp.services.http import Door
from tzzr_mcp.services.runpod import RunPod
from tzzr_mcp.services.status import describe
from tzzr_mcp.services.upstream import Upstream


@dataclass(frozen=True)
class GraceClients:
    """The client of GRACE, and the folders that ``archivo`` may read."""

    grace: Grace
    files: Files


@asynccontextmanager
async def lifespan(opening: Opening[Any]) -> AsyncIterator[GraceClients]:
    """The clients, open; closed with the server."""
    settings: GraceSettings = opening.settings
    door = Door(
        "grace",
        settings.base_url,
        opening.seams,
        token=settings.api_key,
        timeout_s=settings.request_timeout_s,
        transport=opening.transport,
    )
    runpod = RunPod(Upstream(door, opening.seams, settings.max_calls), settings.endpoint_id)
    try:
        yield GraceClients(Grace(runpod), Files.of(settings.files_root, over_http=settings.files_over_http))
    finally:
        await door.aclose()


async def probe(clients: GraceClients, deadline: Deadline) -> ServiceStatus:
    """GRACE's row of ``tzzr://servers/status``, from RunPod's ``/health``."""
    runpod = clients.grace.runpod
    row = describe("GRACE", runpod.upstream, await runpod.look(deadline))
    return ServiceStatus(kind="RunPod", modules=clients.grace.breakers.troubled(), **row)
