from __future__ import annotations

import asyncio
import contextvars
from collections.abc import AsyncIterator

import httpx
import pytest

from tzzr_mcp.seams import SystemClock
from tzzr_mocks.control.asgi import ASGIApp, Receive, Scope, Send, answer_json, read_body
from tzzr_mocks.network.direct import DirectTransport

MARK: contextvars.ContextVar[str] = contextvars.ContextVar("mark", default="none")


def client_of(app: ASGIApp, connections: int = 100, timeout: float = 5.0) -> httpx.AsyncClient:
    transport = DirectTransport(app, connections)
    return httpx.AsyncClient(transport=transport, base_url="http://fake", timeout=timeout)


async def start(send: Send, *headers: tuple[bytes, bytes]) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": list(headers)})


async def test_a_reply_streams_as_it_is_made() -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await start(send)
        for number in range(3):
            await SystemClock().sleep(10)
            await send({"type": "http.response.body", "body": b"%d" % number, "more_body": number < 2})

    loop = asyncio.get_running_loop()
    began = loop.time()
    async with client_of(app, timeout=30.0) as client, client.stream("GET", "/") as reply:
        arrived = [(chunk, loop.time() - began) async for chunk in reply.aiter_raw()]

    assert arrived == [(b"0", 10.0), (b"1", 20.0), (b"2", 30.0)]


async def test_a_request_streams_as_it_is_read() -> None:
    got: list[bytes] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        while (message := await receive())["more_body"]:
            got.append(message["body"])
        await answer_json(200, {})(scope, receive, send)

    async def upload() -> AsyncIterator[bytes]:
        yield b"a"
        assert got == [b"a"], "the first piece was read before the second was made"
        yield b"b"

    async with client_of(app) as client:
        await client.post("/", content=upload())

    assert got == [b"a", b"b"]


async def test_a_mistake_in_what_is_sent_is_the_callers() -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await read_body(receive)
        await answer_json(200, {})(scope, receive, send)

    async def upload() -> AsyncIterator[bytes]:
        yield b"a"
        raise LookupError("nothing more to send")

    async with client_of(app) as client:
        with pytest.raises(LookupError, match="nothing more to send"):
            await client.post("/", content=upload())
        assert (await client.post("/", content=b"b")).status_code == 200


async def test_the_application_runs_in_a_context_of_its_own() -> None:
    seen: list[str] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        seen.append(MARK.get())
        MARK.set("app")
        await answer_json(200, {})(scope, receive, send)

    MARK.set("caller")
    async with client_of(app) as client:
        await client.get("/")

    assert (seen, MARK.get()) == (["none"], "caller")


async def test_a_client_that_leaves_is_heard_as_a_disconnect() -> None:
    heard: list[str] = []
    left = asyncio.Event()

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await read_body(receive)
        heard.append((await receive())["type"])
        await send({"type": "http.response.start", "status": 200, "headers": []})
        left.set()

    async with client_of(app) as client:
        with pytest.raises(httpx.ReadTimeout):
            await client.get("/")
        await left.wait()

    assert heard == ["http.disconnect"]


async def test_a_caller_that_is_cancelled_does_not_kill_the_application() -> None:
    ended = asyncio.Event()

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await SystemClock().sleep(3)
        ended.set()

    async with client_of(app) as client:
        call = asyncio.create_task(client.get("/"))
        await SystemClock().sleep(1)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        await ended.wait()

    assert ended.is_set()


async def test_closing_the_transport_ends_what_the_application_still_does() -> None:
    ended: list[str] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("cancelled")

    async with client_of(app) as client:
        with pytest.raises(httpx.ReadTimeout):
            await client.get("/")

    assert ended == ["cancelled"]


@pytest.mark.parametrize(("started", "seen"), [(False, (500, "Internal Server Error")), (True, "broken off")])
async def test_an_application_that_raises_is_what_it_is_behind_uvicorn(started: bool, seen: object) -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if started:
            await start(send)
        raise LookupError("a mistake in the fake")

    async with client_of(app) as client:
        if not started:
            reply = await client.get("/")
            assert (reply.status_code, reply.text) == seen
        else:
            with pytest.raises(httpx.RemoteProtocolError, match="incomplete chunked read"):
                await client.get("/")


async def test_an_application_that_says_nothing_has_disconnected() -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None: ...

    async with client_of(app) as client:
        with pytest.raises(httpx.RemoteProtocolError, match="Server disconnected without sending a response"):
            await client.get("/")


async def test_requests_beyond_the_limit_queue_and_time_out_in_the_pool() -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await start(send)
        await asyncio.Event().wait()

    async with client_of(app, connections=1) as client, client.stream("GET", "/"):
        with pytest.raises(httpx.PoolTimeout):
            await client.get("/")


async def test_a_slot_is_free_again_once_a_reply_is_closed() -> None:
    async with client_of(answer_json(200, {}), connections=1) as client:
        statuses = [(await client.get("/")).status_code for _ in range(3)]

    assert statuses == [200, 200, 200]


async def test_the_scope_is_what_a_server_gives() -> None:
    scopes: list[Scope] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        scopes.append(scope)
        await answer_json(200, {})(scope, receive, send)

    async with client_of(app) as client:
        await client.get("/a%20b?x=1&y=%C3%B1", headers={"X-Name": "v"})

    [scope] = scopes
    assert (scope["path"], scope["raw_path"], scope["query_string"]) == ("/a b", b"/a%20b", b"x=1&y=%C3%B1")
    assert (b"x-name", b"v") in scope["headers"]
    assert (scope["server"], scope["scheme"]) == (("fake", 80), "http")
