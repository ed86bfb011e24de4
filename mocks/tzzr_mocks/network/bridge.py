"""For clients on httpx2, as the official ones of model providers are: a world's httpx transport under them.

Nothing is copied but the values: bodies stream both ways, time-outs are those of the request, and what the inner
transport raises leaves as the exception of the same name of httpx2.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager

import httpx
import httpx2


class Httpx2Bridge(httpx2.AsyncBaseTransport):
    """An httpx2 transport over an httpx one. Closing it closes nothing: the world outlives its clients."""

    def __init__(self, inner: httpx.AsyncBaseTransport) -> None:
        self._inner = inner

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send one request.

        Raises:
            httpx2.TransportError: as the inner transport's exception of that name.
        """
        with _translated(request):
            response = await self._inner.handle_async_request(_inner(request))
        stream = response.stream
        assert isinstance(stream, httpx.AsyncByteStream)  # noqa: S101 - an async transport gives no other
        return httpx2.Response(
            response.status_code,
            headers=response.headers.raw,
            stream=_Reply(stream, request),
            extensions=dict(response.extensions),
        )


class _Reply(httpx2.AsyncByteStream):
    def __init__(self, stream: httpx.AsyncByteStream, request: httpx2.Request) -> None:
        self._stream, self._request = stream, request

    async def __aiter__(self) -> AsyncIterator[bytes]:
        with _translated(self._request):
            async for chunk in self._stream:
                yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()


class _Upload(httpx.AsyncByteStream):
    def __init__(self, stream: httpx2.AsyncByteStream) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for chunk in self._stream:
            yield chunk


def _inner(request: httpx2.Request) -> httpx.Request:
    stream = request.stream
    assert isinstance(stream, httpx2.AsyncByteStream)  # noqa: S101 - httpx2.AsyncClient gives no other
    return httpx.Request(
        request.method,
        httpx.URL(str(request.url)),
        headers=request.headers.raw,
        stream=_Upload(stream),
        extensions=dict(request.extensions),
    )


@contextmanager
def _translated(request: httpx2.Request) -> Iterator[None]:
    try:
        yield
    except httpx.TransportError as error:
        newer = getattr(httpx2, type(error).__name__, httpx2.TransportError)
        raise newer(str(error), request=request) from error
