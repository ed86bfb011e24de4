"""What the tools of GRACE use while the server runs, and how the service is asked whether it is well."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from tzzr_mcp.plugins.api import Opening, ServiceStatus
from tzzr_mcp.plugins.grace.files import Files
from tzzr_mcp.plugins.grace.settings import GraceSettings
from tzzr_mcp.seams import Deadline, Seams
from tzzr_mcp.services.cache import MemoryStore, Store
from tzzr_mcp.services.grace import Grace
from tzzr_mcp.services.kept_answers import Keeping, KeptAnswers
from tzzr_mcp.services.runpod import RunPod
from tzzr_mcp.services.status import describe
from tzzr_mcp.services.upstream import reached


@dataclass(frozen=True)
class GraceClients:
    """The client of GRACE, and the folders that ``archivo`` may read. ``kept`` is there when answers are kept.

    ``stream`` says whether GRACE may be asked for a long text in parts.
    """

    grace: Grace
    files: Files
    kept: KeptAnswers | None = None
    stream: bool = True

    @property
    def asker(self) -> Grace | KeptAnswers:
        """Who is asked."""
        return self.kept or self.grace


@asynccontextmanager
async def lifespan(opening: Opening[Any]) -> AsyncIterator[GraceClients]:
    """The clients, open; closed with the server."""
    settings: GraceSettings = opening.settings
    async with reached("grace", settings, settings.api_key, opening.seams, opening.transport) as upstream:
        grace, store = Grace(RunPod(upstream, settings.endpoint_id)), _store(settings, opening.seams)
        keeping = Keeping(store, settings.cache_ttl_s, f"{upstream.door.base_url}/{settings.endpoint_id}")
        kept = KeptAnswers(grace, keeping, opening.seams) if settings.cache_ttl_s else None
        try:
            files = Files.of(settings.files_root, over_http=settings.files_over_http)
            yield GraceClients(grace, files, kept, settings.stream)
        finally:
            await store.aclose()


def _store(settings: GraceSettings, seams: Seams) -> Store:
    if settings.cache_url is None or not settings.cache_ttl_s:
        return MemoryStore(seams.clock, settings.cache_bytes)
    from tzzr_mcp.services.redis_store import RedisStore  # noqa: PLC0415 - an optional extra

    return RedisStore(settings.cache_url, seams)


async def probe(clients: GraceClients, deadline: Deadline) -> ServiceStatus:
    """GRACE's row of ``tzzr://servers/status``, from RunPod's ``/health``."""
    runpod = clients.grace.runpod
    row = describe("GRACE", runpod.upstream, await runpod.look(deadline))
    return ServiceStatus(kind="RunPod", modules=clients.grace.breakers.troubled(), **row)
