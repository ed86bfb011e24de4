"""The application on a port, until a signal comes."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
from collections.abc import Iterator
from typing import Any

import uvicorn

from tzzr_mcp.seams.connections import IDLE_CONNECTION_S
from tzzr_mcp.server.build import TzzrServer
from tzzr_mcp.server.transports.http.app import http_app
from tzzr_mcp.server.transports.http.options import HttpOptions
from tzzr_mcp.server.transports.http.slow import PatientProtocol
from tzzr_mcp.server.transports.signals import SIGNAL_PATIENCE_S
from tzzr_mcp.settings import StartError

log = logging.getLogger(__name__)

CUT_S = 1
"""Seconds that streams have to end by themselves once every call is over; uvicorn wants whole ones."""
BACKLOG = 2048
SILENT_MS = 60_000
"""A peer that acknowledges nothing for so long is gone, although it never said so."""


class Uvicorn(uvicorn.Server):
    """uvicorn's server without its signal handlers: ours let the calls in flight finish first."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Capture none."""
        yield


def listen(options: HttpOptions) -> socket.socket:
    """A listening socket at the options' address.

    Raises:
        StartError: it is taken, or is none of this machine's.
    """
    try:
        return _bound(options)
    except OSError as error:
        raise StartError(_CANNOT.format(host=options.host, port=options.port, why=error.strerror or error)) from error


def _bound(options: HttpOptions) -> socket.socket:
    family, kind, protocol, _, address = socket.getaddrinfo(options.host, options.port, type=socket.SOCK_STREAM)[0]
    with contextlib.ExitStack() as opened:
        listener = opened.enter_context(socket.socket(family, kind, protocol))
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, SILENT_MS)
        listener.bind(address)
        listener.listen(BACKLOG)
        opened.pop_all()
    return listener


def raise_file_limit() -> None:
    """Let the process have as many connections as the system lets it: shells often grant 1,024."""
    try:
        import resource  # noqa: PLC0415 - not on Windows
    except ImportError:
        return
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


async def serve_http(
    server: TzzrServer, options: HttpOptions, listener: socket.socket, signalled: asyncio.Future[int]
) -> int:
    """Serve on ``listener`` until ``signalled`` holds a signal's number; the exit code, 128 plus that number.

    After the signal nothing more is admitted, calls in flight may finish for `SIGNAL_PATIENCE_S`, then streams end.
    """
    app = http_app(server, options)
    config = uvicorn.Config(
        app,
        http=PatientProtocol,
        ws="none",
        lifespan="on",
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_keep_alive=IDLE_CONNECTION_S,
        timeout_graceful_shutdown=CUT_S,
    )
    web = Uvicorn(config)
    serving = asyncio.create_task(web.serve(sockets=[listener]), name="http")
    ends: list[asyncio.Future[Any]] = [serving, signalled]
    await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
    await server.stop(SIGNAL_PATIENCE_S)
    app.state.sse.close()
    web.should_exit = True
    await serving
    return 128 + signalled.result() if signalled.done() else 1


_CANNOT = """\
cannot listen on {host} port {port}: {why}
  Choose another port (--port, TZZR_HTTP_PORT; 0 takes a free one) or address (--host, TZZR_HTTP_HOST)."""
