"""Direct, wire and socket give the same: what a scenario without wire faults sees does not depend on the way."""

from __future__ import annotations

import asyncio

import httpx
import pytest

from tests.tzzr_mocks.small import SmallFake, direct_client, small_fake, world_client
from tzzr_mcp.seams import SystemClock
from tzzr_mocks.control.asgi import ASGIApp, Receive, Scope, Send, answer_json, read_body
from tzzr_mocks.network.hosts import HostsTransport
from tzzr_mocks.network.wire import WireTransport
from tzzr_mocks.ways import WorldTransport

NEVER = "grace: connection_refused on /health after 1h optional"
"""A wire fault that never strikes, so that the world takes the wire."""


async def conversation(client: httpx.AsyncClient) -> list[object]:
    """What a client sees of a few calls."""
    seen: list[object] = []
    for method, path, content in (
        ("GET", "/health", None),
        ("POST", "/run", b"x" * 300_000),
        ("GET", "/status/a%20b", None),
        ("GET", "/nowhere", None),
    ):
        reply = await client.request(method, path, content=content)
        seen.append((reply.status_code, sorted(reply.headers.items()), reply.text))
    return seen


def entries(fake: SmallFake) -> list[object]:
    """What the journal holds, but for the ids and the seconds."""
    return [(entry.route, entry.status, entry.body, entry.reply) for entry in fake.control.journal]


async def test_direct_and_wire_give_the_same_replies_and_the_same_journal() -> None:
    direct, wire = small_fake(), small_fake(NEVER)
    async with direct_client(direct) as one, world_client(wire) as other:
        assert await conversation(one) == await conversation(other)

    assert entries(direct) == entries(wire)


async def test_connections_are_kept_alive_and_close_when_idle() -> None:
    fake = small_fake(NEVER)
    async with world_client(fake) as client:
        await client.get("/health")
        await SystemClock().sleep(60)  # uvicorn closes after 5 s
        reply = await client.get("/health")

    assert reply.status_code == 200


async def test_calls_at_once_keep_apart_over_the_wire() -> None:
    fake = small_fake(NEVER, "grace: every call takes 2s")
    loop = asyncio.get_running_loop()
    async with world_client(fake) as client:
        began = loop.time()
        replies = await asyncio.gather(*(client.get(f"/status/{number}") for number in range(50)))

    assert [reply.json()["id"] for reply in replies] == [str(number) for number in range(50)]
    assert loop.time() - began == pytest.approx(2.0)


async def test_the_end_of_a_world_ends_what_the_application_still_does_over_the_wire(
    caplog: pytest.LogCaptureFixture,
) -> None:
    fake = small_fake(NEVER, "grace: every call takes 100s")
    client = world_client(fake, timeout=1)
    with pytest.raises(httpx.ReadTimeout):
        await client.get("/health")
    transport = client._transport
    assert isinstance(transport, WorldTransport)
    await transport.close()
    await client.aclose()

    [exchange] = fake.control.journal
    assert exchange.status is None
    assert exchange.duration == pytest.approx(1.0)
    assert caplog.records == []


async def test_a_host_that_nobody_knows_is_what_a_resolver_says() -> None:
    async with httpx.AsyncClient(transport=HostsTransport({})) as client:
        with pytest.raises(httpx.ConnectError, match="Name or service not known") as caught:
            await client.get("http://grace.example/")

    assert caught.value.request.url.host == "grace.example"


def wire_client(app: ASGIApp, timeout: float = 5.0) -> httpx.AsyncClient:
    transport = WireTransport({"fake": app}, lambda request, body: None)
    return httpx.AsyncClient(transport=transport, base_url="http://fake", timeout=timeout)


async def test_a_server_that_does_not_read_a_big_body_is_a_write_timeout() -> None:
    async def deaf(scope: Scope, receive: Receive, send: Send) -> None:
        await asyncio.Event().wait()

    async with wire_client(deaf) as client:
        with pytest.raises(httpx.WriteTimeout):
            await client.post("/", content=b"x" * 5_000_000)


async def test_a_big_body_waits_until_the_server_reads_and_arrives_whole() -> None:
    async def slow_reader(scope: Scope, receive: Receive, send: Send) -> None:
        await SystemClock().sleep(3)
        body = await read_body(receive)
        await answer_json(200, {"got": len(body), "sum": sum(body)})(scope, receive, send)

    content = bytes(range(256)) * 8000
    async with wire_client(slow_reader) as client:
        reply = await client.post("/", content=content)

    assert reply.json() == {"got": len(content), "sum": sum(content)}


async def test_a_server_waits_for_a_slow_reader_and_loses_nothing() -> None:
    sent: list[float] = []
    loop = asyncio.get_running_loop()

    async def generous(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        for number in range(40):
            await send({"type": "http.response.body", "body": b"%c" % (65 + number) * 50_000, "more_body": number < 39})
            sent.append(loop.time())

    async with wire_client(generous, timeout=60) as client, client.stream("GET", "/") as reply:
        await SystemClock().sleep(30)
        body = await reply.aread()

    assert body == b"".join(b"%c" % (65 + number) * 50_000 for number in range(40))
    assert (sent[0], sent[-1] >= 30) == (0.0, True)
