"""The plugin conformance on the SDK's own Streamable HTTP manager, served by uvicorn: ``python -m … PORT``."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import uvicorn
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.routing import Route

from tzzr_mcp.server import build_server, discover


def app() -> Starlette:
    """The ASGI application."""
    server = build_server(discover("conformance"), {})
    hosts = ["127.0.0.1:*", "localhost:*"]
    security = TransportSecuritySettings(allowed_hosts=hosts, allowed_origins=[f"http://{host}" for host in hosts])
    sessions = StreamableHTTPSessionManager(server.mcp, security_settings=security)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with server, sessions.run():
            yield

    return Starlette(lifespan=lifespan, routes=[Route("/mcp", StreamableHTTPASGIApp(sessions))])


if __name__ == "__main__":
    uvicorn.run(app(), host="127.0.0.1", port=int(sys.argv[1]), log_level="warning")
