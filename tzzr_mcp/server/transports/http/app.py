"""The one ASGI application: Streamable HTTP, HTTP+SSE and what operators ask, behind the guards."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from tzzr_mcp.server.build import TzzrServer
from tzzr_mcp.server.transports.http import health
from tzzr_mcp.server.transports.http.auth import guarded, metadata_routes
from tzzr_mcp.server.transports.http.body import Messages
from tzzr_mcp.server.transports.http.hosts import HostGuard
from tzzr_mcp.server.transports.http.options import HttpOptions
from tzzr_mcp.server.transports.http.sse import SseSessions
from tzzr_mcp.server.transports.http.streamable import Streamable
from tzzr_mcp.server.transports.http.trimmed import TrimmedHeaders

Serve = Callable[[Scope, Receive, Send], Awaitable[None]]


class Endpoint:
    """A raw ASGI application as a route's endpoint; Starlette would take a function for a request handler."""

    def __init__(self, serve: Serve) -> None:
        self._serve = serve

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        await self._serve(scope, receive, send)


def http_app(server: TzzrServer, options: HttpOptions) -> Starlette:
    """The application. It enters ``server`` when it starts, and leaves it when it ends.

    ``state.sse`` holds the open SSE sessions, which whoever serves the application closes before it ends.
    """
    sse = SseSessions(server.mcp, limit=options.max_sessions, idle_s=options.idle_s)
    streamable = Streamable(server.mcp, options)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with server, streamable.running():
            yield

    def protected(serve: Serve) -> ASGIApp:
        return guarded(Messages(Endpoint(serve), options.max_body), options)

    routes = [*health.operations(server), *metadata_routes(options)]
    if "http" in options.wires:
        routes += _both("/mcp", protected(streamable.serve), ["GET", "POST", "DELETE"])
    if "sse" in options.wires:
        routes += _both("/sse", protected(sse.open), ["GET"])
        routes += _both("/messages", protected(sse.post), ["POST"])
    app = Starlette(routes=routes, middleware=_middleware(options), lifespan=lifespan)
    app.router.redirect_slashes = False
    app.state.sse = sse
    return app


def _both(path: str, app: ASGIApp, methods: Sequence[str]) -> list[Route]:
    """With and without a slash at the end: a redirect would lose the body at some clients."""
    return [Route(each, app, methods=list(methods)) for each in (path, f"{path}/")]


def _middleware(options: HttpOptions) -> list[Middleware]:
    chain = [Middleware(TrimmedHeaders), Middleware(HostGuard, options, health.PATHS)]
    if options.origins:
        cors = Middleware(
            CORSMiddleware,
            allow_origins=options.origins,
            allow_methods=["GET", "POST", "DELETE"],
            allow_headers=["*"],
            expose_headers=["Mcp-Session-Id", "WWW-Authenticate"],
        )
        chain.append(cors)
    return chain
