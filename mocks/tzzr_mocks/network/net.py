"""The memory network: where httpcore's connections end in uvicorn's HTTP protocol, in one process."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import httpcore
import uvicorn
from uvicorn.server import ServerState

from tzzr_mocks.control.asgi import ASGIApp, Receive, Scope, Send
from tzzr_mocks.control.middleware import BLAMED
from tzzr_mocks.network.causes import refuse, unknown_name
from tzzr_mocks.network.link import Link
from tzzr_mocks.network.script import Script
from tzzr_mocks.network.stream import Stream, silence

ProtocolFactory = Callable[[dict[str, Any]], Any]
"""Makes the protocol of one connection; its state is what the scopes of its requests begin with."""


def until_cancelled(app: ASGIApp) -> ASGIApp:
    """``app``, ending quietly when the world does: uvicorn would log the cancellation as a mistake of the application."""

    async def quiet(scope: Scope, receive: Receive, send: Send) -> None:
        with suppress(asyncio.CancelledError):
            await app(scope, receive, send)

    return quiet


def protocol_of(app: ASGIApp, state: ServerState) -> ProtocolFactory:
    """What makes a uvicorn protocol for one connection to an application; ``state`` holds its tasks."""
    config = uvicorn.Config(
        until_cancelled(app), http="httptools", ws="none", lifespan="off", access_log=False, log_config=None, proxy_headers=False,
        server_header=False, date_header=False,
    )  # fmt: skip
    config.load()

    def protocol(app_state: dict[str, Any]) -> Any:
        loop = asyncio.get_running_loop()
        kind: Any = config.http_protocol_class
        return kind(config=config, server_state=state, app_state=app_state, _loop=loop)

    return protocol


class MemoryNetwork(httpcore.AsyncNetworkBackend):
    """Hosts by name, each an application. Every connection made through it follows ``script``.

    ``faults`` are the sentences that its exchanges show in the journal.
    """

    def __init__(
        self, protocols: Mapping[str, ProtocolFactory], script: Script | None = None, faults: Sequence[str] = ()
    ) -> None:
        self._protocols = {host: partial(protocol, {BLAMED: tuple(faults)}) for host, protocol in protocols.items()}
        self._script = script or Script()
        self._made = 0

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Connect to a host.

        Raises:
            httpcore.ConnectError: nobody has this name, or nobody listens.
            httpcore.ConnectTimeout: nobody answered in time.
        """
        if self._script.connect == "dns" or host not in self._protocols:
            unknown_name()
        if self._script.connect == "refused":
            refuse(host, port)
        if self._script.connect == "hang":
            await silence(timeout)
        self._made += 1
        peer = ("127.0.0.1", 40000 + self._made)
        return Stream(Link(self._protocols[host], self._script, peer, (host, port)), self._script)

    async def connect_unix_socket(self, *arguments: Any, **options: Any) -> httpcore.AsyncNetworkStream:
        """Not offered.

        Raises:
            httpcore.ConnectError: always.
        """
        raise httpcore.ConnectError("the memory network has no Unix sockets")
