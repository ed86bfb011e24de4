"""One port on which one application is served, by uvicorn's protocol on the running loop."""

from __future__ import annotations

import asyncio
import os
from typing import Any

import uvicorn
from uvicorn.server import ServerState

from tzzr_mcp.seams.connections import IDLE_CONNECTION_S
from tzzr_mocks.control.asgi import ASGIApp
from tzzr_mocks.network.net import until_cancelled
from tzzr_mocks.served.connection import PlannedProtocol


class CannotListen(OSError):
    """The address cannot be listened on; the message says which, why, and what may be given instead."""

    def __init__(self, host: str, number: int, error: OSError | OverflowError) -> None:
        why = "ports go from 0 to 65535" if isinstance(error, OverflowError) else _why(error)
        super().__init__(f"cannot listen on {host} port {number}: {why}; name another port, or 0 for any free one")


def _why(error: OSError) -> str:
    return os.strerror(error.errno).lower() if error.errno and error.errno > 0 else str(error.strerror or error)


class Port:
    """Opens, serves and closes; takes no signals and polls nothing, so that it can live in any program."""

    def __init__(self, app: ASGIApp, host: str = "127.0.0.1", number: int = 0) -> None:
        self._host, self._number = host, number
        self._config = uvicorn.Config(
            until_cancelled(app), http=PlannedProtocol, ws="none", lifespan="off", access_log=False, log_config=None,
            proxy_headers=False, server_header=False, date_header=False, timeout_keep_alive=IDLE_CONNECTION_S,
        )  # fmt: skip
        self._config.load()
        self._state = ServerState()
        self._server: asyncio.Server | None = None

    async def open(self) -> str:
        """Listen; returns the origin, ``http://host:port``.

        Raises:
            CannotListen: the port is taken or may not be used, or the address is none of this machine's.
        """
        loop = asyncio.get_running_loop()
        try:
            self._server = await loop.create_server(self._protocol, self._host, self._number, backlog=2048)
        except (OSError, OverflowError) as error:
            raise CannotListen(self._host, self._number, error) from error
        self._number = self._server.sockets[0].getsockname()[1]
        host = f"[{self._host}]" if ":" in self._host else self._host
        return f"http://{host}:{self._number}"

    def _protocol(self) -> Any:
        loop = asyncio.get_running_loop()
        return PlannedProtocol(config=self._config, server_state=self._state, app_state={}, _loop=loop)

    async def close(self) -> None:
        """Stop listening, close every connection, cancel what is still served, and wait until it has ended."""
        if self._server is None:
            return
        self._server.close()
        for connection in list(self._state.connections):
            connection.shutdown()
        tasks = list(self._state.tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for connection in list(self._state.connections):
            connection.transport.abort()
        await self._server.wait_closed()
        self._server = None
