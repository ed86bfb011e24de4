"""Ways to an MCP server: in process, as a command over stdio, over Streamable HTTP, over HTTP+SSE.

A way is a function that opens one connection, for a handler that hears what the server says unasked.
"""

from __future__ import annotations

import shlex
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, Literal
from urllib.parse import urlsplit

import httpx2
from mcp import Client, StdioServerParameters
from mcp import types as t
from mcp.client.session import MessageHandlerFnT
from mcp.client.sse import sse_client
from mcp.client.streamable_http import streamable_http_client
from mcp.server import Server

from tzzr_mcp import __version__
from tzzr_mcp.checks.environment import GATEWAY
from tzzr_mcp.gateway.settings import STDIO, GatewaySettings

Connect = Callable[[MessageHandlerFnT], AbstractAsyncContextManager[Client]]
"""Opens a connection; to be closed by the task that opened it."""
Mode = Literal["auto", "legacy"]

TIMEOUT = httpx2.Timeout(10.0, read=None)
"""Seconds to connect. How long a call may take is the turn's to say, and a stream of notices may be silent for hours."""
SILENT_S = 86400.0
"""Seconds that an HTTP+SSE server may be silent: ours sends a comment every 15 s, others nothing until they are asked."""


def in_process(server: Server[Any], mode: Mode = "auto") -> Connect:
    """To a server object of this process."""
    return lambda handler: _talking(server, handler, mode)


def stdio(command: str, environ: Mapping[str, str]) -> Connect:
    """To a server that is started with ``command`` and ends with the connection.

    It sees the environment without the gateway's own variables: server and model never meet.
    """
    words = shlex.split(command)
    seen = {name: value for name, value in environ.items() if not name.startswith(GATEWAY)}
    parameters = StdioServerParameters(command=words[0], args=words[1:], env=seen)
    return lambda handler: _talking(parameters, handler, "auto")


def over_http(url: str, token: str | None = None) -> Connect:
    """To a server on the network: over HTTP+SSE where the path ends with ``/sse``, otherwise over Streamable HTTP."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    if urlsplit(url).path.rstrip("/").endswith("/sse"):
        # HTTP+SSE belongs to the older protocol era.
        return lambda handler: _talking(sse_client(url, headers=headers, sse_read_timeout=SILENT_S), handler, "legacy")
    return lambda handler: _streamable(url, headers, handler)


def from_settings(settings: GatewaySettings, environ: Mapping[str, str]) -> Connect:
    """To the server that ``settings`` name."""
    if settings.server.startswith(STDIO):
        return stdio(settings.server.removeprefix(STDIO), environ)
    return over_http(settings.server, settings.server_token.get_secret_value() if settings.server_token else None)


@asynccontextmanager
async def _streamable(url: str, headers: Mapping[str, str], handler: MessageHandlerFnT) -> AsyncIterator[Client]:
    async with (
        httpx2.AsyncClient(headers=dict(headers), timeout=TIMEOUT) as http,
        _talking(streamable_http_client(url, http_client=http), handler, "auto") as client,
    ):
        yield client


def _talking(target: Any, handler: MessageHandlerFnT, mode: Mode) -> Client:
    """The SDK's client. Its cache is off: it reads the wall clock, and ours is the catalogue."""
    info = t.Implementation(name="tzzr-gateway", title="TZZR", version=__version__)
    return Client(target, mode=mode, cache=None, message_handler=handler, client_info=info)
