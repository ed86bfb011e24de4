"""How a client reaches the server.

Over HTTP on virtual time, with uvicorn's protocol behind the memory network; over stdio in a process of its own, in real
time.
"""

from __future__ import annotations

import asyncio
import ssl
import sys
import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

import httpcore2
import httpx2
from mcp import MCPError, types
from mcp.client.sse import sse_client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from uvicorn.server import ServerState

from tzzr_mocks.network.net import MemoryNetwork, protocol_of

Wire = Literal["memory", "http", "sse", "stdio"]
"""``memory``: the client's streams end in the server. ``http``: Streamable HTTP. ``sse``: HTTP+SSE. ``stdio``: a process
of its own, which reaches the fakes on ports."""
WIRES: tuple[Wire, ...] = ("memory", "http", "sse", "stdio")
IN_REAL_TIME: frozenset[Wire] = frozenset({"stdio"})
"""Where waiting takes as long as it says."""
UNTIMED: Mapping[str, str] = {
    "takes": "a process takes time of its own",
    "within": "the same",
    "progress": "how often a client is told depends on how long things take",
}
"""What of an expectation is not held in real time, each with the reason."""
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


class ProcessEnded(Exception):
    """The server's process ended although the client had not; the message is the last thing that it logged."""


@asynccontextmanager
async def process(environ: Mapping[str, str]) -> AsyncIterator[Any]:
    """The SDK's client transport to the server in a process of its own, with these environment variables.

    Raises:
        ProcessEnded: it has ended by itself.
    """
    started = StdioServerParameters(command=sys.executable, args=["-m", "tzzr_mcp"], env=dict(environ))
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as log:
        try:
            async with stdio_client(started, errlog=log) as streams:
                yield streams
        except (MCPError, BaseExceptionGroup) as error:
            told = only(error)
            if not isinstance(told, MCPError) or told.code != types.CONNECTION_CLOSED:
                raise
            log.seek(0)
            raise ProcessEnded(log.read().strip() or "the server ended and logged nothing") from error


def only(error: BaseException) -> BaseException:
    """The one exception that groups are around, or the group when there are several."""
    while isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]
    return error
