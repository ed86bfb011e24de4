"""The model's fake over a real socket, with the environment that `tzzr mocks` prints."""

from __future__ import annotations

import asyncio

import httpx2
import openai
import pytest
from anthropic import AsyncAnthropic

from tests.tzzr_mocks.llm.asking import MODEL, SCRIPT, TOOLS, says
from tzzr_mocks.served import serve
from tzzr_mocks.world import World

pytestmark = [pytest.mark.realtime, pytest.mark.enable_socket]


async def test_both_clients_are_served_and_a_stream_that_breaks_off_breaks_off() -> None:
    world = World(time="real")
    world.llm.follow(SCRIPT)
    async with serve(world) as server, httpx2.AsyncClient(trust_env=False) as http:
        base, key = server.environment["TZZR_MODEL_BASE_URL"], server.environment["TZZR_MODEL_API_KEY"]
        client = openai.AsyncOpenAI(api_key=key, base_url=base, http_client=http, max_retries=0)
        other = AsyncAnthropic(api_key=key, base_url=base.removesuffix("/v1"), http_client=http, max_retries=0)
        create = client.chat.completions.create
        chunks = [
            chunk async for chunk in await create(model=MODEL, messages=says("préstamo"), tools=TOOLS, stream=True)
        ]
        message = await other.messages.create(model=MODEL, max_tokens=500, messages=says("hola"))
        world.plan.add("llm: every call is cut short")
        cut = await create(model=MODEL, messages=says("préstamo"), stream=True)
        with pytest.raises(openai.APIConnectionError):
            _ = [chunk async for chunk in cut]

    assert chunks[-1].choices[0].finish_reason == "tool_calls"
    assert message.stop_reason == "end_turn"
    assert [exchange.reply and exchange.reply.complete for exchange in world.journal] == [True, True, False]


async def test_a_client_that_goes_away_ends_the_reply() -> None:
    world = World(time="real", faults=["llm: every call thinks for 1h"])
    async with serve(world) as server, httpx2.AsyncClient(trust_env=False) as http:
        environ = server.environment
        headers = {"authorization": f"Bearer {environ['TZZR_MODEL_API_KEY']}"}
        body = {"model": environ["TZZR_MODEL"], "messages": says("hola"), "stream": True}
        url = f"{environ['TZZR_MODEL_BASE_URL']}/chat/completions"
        async with http.stream("POST", url, json=body, headers=headers) as reply:
            assert reply.status_code == 200
        async with asyncio.timeout(20):
            while next(iter(world.journal)).reply is None:
                await http.get(f"{environ['TZZR_MODEL_BASE_URL']}/models", headers=headers)
        [first, *_] = world.journal

    assert first.reply is not None
    assert not first.reply.complete
