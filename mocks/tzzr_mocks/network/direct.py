"""The direct way: httpx to an ASGI application in the same process, streaming, with time-outs on loop time.

The stock ``httpx.ASGITransport`` is unfit: it buffers, ignores time-outs and runs the application in the caller's
task. Here the application runs in a task and a context of its own, as behind a server, and hears
``http.disconnect`` when the client goes away. What it does when it raises is what uvicorn would do.
"""

from __future__ import annotations

import asyncio
import contextvars
import logging
from collections.abc import AsyncIterator, Coroutine
from typing import Any, TypeVar

import httpx

from tzzr_mocks.control.asgi import ASGIApp, Message, Scope

T = TypeVar("T")

_log = logging.getLogger(__name__)
_BROKEN_OFF = "peer closed connection without sending complete message body (incomplete chunked read)"
_CRASH: tuple[Message, ...] = (
    {
        "type": "http.response.start",
        "status": 500,
        "headers": [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", b"21")],
    },
    {"type": "http.response.body", "body": b"Internal Server Error"},
)


async def _within(
    request: httpx.Request, name: str, error: type[httpx.TimeoutException], coming: Coroutine[Any, Any, T]
) -> T:
    """What ``coming`` gives, within the time-out of httpx called ``name``; its exception has the request attached."""
    seconds = request.extensions.get("timeout", {}).get(name)
    if seconds is None:
        return await coming
    try:
        async with asyncio.timeout(seconds):
            return await coming
    except TimeoutError as late:
        raise error("", request=request) from late


class _Visit:
    """One request on its way through the application, seen from both sides."""

    def __init__(self, app: ASGIApp, request: httpx.Request) -> None:
        self._app, self._request = app, request
        self._scope = _scope(request)
        self._replies: asyncio.Queue[Message | Exception | None] = asyncio.Queue()
        self._gone = asyncio.Event()
        self._started = False
        self._sent = False
        stream = request.stream
        assert isinstance(stream, httpx.AsyncByteStream)  # noqa: S101 - httpx.AsyncClient gives no other
        self._stream, self._upload = stream, aiter(stream)

    @property
    def name(self) -> str:
        """What the application's task is called."""
        return f"asgi {self._scope['method']} {self._scope['path']}"

    async def run(self) -> None:
        """Run the application to its end."""
        try:
            await self._app(self._scope, self._receive, self._send)
        except Exception:
            _log.exception("the fake's application raised on %s %s", self._request.method, self._request.url.path)
            for message in () if self._started else _CRASH:
                self._replies.put_nowait(message)
        self._replies.put_nowait(None)

    async def _receive(self) -> Message:
        if self._sent or self._gone.is_set():
            await self._gone.wait()
            return {"type": "http.disconnect"}
        if isinstance(self._stream, httpx.ByteStream):  # all of it is there
            self._sent = True
            return {"type": "http.request", "body": b"".join(self._stream), "more_body": False}
        try:
            return {"type": "http.request", "body": await anext(self._upload), "more_body": True}
        except StopAsyncIteration:
            self._sent = True
            return {"type": "http.request", "body": b"", "more_body": False}
        except Exception as error:  # the caller's own, of what it sends: the caller gets it back, the server a hang-up
            self._replies.put_nowait(error)
            self.leave()
            return {"type": "http.disconnect"}

    async def _send(self, message: Message) -> None:
        self._started = True
        if not self._gone.is_set():
            self._replies.put_nowait(message)

    async def next(self) -> Message | None:
        """The application's next message, None when it has ended; within the request's read time-out."""
        if not self._replies.empty():  # a time-out costs more than taking what is there
            message = self._replies.get_nowait()
        else:
            message = await _within(self._request, "read", httpx.ReadTimeout, self._replies.get())
        if isinstance(message, Exception):
            raise message
        return message

    def leave(self) -> None:
        """The client goes away."""
        self._gone.set()


class _Body(httpx.AsyncByteStream):
    """The reply's body as it comes."""

    def __init__(self, visit: _Visit, request: httpx.Request, slots: asyncio.Semaphore) -> None:
        self._visit, self._request, self._slots = visit, request, slots
        self._closed = False

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while True:
            message = await self._visit.next()
            if message is None:
                raise httpx.RemoteProtocolError(_BROKEN_OFF, request=self._request)
            if chunk := message.get("body", b""):
                yield chunk
            if not message.get("more_body", False):
                return

    async def aclose(self) -> None:
        """Leave, and free the connection's slot."""
        if not self._closed:
            self._closed = True
            self._visit.leave()
            self._slots.release()


class DirectTransport(httpx.AsyncBaseTransport):
    """An httpx transport to one ASGI application. ``max_connections`` requests run at once, the others queue."""

    def __init__(self, app: ASGIApp, max_connections: int = 100) -> None:
        self._app = app
        self._slots = asyncio.Semaphore(max_connections)
        self._tasks: set[asyncio.Task[None]] = set()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send one request and return as soon as the reply's head is there.

        Raises:
            httpx.PoolTimeout: no slot became free in time.
            httpx.ReadTimeout: the head did not come in time.
            httpx.RemoteProtocolError: the application ended without a reply.
        """
        if self._slots.locked():
            await _within(request, "pool", httpx.PoolTimeout, self._slots.acquire())
        else:
            await self._slots.acquire()
        visit = _Visit(self._app, request)
        body = _Body(visit, request, self._slots)
        self._start(visit)
        try:
            head = await visit.next()
        except BaseException:
            await body.aclose()
            raise
        if head is None:
            await body.aclose()
            raise httpx.RemoteProtocolError("Server disconnected without sending a response.", request=request)
        extensions = {"http_version": b"HTTP/1.1"}
        return httpx.Response(head["status"], headers=head.get("headers", []), stream=body, extensions=extensions)

    def _start(self, visit: _Visit) -> None:
        task = asyncio.get_running_loop().create_task(visit.run(), name=visit.name, context=contextvars.Context())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def aclose(self) -> None:
        """Cancel what the application still does, and wait until it has ended."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _scope(request: httpx.Request) -> Scope:
    url = request.url
    raw_path, _, query = url.raw_path.partition(b"?")
    port = url.port or (443 if url.scheme == "https" else 80)
    scope: dict[str, Any] = {
        "type": "http", "asgi": {"version": "3.0", "spec_version": "2.3"}, "http_version": "1.1",
        "method": request.method, "scheme": url.scheme, "path": url.path, "raw_path": raw_path,
        "query_string": query, "root_path": "", "state": {},
        "headers": [(name.lower(), value) for name, value in request.headers.raw],
        "server": (url.host, port), "client": ("127.0.0.1", 40001),
    }  # fmt: skip
    return scope
