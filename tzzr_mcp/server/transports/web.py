"""Serving over HTTP, in this process or in several, and over stdio beside it."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext

from tzzr_mcp.server.build import TzzrServer
from tzzr_mcp.server.transports.how import How
from tzzr_mcp.server.transports.http.options import HttpOptions, http_options
from tzzr_mcp.server.transports.http.serve import listen, raise_file_limit, serve_http
from tzzr_mcp.server.transports.lines import claimed_stdio
from tzzr_mcp.server.transports.signals import signals
from tzzr_mcp.server.transports.stdio import Wire
from tzzr_mcp.server.transports.workers import supervise
from tzzr_mcp.settings import StartError

log = logging.getLogger(__name__)

_PATHS = {"http": "Streamable HTTP at /mcp", "sse": "HTTP+SSE at /sse"}


def serve(server: TzzrServer, how: How, environ: Mapping[str, str]) -> int:
    """Serve over the transports that the settings name, until a signal comes; the exit code.

    ``environ`` is what ``server`` was built from; workers build theirs from it.

    Raises:
        StartError: see `http_options` and `listen`.
    """
    options = http_options(server.settings.core, open_to_all=how.open_to_all, workers=how.workers)
    stdio = "stdio" in server.settings.core.transports()
    if stdio and how.workers > 1:
        raise StartError(f"--workers {how.workers} cannot serve stdio: it belongs to one process; leave stdio out.")
    if how.workers > 1 and not hasattr(os, "fork"):
        raise StartError(f"--workers {how.workers} needs descriptors that processes inherit; this system has none.")
    raise_file_limit()
    with _listener(options, how) as listener:
        if how.worker_socket is None:
            _tell(options, listener)
        if how.workers > 1 and how.worker_socket is None:
            return asyncio.run(supervise(listener, how, environ))
        claimed: AbstractContextManager[tuple[int, int] | None] = claimed_stdio() if stdio else nullcontext()
        with claimed as descriptors:
            return asyncio.run(_serve(server, options, listener, descriptors))


async def _serve(
    server: TzzrServer, options: HttpOptions, listener: socket.socket, stdio: tuple[int, int] | None
) -> int:
    with signals() as signalled:
        beside = None if stdio is None else asyncio.create_task(Wire(*stdio).serve(server, signalled), name="stdio")
        code = await serve_http(server, options, listener, signalled)
        if beside is not None:
            beside.cancel()
            await asyncio.wait([beside])
        return code


def _listener(options: HttpOptions, how: How) -> socket.socket:
    return listen(options) if how.worker_socket is None else socket.socket(fileno=how.worker_socket)


def _tell(options: HttpOptions, listener: socket.socket) -> None:
    host, port = listener.getsockname()[:2]
    origin = f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
    log.info("listening on %s: %s", origin, ", ".join(_PATHS[wire] for wire in sorted(options.wires)))
    if not (options.guarded or options.local):
        log.warning("whoever reaches %s may use it: no token is set (TZZR_HTTP_TOKEN)", origin)
