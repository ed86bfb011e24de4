"""httpx2 over httpx: for clients that speak the former to a world, whose transport speaks the latter.

The official ``openai`` and ``anthropic`` clients and the MCP SDK are built on httpx2, the successor of httpx.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import Protocol

import httpx
import httpx2


class Way(Protocol):
    """What is needed of an httpx transport."""

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send one request."""
        ...


class SecondTransport(httpx2.AsyncBaseTransport):
    """An httpx2 transport that goes the way of an httpx one; whoever made that one closes it."""

    def __init__(self, way: Way) -> None:
        self._way = way

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send one request.

        Raises:
            httpx2.TransportError: of the class that httpx would raise.
        """
        stream = request.stream
        assert isinstance(stream, httpx2.AsyncByteStream)  # noqa: S101 - httpx2.AsyncClient gives no other
        asked = httpx.Request(
            request.method,
            str(request.url),
            headers=request.headers.raw,
            stream=_Upload(stream),
            extensions=request.extensions,
        )
        with _translated(request):
            reply = await self._way.handle_async_request(asked)
        body = reply.stream
        assert isinstance(body, httpx.AsyncByteStream)  # noqa: S101 - a transport gives no other
        return httpx2.Response(
            reply.status_code, headers=reply.headers.raw, stream=_Body(body, request), extensions=reply.extensions
        )


class _Upload(httpx.AsyncByteStream):
    def __init__(self, stream: httpx2.AsyncByteStream) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for chunk in self._stream:
            yield chunk


class _Body(httpx2.AsyncByteStream):
    def __init__(self, stream: httpx.AsyncByteStream, request: httpx2.Request) -> None:
        self._stream, self._request = stream, request

    async def __aiter__(self) -> AsyncIterator[bytes]:
        with _translated(self._request):
            async for chunk in self._stream:
                yield chunk

    async def aclose(self) -> None:
        """Close the reply."""
        await self._stream.aclose()


@contextmanager
def _translated(request: httpx2.Request) -> Iterator[None]:
    """What httpx raises as what httpx2 would raise."""
    try:
        yield
    except httpx.TransportError as error:
        kind: type[httpx2.TransportError] = getattr(httpx2, type(error).__name__, httpx2.TransportError)
        raise kind(str(error), request=request) from error
