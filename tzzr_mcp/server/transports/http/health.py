"""What operators ask: does the process live, can it serve, and how much does it do.

Everything here is open to whoever reaches the port, so it tells no address and no detail.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tzzr_mcp.plugins.api import Plugin, ServiceStatus
from tzzr_mcp.server.build import TzzrServer
from tzzr_mcp.server.metrics import Metrics

log = logging.getLogger(__name__)

FRESH_S = 5.0
"""Seconds for which an answer of ``/readyz`` stands: whoever asks more often does not make the services be asked."""


def operations(server: TzzrServer) -> list[Route]:
    """The operators' routes."""
    return [
        Route("/healthz", alive),
        Route("/readyz", Readiness(server).answer),
        Route("/metrics", Metrics(server).answer),
    ]


PATHS = frozenset({"/healthz", "/readyz", "/metrics"})
"""Paths that need no token and answer to any Host."""


async def alive(request: Request) -> Response:
    """The event loop turns."""
    return JSONResponse({"status": "alive"})


class Readiness:
    """Whether calls can be served: every plugin opens, and the server is not about to stop.

    A service that does not answer leaves the server ready: it tells users what is wrong, which no other replica
    could do better. It is shown all the same.
    """

    def __init__(self, server: TzzrServer) -> None:
        self._server = server
        self._clock = server.runtime.seams.clock
        self._until = float("-inf")
        self._told: Mapping[str, Any] = {}

    async def answer(self, request: Request) -> Response:
        """200 when ready, else 503; the body names plugins and services."""
        if self._clock.monotonic() >= self._until:
            self._told = await self._ask()
            self._until = self._clock.monotonic() + FRESH_S
        stopping = self._server.runtime.running.stopping
        told = {**self._told, "stopping": stopping, "ready": self._told["ready"] and not stopping}
        return JSONResponse(told, 200 if told["ready"] else 503)

    async def _ask(self) -> Mapping[str, Any]:
        runtime = self._server.runtime
        plugins = {plugin.name: await self._opens(plugin) for plugin in runtime.registry.plugins}
        rows = await runtime.view.services()
        services = {row.name: _shown(row) for row in rows}
        return {"ready": all(plugins.values()), "plugins": plugins, "services": services}

    async def _opens(self, plugin: Plugin) -> bool:
        try:
            await self._server.runtime.lifespans.clients(plugin)
        except Exception:
            log.exception("plugin %s does not open", plugin.name)
            return False
        return True


def _shown(row: ServiceStatus) -> dict[str, Any]:
    known = {"configured": row.configured, "reachable": row.reachable, "breaker": row.breaker}
    return {**known, "modules": dict(row.modules)} if row.modules else known
