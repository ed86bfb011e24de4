"""What can go wrong between a host and a server.

HostError         the message says what, and what to do next
├── Unreachable   no connection came about
└── Lost          it was there and broke off
"""

from __future__ import annotations

from collections.abc import Iterator

import httpx2
from mcp import MCPError


class HostError(Exception):
    """The host cannot go on; the message is for a person."""


class Unreachable(HostError):
    """No connection came about."""


class Lost(HostError):
    """The server went away, or the connection to it did."""


def reason(error: BaseException, status: int | None = None) -> str:
    """Why a connection failed, in a few words, without the library's own wording where it is known.

    ``status`` is the last HTTP status that was no success, which the SDK does not tell of Streamable HTTP.
    """
    leaf = next(_leaves(error))
    if isinstance(leaf, httpx2.HTTPStatusError):
        status = leaf.response.status_code
    if status is not None and isinstance(leaf, httpx2.HTTPStatusError | MCPError):
        return f"it answered HTTP {status}{_HINTS.get(status, '')}"
    if isinstance(leaf, httpx2.ConnectTimeout | TimeoutError):
        return "it did not answer in time"
    if isinstance(leaf, httpx2.ConnectError):
        return "nothing listens there, or no network leads there; start the server: mcp-server-tzzr --profile poc"
    if isinstance(leaf, MCPError):
        return f"it answered with error {leaf.error.code}: {leaf.error.message}"
    return f"{type(leaf).__name__}: {leaf}"


_HINTS = {
    401: "; give a token in SERVER_TOKEN",
    403: "; the token or the origin is not allowed",
    404: "; is the path right? SSE is /sse, Streamable HTTP is /mcp",
    405: "; is the path right? SSE is /sse, Streamable HTTP is /mcp",
    421: "; the server does not know itself by this host name",
}


def _leaves(error: BaseException) -> Iterator[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        for each in error.exceptions:
            yield from _leaves(each)
    else:
        yield error
