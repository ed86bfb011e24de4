"""The whole gateway on a port: model, connection, API and page."""

from __future__ import annotations

import logging
import re
import socket
from collections.abc import Mapping

import uvicorn

from tzzr_mcp.checks.environment import StartError
from tzzr_mcp.gateway import connect
from tzzr_mcp.gateway.api import Access, access_of, create_app
from tzzr_mcp.gateway.gateway import Gateway
from tzzr_mcp.gateway.models import adapter
from tzzr_mcp.gateway.page import mount_page
from tzzr_mcp.gateway.settings import GatewaySettings
from tzzr_mcp.seams import Seams
from tzzr_mcp.seams.connections import IDLE_CONNECTION_S

log = logging.getLogger(__name__)

CUT_S = 5
"""Seconds that answers under way have to end by themselves after a signal."""


async def serve(settings: GatewaySettings, environ: Mapping[str, str]) -> None:
    """Serve until a signal comes.

    Raises:
        StartError: the address is taken or not ours, or strangers could come in.
        ImportError: the model's official client is not installed.
    """
    access, seams = access_of(settings), Seams()
    with _listener(settings) as listener:
        await _serve(listener, access, seams, settings, environ)


async def _serve(
    listener: socket.socket, access: Access, seams: Seams, settings: GatewaySettings, environ: Mapping[str, str]
) -> None:
    async with adapter.opened(settings, seams) as model:
        gateway = Gateway(settings.limits, connect.from_settings(settings, environ), model, seams)
        app = create_app(gateway, access)
        mount_page(app)
        host, port = listener.getsockname()[:2]
        log.info(
            "serving http://%s:%d/ with the model %s and the server %s",
            host,
            port,
            settings.model_name,
            re.sub("//[^/@]*@", "//", settings.server),
        )
        config = uvicorn.Config(
            app, log_config=None, log_level="warning", server_header=False, ws="none",
            timeout_keep_alive=IDLE_CONNECTION_S, timeout_graceful_shutdown=CUT_S,
        )  # fmt: skip
        await _Uvicorn(config, gateway).serve(sockets=[listener])


class _Uvicorn(uvicorn.Server):
    """uvicorn's server, which has the gateway stop first: readers of its streams are told why they end."""

    def __init__(self, config: uvicorn.Config, gateway: Gateway) -> None:
        super().__init__(config)
        self._gateway = gateway

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Let answers under way finish for a while, then end the others and the server."""
        await self._gateway.stop(CUT_S)
        await super().shutdown(sockets)


def _listener(settings: GatewaySettings) -> socket.socket:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            settings.host, settings.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
    except OSError as error:
        raise _unfit(settings, error) from error
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
    except OSError as error:
        listener.close()
        raise _unfit(settings, error) from error
    return listener


def _unfit(settings: GatewaySettings, error: OSError) -> StartError:
    why = error.strerror or error
    return StartError(_CANNOT.format(host=settings.host, port=settings.port, why=why))


_CANNOT = """\
cannot listen on {host} port {port}: {why}
  Choose another port (TZZR_GATEWAY_PORT; 0 takes a free one) or address (TZZR_GATEWAY_HOST)."""
