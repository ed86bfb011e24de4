"""The way over the wire: real httpcore and uvicorn's real protocol on the memory network, and wire faults on it."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from functools import cache

import httpcore
import httpx
from uvicorn.server import ServerState

from tzzr_mocks.control.asgi import ASGIApp
from tzzr_mocks.network.net import MemoryNetwork, protocol_of
from tzzr_mocks.network.script import Script


@dataclass(frozen=True)
class Fate:
    """What becomes of one request's connection, and the sentences of the faults that are to blame."""

    script: Script
    faults: tuple[str, ...] = ()


Oracle = Callable[[httpx.Request, bytes], Fate | None]
"""Tells the fate of a request by itself and its body; None: nothing happens to it."""


@cache
def _tls() -> ssl.SSLContext:
    """What the pools ask for and never use: nothing is encrypted in memory, and making one takes a millisecond."""
    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


class _PoolTransport(httpx.AsyncHTTPTransport):
    """httpx's own transport, over a pool on the memory network."""

    def __init__(self, network: MemoryNetwork, connections: int) -> None:
        self._pool = httpcore.AsyncConnectionPool(
            ssl_context=_tls(), max_connections=connections,
            max_keepalive_connections=20, keepalive_expiry=None, network_backend=network,
        )  # fmt: skip


class _LastReply(httpx.AsyncByteStream):
    """A reply's body; when it is closed, so is the connection that was made for it."""

    def __init__(self, stream: httpx.AsyncByteStream, transport: httpx.AsyncBaseTransport) -> None:
        self._stream, self._transport = stream, transport

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for chunk in self._stream:
            yield chunk

    async def aclose(self) -> None:
        """Close both."""
        await self._stream.aclose()
        await self._transport.aclose()


class WireTransport(httpx.AsyncBaseTransport):
    """An httpx transport to applications by host name.

    Requests share one pool. One that a fault strikes gets a connection of its own, as if no idle one had been at
    hand, so that a fault on the second call strikes the second call, whatever the pool holds.
    """

    def __init__(self, hosts: Mapping[str, ASGIApp], oracle: Oracle, connections: int = 100) -> None:
        self._servers = ServerState()
        self._protocols = {host: protocol_of(app, self._servers) for host, app in hosts.items()}
        self._oracle = oracle
        self._shared = _PoolTransport(MemoryNetwork(self._protocols), connections)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send one request.

        Raises:
            httpx.TransportError: as over a socket.
        """
        fate = self._oracle(request, await request.aread())
        if fate is None:
            return await self._shared.handle_async_request(request)
        network = MemoryNetwork(self._protocols, fate.script, fate.faults)
        transport = _PoolTransport(network, 0 if fate.script.pool else 1)
        try:
            response = await transport.handle_async_request(_addressed(request, fate.script))
        except BaseException:
            await transport.aclose()
            raise
        assert isinstance(response.stream, httpx.AsyncByteStream)  # noqa: S101 - httpx gives no other
        response.stream = _LastReply(response.stream, transport)
        return response

    async def aclose(self) -> None:
        """Close every connection, cancel what the applications still do, and wait until it has ended."""
        await self._shared.aclose()
        tasks = list(self._servers.tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _addressed(request: httpx.Request, script: Script) -> httpx.Request:
    """The request, over TLS when the script is about TLS."""
    if script.tls is None:
        return request
    url = request.url.copy_with(scheme="https")
    return httpx.Request(
        request.method, url, headers=request.headers, stream=request.stream, extensions=request.extensions
    )
