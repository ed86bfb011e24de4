from __future__ import annotations

import httpx
import pytest

from tests.tzzr_mocks.small import expect_refusal, seams_of
from tzzr_mocks.context import ContextFake
from tzzr_mocks.context.schemas import AgentContext
from tzzr_mocks.context.seed import STARTING, TOKEN
from tzzr_mocks.control import Control
from tzzr_mocks.network.direct import DirectTransport


def context_fake(*, starting: str = "default", token_required: bool = False) -> ContextFake:
    return ContextFake(Control("context", seams_of()), starting=starting, token_required=token_required)


def client_of(fake: ContextFake, **headers: str) -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=DirectTransport(fake.app), base_url="http://context", headers=headers)


@pytest.mark.parametrize("agent", sorted(STARTING["default"]))
async def test_an_agents_context_is_served_as_the_contract_says(agent: str) -> None:
    async with client_of(context_fake()) as client:
        reply = await client.get(f"/v1/agents/{agent}/context")

    assert reply.status_code == 200
    assert set(reply.json()) == {"agent_id", "updated_at", "language", "goals", "facts", "recent"}
    assert AgentContext.model_validate(reply.json()) == STARTING["default"][agent]


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/v1/agents/nadie/context", 404, "AGENT_UNKNOWN"),
        ("/v1/agents/a.b/context", 400, "AGENT_ID_INVALID"),
        (f"/v1/agents/{'a' * 65}/context", 400, "AGENT_ID_INVALID"),
        ("/v1/agents/alfred%0A/context", 400, "AGENT_ID_INVALID"),
        ("/v2/agents/alfred/context", 404, "NOT_FOUND"),
    ],
)
async def test_a_refusal_is_an_envelope(path: str, status: int, code: str) -> None:
    async with client_of(context_fake()) as client:
        reply = await client.get(path)

    assert (reply.status_code, reply.json()["error"]["code"]) == (status, code)
    assert reply.json()["error"]["message"]


async def test_another_method_is_not_allowed() -> None:
    async with client_of(context_fake()) as client:
        reply = await client.delete("/v1/agents/alfred/context")

    assert (reply.status_code, reply.json()["error"]["code"]) == (405, "METHOD_NOT_ALLOWED")


@pytest.mark.parametrize(("header", "status"), [(f"Bearer {TOKEN}", 200), ("Bearer no", 401), ("", 401)])
async def test_a_token_is_demanded_where_it_is_required(header: str, status: int) -> None:
    async with client_of(context_fake(token_required=True), authorization=header) as client:
        assert (await client.get("/v1/agents/alfred/context")).status_code == status


@pytest.mark.parametrize(("headers", "status"), [({}, 200), ({"authorization": "Bearer no"}, 401)])
async def test_where_no_token_is_required_a_wrong_one_is_refused_all_the_same(
    headers: dict[str, str], status: int
) -> None:
    async with client_of(context_fake(), **headers) as client:
        assert (await client.get("/v1/agents/alfred/context")).status_code == status


async def test_the_token_is_never_in_the_journal() -> None:
    fake = context_fake()
    async with client_of(fake, authorization=f"Bearer {TOKEN}") as client:
        await client.get(f"/v1/agents/{TOKEN}/context")

    assert TOKEN not in repr(list(fake.control.journal))


async def test_a_planned_status_comes_in_the_same_envelope() -> None:
    fake = context_fake()
    fake.control.plan.add("context: every call is rate limited")
    async with client_of(fake) as client:
        reply = await client.get("/v1/agents/alfred/context")

    assert (reply.status_code, reply.json()["error"]["code"]) == (429, "RATE_LIMITED")


async def test_reset_and_restore_bring_agents_back() -> None:
    fake = context_fake()
    before = fake.snapshot()
    fake.store.put(STARTING["default"]["alfred"].model_copy(update={"agent_id": "otro"}))
    after = fake.snapshot()
    async with client_of(fake) as client:
        seen = []
        for state in (before, after):
            fake.restore(state)
            seen.append((await client.get("/v1/agents/otro/context")).status_code)
        fake.reset()
        seen.append((await client.get("/v1/agents/otro/context")).status_code)
        fake.reset("empty")
        seen.append((await client.get("/v1/agents/alfred/context")).status_code)

    assert seen == [404, 200, 404, 404]


def test_an_unknown_starting_world_is_refused_with_the_nearest() -> None:
    with expect_refusal("unknown starting world of context 'emty'", "'empty'"):
        context_fake(starting="emty")
