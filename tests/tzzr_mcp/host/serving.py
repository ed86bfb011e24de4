"""A server with the plugin finance on a loopback port, over both transports, and a host to run against it."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import uvicorn

from tzzr_mcp.host.client import Era, target
from tzzr_mcp.host.host import Host
from tzzr_mcp.plugins.api import Plugin
from tzzr_mcp.plugins.finance import plugin as finance
from tzzr_mcp.seams import SystemClock
from tzzr_mcp.server import build_server
from tzzr_mcp.server.transports.http.app import http_app
from tzzr_mcp.server.transports.http.options import HttpOptions


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


@asynccontextmanager
async def serving(*plugins: Plugin, options: HttpOptions | None = None) -> AsyncIterator[Address]:
    """The server, until the block ends."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        app = http_app(build_server(plugins or (finance,), {}), options or HttpOptions())
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


def host(url: str, keyboard: Keyboard, era: Era = "auto", token: str | None = None) -> Host:
    """A host of the server at ``url``."""
    return Host(target(url, token=token), keyboard.say, keyboard.ask, era)
