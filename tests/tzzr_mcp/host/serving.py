"""A server with the plugin finance on a loopback port, over both transports, and a host to run against it.

The SDK's own transports stand behind it, so that what is tested here is the host alone.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import uvicorn
from mcp.server.sse import SseServerTransport
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
from starlette.applications import Starlette
from starlette.routing import Mount, Route
from starlette.types import Receive, Scope, Send

from tzzr_mcp.host.client import Era, target
from tzzr_mcp.host.host import Host
from tzzr_mcp.plugins.api import Plugin
from tzzr_mcp.plugins.finance import plugin as finance
from tzzr_mcp.seams import SystemClock
from tzzr_mcp.server import McpServer, build_server


class _Sse:
    """``GET /sse``; as an ASGI application, because a stream is no response of Starlette's."""

    def __init__(self, server: McpServer, transport: SseServerTransport) -> None:
        self._server, self._transport = server, transport

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async with self._transport.connect_sse(scope, receive, send) as (read, write):
            await self._server.run(read, write, self._server.create_initialization_options())


@dataclass
class Address:
    """Where the server is, and how to take it down."""

    url: str
    server: uvicorn.Server
    task: asyncio.Task[None]

    async def stop(self) -> None:
        """Close the port, and cut what is still open a second later."""
        self.server.should_exit = True
        await asyncio.wait({self.task})


def application(*plugins: Plugin) -> Starlette:
    """Both transports in one ASGI application."""
    built = build_server(plugins or (finance,), {})
    sse = SseServerTransport("/messages/")
    streamable = StreamableHTTPSessionManager(built.mcp)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with built, streamable.run():
            yield

    routes = [
        Route("/mcp", StreamableHTTPASGIApp(streamable)),
        Route("/sse", _Sse(built.mcp, sse)),
        Mount("/messages/", app=sse.handle_post_message),
    ]
    return Starlette(lifespan=lifespan, routes=routes)


@asynccontextmanager
async def serving(*plugins: Plugin) -> AsyncIterator[Address]:
    """The server, until the block ends."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        app = application(*plugins)
        config = uvicorn.Config(app, log_level="critical", ws="none", timeout_graceful_shutdown=1)
        server = uvicorn.Server(config)
        task = asyncio.create_task(server.serve(sockets=[listener]))
        while not server.started:
            await SystemClock().sleep(0.01)
        address = Address(f"http://127.0.0.1:{listener.getsockname()[1]}", server, task)
        yield address
        await address.stop()


@dataclass
class Keyboard:
    """A person who types ``answers`` and then leaves; ``lines`` are what the person read."""

    answers: Sequence[str] = ()
    lines: list[str] = field(default_factory=list)
    _typed: int = 0

    def say(self, line: str) -> None:
        self.lines.append(line)

    async def ask(self, prompt: str) -> str:
        self.lines.append(prompt)
        if self._typed == len(self.answers):
            raise EOFError
        self._typed += 1
        return self.answers[self._typed - 1]

    @property
    def read(self) -> str:
        return "\n".join(self.lines)


def host(url: str, keyboard: Keyboard, era: Era = "auto") -> Host:
    """A host of the server at ``url``."""
    return Host(target(url), keyboard.say, keyboard.ask, era)
