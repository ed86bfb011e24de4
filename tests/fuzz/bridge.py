"""An ASGI application as schemathesis can call it: a WSGI application that runs it on a loop on virtual time.

The loop runs while a request does, and time passes between two of them as it would for a client that thinks: jobs that
were queued run, windows of rate limits move on. What a fake logs as its own failure is marked on the response.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Any, Final, Self

import httpx

from tzzr_mocks.control.asgi import ASGIApp
from tzzr_mocks.network.direct import DirectTransport
from tzzr_mocks.network.virtual import new_virtual_loop

CRASH_HEADER: Final = "x-fuzz-crash"
"""The last line of what was logged as an error while a request was served."""
PAUSE_S: Final = 0.2
"""Virtual seconds between two requests."""
_NOT_SENT: Final = frozenset({"HTTP_HOST", "HTTP_CONTENT_LENGTH"})
Environ = dict[str, Any]
StartResponse = Callable[..., Any]


@dataclass(frozen=True)
class Served:
    """An API while it is served: the application, its OpenAPI document, and the headers that let a client in."""

    app: ASGIApp
    document: Mapping[str, Any]
    headers: Mapping[str, str] = field(default_factory=dict)


Serve = Callable[[], AbstractAsyncContextManager[Served]]


class Bridge:
    """A WSGI application around what ``serve`` serves, between entering and leaving it as a context manager.

    ``requests`` counts what was asked of it.
    """

    served: Served

    def __init__(self, serve: Serve) -> None:
        self.requests = 0
        self._serve = serve
        self._loop = new_virtual_loop()
        self._turn = threading.Lock()
        self._errors = _Errors()
        self._over = asyncio.Event()

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        """Serve one request."""
        with self._turn, self._errors:
            response = self._loop.run_until_complete(self._ask(_request(environ)))
            crash = self._errors.last
        self.requests += 1
        headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in response.headers.raw]
        start_response(f"{response.status_code} {response.reason_phrase or '-'}", [*headers, *_told(crash)])
        return [response.content]

    def __enter__(self) -> Self:
        ready: asyncio.Future[Served] = self._loop.create_future()
        self._keeper = self._loop.create_task(self._keep(ready))
        self.served = self._loop.run_until_complete(ready)
        self._transport = DirectTransport(self.served.app)
        return self

    def __exit__(self, *error: object) -> None:
        self._over.set()
        self._loop.run_until_complete(self._transport.aclose())
        self._loop.run_until_complete(self._keeper)
        self._loop.close()

    async def _keep(self, ready: asyncio.Future[Served]) -> None:
        """Enter and leave in one task, as task groups demand."""
        try:
            async with self._serve() as served:
                ready.set_result(served)
                await self._over.wait()
        except Exception as error:
            if ready.done():
                raise
            ready.set_exception(error)

    async def _ask(self, request: httpx.Request) -> httpx.Response:
        await asyncio.sleep(PAUSE_S)  # noqa: TID251 - on the virtual loop, before anybody's clock is asked
        response = await self._transport.handle_async_request(request)
        await response.aread()
        return response


class _Errors(logging.Handler):
    """Takes what is logged as an error while it is entered."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.last = ""

    def __enter__(self) -> None:
        self.last = ""
        logging.getLogger().addHandler(self)

    def __exit__(self, *error: object) -> None:
        logging.getLogger().removeHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        """Keep the last line."""
        reason = record.exc_info[1] if record.exc_info else None
        self.last = f"{record.getMessage()}: {reason!r}" if reason else record.getMessage()


def _told(crash: str) -> list[tuple[str, str]]:
    return [(CRASH_HEADER, ascii(crash)[1:-1])] if crash else []


def _request(environ: Environ) -> httpx.Request:
    headers = [
        (name.removeprefix("HTTP_").replace("_", "-").lower().encode(), value.encode("latin-1"))
        for name, value in environ.items()
        if (name.startswith("HTTP_") and name not in _NOT_SENT) or (name == "CONTENT_TYPE" and value)
    ]
    length = int(environ.get("CONTENT_LENGTH") or 0)
    path, query = environ["REQUEST_URI"].partition("?")[0], environ.get("QUERY_STRING", "")
    url = f"http://localhost{path}" + (f"?{query}" if query else "")
    content = environ["wsgi.input"].read(length)
    return httpx.Request(environ["REQUEST_METHOD"], url, headers=headers, content=content)
