"""How a client reaches a server that speaks HTTP, on virtual time: uvicorn's protocol behind the memory network."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

import httpcore2
import httpx2
from mcp.client.sse import sse_client
from mcp.client.streamable_http import streamable_http_client
from uvicorn.server import ServerState

from tzzr_mocks.network.net import MemoryNetwork, protocol_of

Wire = Literal["memory", "http", "sse"]
"""``memory``: the client's streams end in the server. ``http``: Streamable HTTP. ``sse``: HTTP+SSE."""
WIRES: tuple[Wire, ...] = ("memory", "http", "sse")
HOST = "127.0.0.1"
PATIENCE_S = 30 * 86400.0
"""How long client and server keep a connection on which nothing happens: longer than any scenario lets time pass."""


class _Transport(httpx2.AsyncHTTPTransport):
    """httpx2's own transport, over a pool on the memory network."""

    def __init__(self, network: Any) -> None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        self._pool = httpcore2.AsyncConnectionPool(ssl_context=context, max_connections=5000, network_backend=network)


@dataclass
class Served:
    """An ASGI application behind the memory network."""

    app: Any
    state: ServerState = field(default_factory=ServerState)

    def reached(self, wire: Wire) -> AbstractAsyncContextManager[Any]:
        """The SDK's client transport over one of the HTTP wires."""
        if wire == "sse":
            return sse_client(f"http://{HOST}:8000/sse", httpx_client_factory=lambda *_, **__: self._http())
        return streamable_http_client(f"http://{HOST}:8000/mcp", http_client=self._http())

    def _http(self) -> httpx2.AsyncClient:
        network: Any = MemoryNetwork({HOST: protocol_of(self.app, self.state)})
        timeout = httpx2.Timeout(30, read=PATIENCE_S)
        return httpx2.AsyncClient(transport=_Transport(network), timeout=timeout)

    async def close(self) -> None:
        """Close every connection, and end what is still served."""
        for connection in list(self.state.connections):
            connection.shutdown()
        tasks = list(self.state.tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


@asynccontextmanager
async def served(app: Any) -> AsyncIterator[Served]:
    """A Starlette application, started, until the block ends."""
    reach = Served(app)
    async with app.router.lifespan_context(app):
        try:
            yield reach
        finally:
            await reach.close()
