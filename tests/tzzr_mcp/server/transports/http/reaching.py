"""The HTTP application behind uvicorn's protocol on the memory network, and clients that reach it: on virtual time."""

from __future__ import annotations

import asyncio
import json
import ssl
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

import httpcore2
import httpx2
import uvicorn
from mcp import Client
from mcp.client.sse import sse_client
from mcp.client.streamable_http import streamable_http_client
from starlette.applications import Starlette
from uvicorn.server import ServerState

from tests.tzzr_mcp.server.tiny import Era, a_server, a_tool, echo, wait
from tzzr_mcp.plugins.api import Tool
from tzzr_mcp.server import TzzrServer
from tzzr_mcp.server.transports.http import HttpOptions, http_app
from tzzr_mcp.server.transports.http.slow import PatientProtocol
from tzzr_mocks.network.link import Link
from tzzr_mocks.network.net import MemoryNetwork, until_cancelled
from tzzr_mocks.network.script import Script
from tzzr_mocks.network.stream import Stream

Wire = Literal["http", "sse"]
WIRES: tuple[Wire, Wire] = ("http", "sse")
HOST = "127.0.0.1"
JSON = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}


def request(identity: Any, method: str, **params: Any) -> dict[str, Any]:
    """A request, or a notification where ``identity`` is None."""
    message = {"jsonrpc": "2.0", "method": method, "params": params}
    return message if identity is None else {**message, "id": identity}


class _Transport(httpx2.AsyncHTTPTransport):
    """httpx2's own transport, over a pool on the memory network."""

    def __init__(self, network: Any) -> None:
        self._pool = httpcore2.AsyncConnectionPool(
            ssl_context=ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT), max_connections=5000, network_backend=network
        )


@dataclass
class Reach:
    """A served application, and the ways to it."""

    app: Starlette
    server: TzzrServer
    state: ServerState = field(default_factory=ServerState)
    root_path: str = ""
    """Under which a proxy serves it."""

    def http(self, headers: Mapping[str, str] | None = None) -> httpx2.AsyncClient:
        """An HTTP client with connections of its own."""
        network: Any = MemoryNetwork(dict.fromkeys((HOST, "localhost", "evil.example"), self.protocol))
        timeout = httpx2.Timeout(30, read=600)
        return httpx2.AsyncClient(
            transport=_Transport(network), base_url=f"http://{HOST}:8000", headers=headers, timeout=timeout
        )

    def client(self, wire: Wire, era: Era, headers: Mapping[str, str] | None = None) -> Client:
        """A client of the SDK."""
        return Client(self._target(wire, headers), mode=era, cache=None)

    def _target(self, wire: Wire, headers: Mapping[str, str] | None) -> AbstractAsyncContextManager[Any]:
        if wire == "http":
            return streamable_http_client(f"http://{HOST}:8000/mcp", http_client=self.http(headers))

        def factory(*_: Any, **__: Any) -> httpx2.AsyncClient:
            return self.http(headers)

        return sse_client(f"http://{HOST}:8000/sse", httpx_client_factory=factory)

    def connection(self) -> Stream:
        """A bare connection: bytes, as a client without manners sends them."""
        return Stream(Link(self.protocol, Script(), (HOST, 40000), (HOST, 8000)), Script())

    def protocol(self, app_state: dict[str, Any] | None = None) -> PatientProtocol:
        """What meets one connection; ``app_state`` is what the scopes of its requests begin with."""
        config = uvicorn.Config(
            until_cancelled(self.app), ws="none", lifespan="off", log_config=None, root_path=self.root_path
        )
        config.load()
        loop = asyncio.get_running_loop()
        return PatientProtocol(config=config, server_state=self.state, app_state=app_state or {}, _loop=loop)

    async def close(self) -> None:
        """Close every connection, and end what is still served."""
        for connection in list(self.state.connections):
            connection.shutdown()
        tasks = list(self.state.tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    @property
    def sessions(self) -> int:
        """SSE sessions that are open."""
        return len(self.app.state.sse)


@asynccontextmanager
async def served(*tools: Tool, options: HttpOptions | None = None, **more: Any) -> AsyncIterator[Reach]:
    """The application of a server of these tools (echo and wait when there are none), until the block ends."""
    server = a_server(*(tools or (a_tool(echo), a_tool(wait, name="wait"))), **more)
    app = http_app(server, options or HttpOptions())
    reach = Reach(app, server)
    async with app.router.lifespan_context(app):
        yield reach
        await reach.close()


@dataclass
class Session:
    """An open HTTP+SSE session, seen by a client that reads events by hand."""

    http: httpx2.AsyncClient
    events: AsyncIterator[tuple[str, str]]
    endpoint: str = ""

    async def post(self, message: Any, **options: Any) -> httpx2.Response:
        """Send a message."""
        content = message if isinstance(message, bytes) else json.dumps(message).encode()
        return await self.http.post(self.endpoint, content=content, headers=JSON, **options)

    async def answer(self) -> Any:
        """The next message."""
        name, text = await anext(self.events)
        assert name == "message"
        return json.loads(text)

    async def ask(self, message: Any) -> Any:
        """Send a request; its answer, or the error that the POST was refused with."""
        response = await self.post(message)
        return await self.answer() if response.status_code == 202 else response.json()


@asynccontextmanager
async def opened(reach: Reach, headers: Mapping[str, str] | None = None) -> AsyncIterator[Session]:
    """A session after its first event."""
    async with reach.http(headers) as http, http.stream("GET", "/sse") as stream:
        session = Session(http, _events(stream))
        name, session.endpoint = await anext(session.events)
        assert name == "endpoint"
        yield session


@asynccontextmanager
async def greeted(reach: Reach, headers: Mapping[str, str] | None = None) -> AsyncIterator[Session]:
    """A session after its handshake."""
    async with opened(reach, headers) as session:
        await session.ask(request(1, "initialize", **HELLO))
        await session.post(request(None, "notifications/initialized"))
        yield session


async def _events(stream: httpx2.Response) -> AsyncIterator[tuple[str, str]]:
    name = ""
    async for line in stream.aiter_lines():
        kind, _, text = line.partition(": ")
        if kind == "event":
            name = text
        elif kind == "data":
            yield name, text
