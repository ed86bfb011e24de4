"""The fakes over real sockets: same answers, the wire faults that a server can cause, and a clean end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import pytest

from tests.tzzr_mocks.network.test_wire_is_a_socket import Seen, look
from tests.tzzr_mocks.small import expect_refusal
from tzzr_mocks.addresses import HOSTS
from tzzr_mocks.served import FakesServer, serve
from tzzr_mocks.world import World

pytestmark = [pytest.mark.realtime, pytest.mark.enable_socket]


@asynccontextmanager
async def served(*faults: str) -> AsyncIterator[tuple[FakesServer, httpx.AsyncClient]]:
    """A server with these faults, and a client."""
    world = World(time="real", faults=faults)
    async with serve(world) as server, httpx.AsyncClient(trust_env=False, timeout=0.5) as client:
        yield server, client


def agent(server: FakesServer, name: str = "alfred") -> str:
    return f"{server.environment['CONTEXT_BASE_URL']}/v1/agents/{name}/context"


async def test_every_fake_is_reached_by_what_the_server_says() -> None:
    async with served() as (server, client):
        env = server.environment
        keyed = {"authorization": f"Bearer {env['RUNPOD_API_KEY']}"}
        token = {"authorization": f"Bearer {env['HST_TOKEN']}"}
        model_key = {"authorization": f"Bearer {env['TZZR_MODEL_API_KEY']}"}
        replies = [
            await client.get(f"{env['GRACE_BASE_URL']}/{env['GRACE_ENDPOINT_ID']}/health", headers=keyed),
            await client.get(f"{env['HST_BASE_URL']}/items/tags_flg?limit=1", headers=token),
            await client.get(agent(server)),
            await client.get(f"{env['TZZR_MODEL_BASE_URL']}/models", headers=model_key),
            await client.get(server.page),
        ]

    assert [reply.status_code for reply in replies] == [200, 200, 200, 200, 200]
    assert [reply.headers.get("x-tzzr-fake") for reply in replies] == ["grace", "hst", "context", "llm", None]


async def test_a_socket_gives_what_the_direct_way_gives() -> None:
    async def conversation(client: httpx.AsyncClient, base: str) -> list[object]:
        paths = ["/v1/agents/alfred/context", "/v1/agents/nadie/context", "/health", "/nowhere"]
        replies = [await client.get(f"{base}{path}") for path in paths]
        return [(reply.status_code, sorted(reply.headers.items()), reply.text) for reply in replies]

    async with served() as (server, client):
        over_a_socket = await conversation(client, server.environment["CONTEXT_BASE_URL"])
    async with World(time="real") as world, httpx.AsyncClient(transport=world.transport) as client:
        direct = await conversation(client, f"http://{HOSTS['context']}")

    assert over_a_socket == direct
    assert [(e.route, e.status, e.reply) for e in server.world.journal] == [
        (e.route, e.status, e.reply) for e in world.journal
    ]


def without_times(world: World) -> list[dict[str, object]]:
    """The trace of a world, times left out."""
    return [{**event.as_json(), "at": None} for event in world.trace]


async def test_a_socket_leaves_the_trace_that_the_direct_way_leaves() -> None:
    rules = ["context: every 2nd call fails with 503", "hst: calls answer truncated json 50% of the time"]

    async def calls(client: httpx.AsyncClient, env: dict[str, str]) -> None:
        token = {"authorization": f"Bearer {env['HST_TOKEN']}"}
        key = {"authorization": f"Bearer {env['RUNPOD_API_KEY']}"}
        for number in range(6):
            await client.get(f"{env['CONTEXT_BASE_URL']}/v1/agents/alfred/context")
            await client.get(f"{env['HST_BASE_URL']}/items/tags_flg?limit={number + 1}", headers=token)
            await client.get(f"{env['GRACE_BASE_URL']}/grace/health", headers=key)

    async with served(*rules) as (server, client):
        client.timeout = httpx.Timeout(20)
        await calls(client, server.environment)
    async with World(time="real", faults=rules) as world, httpx.AsyncClient(transport=world.transport) as client:
        await calls(client, world.environment)

    assert without_times(server.world) == without_times(world)
    assert {event.kind for event in world.trace} == {"fault", "exchange"}


@pytest.mark.parametrize(
    ("effect", "error", "phase"),
    [
        ("is reset", "ReadError", "head"),
        ("is reset in the body after=10", "ReadError", "body"),
        ("hangs", "ReadTimeout", "head"),
        ("hangs in the body", "ReadTimeout", "body"),
        ("is truncated after=10", "RemoteProtocolError", "body"),
        ("drips 200 bytes every 10ms", "200", "body"),
    ],
)
async def test_a_server_causes_on_a_socket_what_the_network_causes_in_memory(
    effect: str, error: str, phase: str
) -> None:
    async def first_and_second(client: httpx.AsyncClient, url: str) -> tuple[Seen, Seen]:
        return await look(client, url), await look(client, url)

    async with served(f"context: first call {effect}") as (server, client):
        socket = await first_and_second(client, agent(server))
    url = f"http://{HOSTS['context']}/v1/agents/alfred/context"
    async with (
        World(time="real", faults=[f"context: first call {effect}"]) as world,
        httpx.AsyncClient(transport=world.transport, timeout=0.5) as client,
    ):
        memory = await first_and_second(client, url)

    assert (socket[0].error, socket[0].phase) == (error, phase)
    assert socket == memory
    blamed = [next(iter(one.journal)).faults for one in (server.world, world)]
    assert blamed == [(f"context: first call {effect}",)] * 2


async def test_a_fault_that_no_server_can_cause_is_refused() -> None:
    async with served() as (server, _):
        with expect_refusal("no server can cause 'connection_refused'"):
            server.world.plan.add("context: is down")


async def test_calls_under_way_end_with_the_server_and_leave_nothing() -> None:
    before = asyncio.all_tasks()
    async with served("context: every call takes 1h") as (server, client):
        call = asyncio.create_task(client.get(agent(server), timeout=30))
        while not len(server.world.journal):
            await client.get(f"{server.page}clock")
    with pytest.raises(httpx.TransportError):
        await call

    assert asyncio.all_tasks() == before


async def test_a_taken_port_is_an_os_error_and_nothing_stays_open() -> None:
    async with served() as (server, client):
        port = httpx.URL(server.environment["CONTEXT_BASE_URL"]).port
        assert port is not None
        with pytest.raises(OSError, match=rf"^cannot listen on 127.0.0.1 port {port}: address already in use; name"):
            async with serve(ports={"context": port}):
                raise AssertionError("two servers on one port")
        assert (await client.get(agent(server))).status_code == 200


async def test_a_virtual_world_and_an_unknown_service_are_refused() -> None:
    with pytest.raises(ValueError, match=r"World\(time='real'\)"):
        async with serve(World()):
            raise AssertionError("served")
    with expect_refusal("unknown service 'gracee'"):
        async with serve(ports={"gracee": 0}):
            raise AssertionError("served")


async def test_many_calls_at_once_are_served() -> None:
    async with served() as (server, client):
        client.timeout = httpx.Timeout(20)
        replies = await asyncio.gather(*(client.get(agent(server)) for _ in range(100)))

    assert {reply.status_code for reply in replies} == {200}


async def test_a_webhook_leaves_by_a_real_socket() -> None:
    received: asyncio.Queue[bytes] = asyncio.Queue()

    async def take(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await received.put(await reader.readuntil(b"\r\n\r\n"))
        writer.write(b"HTTP/1.1 204 No Content\r\n\r\n")
        await writer.drain()
        writer.close()

    receiver = await asyncio.start_server(take, "127.0.0.1", 0)
    port = receiver.sockets[0].getsockname()[1]
    async with receiver, serve() as server, httpx.AsyncClient(trust_env=False) as client:
        environ = server.environment
        headers = {"Authorization": f"Bearer {environ['RUNPOD_API_KEY']}"}
        job = {"input": {"contract_version": "2.1"}, "webhook": f"http://127.0.0.1:{port}/done"}
        await client.post(f"{environ['GRACE_BASE_URL']}/grace/run", json=job, headers=headers)
        head = await asyncio.wait_for(received.get(), 20)
    assert head.startswith(b"POST /done HTTP/1.1")
