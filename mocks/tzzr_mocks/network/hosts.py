"""Names instead of addresses: which host is which fake, and what a client sees of a host that nobody knows."""

from __future__ import annotations

import socket
from collections.abc import Mapping

import httpx

_UNKNOWN = "[Errno -2] Name or service not known"


class HostsTransport(httpx.AsyncBaseTransport):
    """An httpx transport that hands each request to the transport of its host."""

    def __init__(self, hosts: Mapping[str, httpx.AsyncBaseTransport]) -> None:
        self._hosts = dict(hosts)

    def add(self, host: str, transport: httpx.AsyncBaseTransport) -> None:
        """Let ``host`` be reached too."""
        self._hosts[host] = transport

    async def replace(self, host: str, transport: httpx.AsyncBaseTransport) -> None:
        """Let ``host`` be reached by another transport; the one of before is closed."""
        old, self._hosts[host] = self._hosts[host], transport
        await old.aclose()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send one request to the fake of its host.

        Raises:
            httpx.ConnectError: no fake has this host's name; the message is what a resolver would give.
        """
        transport = self._hosts.get(request.url.host)
        if transport is None:
            raise httpx.ConnectError(_UNKNOWN, request=request) from socket.gaierror(-2, "Name or service not known")
        return await transport.handle_async_request(request)

    async def aclose(self) -> None:
        """Close every transport."""
        for transport in self._hosts.values():
            await transport.aclose()
