"""httpx2 over a world's transport: the same answers, streams and errors as over httpx."""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx
import httpx2
import pytest

from tzzr_mocks.addresses import HOSTS
from tzzr_mocks.network.second import SecondTransport
from tzzr_mocks.offline import open_offline
from tzzr_mocks.world import World

AGENT = f"http://{HOSTS['context']}/v1/agents/alfred/context"


async def test_an_answer_is_the_same_over_both() -> None:
    async with World() as world:
        async with httpx.AsyncClient(transport=world.transport) as first:
            one = await first.get(AGENT)
        async with httpx2.AsyncClient(transport=SecondTransport(world.transport)) as second:
            other = await second.get(AGENT)
        after = await httpx.AsyncClient(transport=world.transport).get(AGENT)

    assert (one.status_code, one.headers.raw, one.content) == (other.status_code, other.headers.raw, other.content)
    assert after.status_code == 200, "closing the second client leaves the world's way open"


async def test_what_is_sent_in_pieces_arrives_whole() -> None:
    async def pieces() -> AsyncIterator[bytes]:
        yield b'{"model": "nobody", '
        yield b'"messages": [{"role": "user", "content": "x"}]}'

    async with World() as world, httpx2.AsyncClient(transport=SecondTransport(world.transport)) as client:
        key = {"authorization": f"Bearer {world.environment['TZZR_MODEL_API_KEY']}"}
        reply = await client.post(f"http://{HOSTS['llm']}/v1/chat/completions", content=pieces(), headers=key)

    assert (reply.status_code, reply.json()["error"]["code"]) == (404, "model_not_found")


@pytest.mark.parametrize(
    ("effect", "error"),
    [
        ("is refused", httpx2.ConnectError),
        ("is reset", httpx2.ReadError),
        ("is reset in the body after=9", httpx2.ReadError),
        ("hangs", httpx2.ReadTimeout),
        ("is truncated after=9", httpx2.RemoteProtocolError),
    ],
)
async def test_a_fault_raises_httpx2_s_own_error(effect: str, error: type[httpx2.TransportError]) -> None:
    async with (
        World(faults=[f"context: every call {effect}"]) as world,
        httpx2.AsyncClient(transport=SecondTransport(world.transport), timeout=5) as client,
    ):
        with pytest.raises(error) as caught:
            await client.get(AGENT)

    assert str(caught.value.request.url) == AGENT


async def test_the_offline_world_is_reached_too() -> None:
    offline = open_offline({"TZZR_SEED": "7"})
    async with httpx2.AsyncClient(transport=SecondTransport(offline.transport)) as client:
        assert (await client.get(AGENT)).status_code == 200
