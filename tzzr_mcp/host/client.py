"""Layer 2, the MCP client: one connection to one server, over HTTP+SSE or Streamable HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Literal, get_args
from urllib.parse import urlsplit

import httpx2
from mcp import Client, MCPError
from mcp import types as t
from mcp.client.sse import sse_client
from mcp.client.streamable_http import streamable_http_client

from tzzr_mcp.host.errors import HostError, Lost, Unreachable, reason
from tzzr_mcp.host.shown import printable

Wire = Literal["sse", "http"]
Era = Literal["auto", "2025-11-25", "2026-07-28"]
ERAS: tuple[Era, ...] = get_args(Era)

CONNECT_S = 10.0
HANDSHAKE_S = 20.0
"""Seconds until the handshake must be over, whatever the server does or leaves undone."""

CALL_S = 60.0
"""Seconds that one request may take; the server's own limit is below it."""

_NAMES: Mapping[Wire, str] = {"sse": "HTTP+SSE", "http": "Streamable HTTP"}


@dataclass(frozen=True)
class Target:
    """Where a server is, which transport leads to it, and what proves who asks."""

    url: str
    wire: Wire
    token: str | None = field(default=None, repr=False)

    def __str__(self) -> str:
        return f"{self.url} ({_NAMES[self.wire]})"

    @property
    def headers(self) -> dict[str, str]:
        """What every request carries."""
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}


def target(url: str, wire: Wire | None = None, token: str | None = None) -> Target:
    """Where ``url`` leads. Without a path it is ``/sse``; without ``wire``, a path that ends with /sse is HTTP+SSE.

    Raises:
        HostError: it is no URL of a server; the message proposes one.
    """
    parts = urlsplit(url.strip())
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        guess = f"http://{url.strip().split('//')[-1] or 'localhost:3001/sse'}"
        raise HostError(f"{url!r} is no http or https URL; did you mean {guess}?")
    if parts.path in {"", "/"}:
        parts = parts._replace(path="/mcp" if wire == "http" else "/sse")
    guessed: Wire = "sse" if parts.path.rstrip("/").endswith("/sse") else "http"
    return Target(parts.geturl(), wire or guessed, token)


@dataclass(frozen=True)
class Connection:
    """An open connection, after the handshake."""

    client: Client

    @property
    def protocol(self) -> str:
        """The negotiated protocol version, a date."""
        return self.client.protocol_version

    @property
    def server(self) -> t.Implementation | None:
        """Who the server says it is."""
        return self.client.server_info

    @property
    def instructions(self) -> str | None:
        """What the server tells every client."""
        return self.client.instructions

    def check(self, era: Era) -> None:
        """Refuse a server that does not speak the protocol asked for.

        Raises:
            Unreachable: it speaks another one.
        """
        if era not in {"auto", self.protocol}:
            raise Unreachable(f"the server speaks protocol {self.protocol}, not {era}; leave --era out to take it")

    def capabilities(self) -> dict[str, list[str]]:
        """What the server can do: each capability, and its options that are on."""
        told = self.client.server_capabilities.model_dump(by_alias=True, exclude_none=True)
        return {name: [key for key, on in (value or {}).items() if on is True] for name, value in told.items()}

    async def tools(self) -> Sequence[t.Tool]:
        """The whole catalogue, page by page.

        Raises:
            Lost: the server went away.
        """
        found: list[t.Tool] = []
        cursor: str | None = None
        while True:
            page = await self._asked("tools/list", self.client.list_tools(cursor=cursor))
            found += page.tools
            cursor = page.next_cursor
            if cursor is None:
                return found

    async def call(self, name: str, arguments: Mapping[str, Any]) -> t.CallToolResult:
        """One tool's result, which may be an error that the tool reports.

        Raises:
            Lost: the server went away.
            HostError: the server refused the call as such.
        """
        result: t.CallToolResult = await self._asked("tools/call", self.client.call_tool(name, dict(arguments)))
        return result

    async def _asked(self, method: str, answer: Any) -> Any:
        try:
            return await answer
        except MCPError as error:
            if error.error.code == t.CONNECTION_CLOSED:
                raise Lost(f"the server went away during {method}") from error
            if error.error.code == t.REQUEST_TIMEOUT:
                raise Lost(f"the server did not answer {method} within {CALL_S:g} s") from error
            refused = f"{method} was refused: {error.error.message} (JSON-RPC error {error.error.code})"
            raise HostError(printable(refused)) from error


@asynccontextmanager
async def connected(where: Target, era: Era = "auto") -> AsyncIterator[Connection]:
    """Connect, shake hands, and at the end of the block say goodbye.

    ``era`` "auto" asks for the newest protocol that both know. HTTP+SSE belongs to the older era, so there it means
    the ``initialize`` handshake.

    Raises:
        Unreachable: there is no MCP server at ``where``, or it does not take this client.
        Lost: the connection broke off.
    """
    open_ = False
    refusals: list[int] = []
    try:
        async with (
            asyncio.timeout(HANDSHAKE_S) as patience,
            _http(where, refusals) as http,
            Client(_wire(where, http), mode=_mode(where, era), **_LIMITS) as client,
        ):
            patience.reschedule(None)
            open_ = True
            connection = Connection(client)
            connection.check(era)
            yield connection
    except HostError:
        raise
    except (BaseExceptionGroup, httpx2.HTTPError, OSError, MCPError, RuntimeError) as error:
        if (ours := _ours(error)) is not None:
            raise ours from error
        if open_:
            raise Lost(f"the connection to {where.url} broke off: {printable(reason(error))}") from error
        last = refusals[-1] if refusals else None
        raise Unreachable(f"cannot connect to {where}: {printable(reason(error, last))}") from error


_LIMITS: dict[str, Any] = {"read_timeout_seconds": CALL_S, "cache": None}


def _ours(error: BaseException) -> BaseException | None:
    """What the block itself raised, where the library's task groups wrapped it: it goes on as it was."""
    while isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]
    return error if isinstance(error, HostError | KeyboardInterrupt) else None


def _mode(where: Target, era: Era) -> Any:
    old = where.wire == "sse" if era == "auto" else era == "2025-11-25"
    return "legacy" if old else "auto"


def _http(where: Target, refusals: list[int]) -> httpx2.AsyncClient:
    """The client of Streamable HTTP; every status that is no success is added to ``refusals``."""

    async def note(response: httpx2.Response) -> None:
        if response.is_error:
            refusals.append(response.status_code)

    timeout = httpx2.Timeout(CONNECT_S, read=CALL_S)
    return httpx2.AsyncClient(headers=where.headers, timeout=timeout, event_hooks={"response": [note]})


def _wire(where: Target, http: httpx2.AsyncClient) -> AbstractAsyncContextManager[Any]:
    if where.wire == "http":
        return streamable_http_client(where.url, http_client=http)
    return sse_client(where.url, headers=where.headers, timeout=CONNECT_S)
