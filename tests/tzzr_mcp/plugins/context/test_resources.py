"""``tzzr://context/{agent_id}``: an agent's context, no such agent, no such id."""

from __future__ import annotations

import json

import httpx
import pytest
import respx

from tests.tzzr_mcp.plugins.calls import a_call
from tests.tzzr_mcp.services.test_context import CONTEXT
from tests.tzzr_mcp.services.worlds import BASE, KEY, new_router, new_seams, new_upstream, transport, within
from tzzr_mcp.contract.errors import ArgumentInvalid, Code, ContractError
from tzzr_mcp.plugins.api import Call, Opening, ResourceNotFound
from tzzr_mcp.plugins.context import plugin
from tzzr_mcp.plugins.context.clients import lifespan, probe
from tzzr_mcp.plugins.context.resources import read_context
from tzzr_mcp.services.context import ContextManager


def calling(router: respx.MockRouter, agent_id: str) -> Call[ContextManager]:
    seams = new_seams()
    return a_call(ContextManager(new_upstream(router, seams, "context")), seams, {"agent_id": agent_id})


async def test_a_context_is_read() -> None:
    router = new_router()
    router.get("/v1/agents/agente-7/context").respond(json=CONTEXT)
    assert json.loads(await read_context(calling(router, "agente-7"))) == CONTEXT


async def test_an_unknown_agent_is_no_resource() -> None:
    router = new_router()
    router.get("/v1/agents/nadie/context").respond(404)
    with pytest.raises(ResourceNotFound, match="no conoce a ese agente"):
        await read_context(calling(router, "nadie"))


async def test_a_manager_that_is_down_is_a_failure() -> None:
    router = new_router()
    router.get("/v1/agents/nadie/context").mock(side_effect=httpx.ConnectError(""))
    with pytest.raises(ContractError) as caught:
        await read_context(calling(router, "nadie"))
    assert caught.value.failure.code is Code.CONTEXT_UNREACHABLE


@pytest.mark.parametrize("agent_id", ["", "a b", "../x", "ñ", "a" * 65, "a\n"])
async def test_an_id_that_no_agent_can_have_is_refused_and_nothing_is_asked(agent_id: str) -> None:
    router = new_router()
    route = router.get(url__regex=".*")
    with pytest.raises(ArgumentInvalid) as caught:
        await read_context(calling(router, agent_id))
    assert caught.value.argument == "agent_id"
    assert not route.called


@pytest.mark.parametrize(
    ("token", "header"), [({"CONTEXT_TOKEN": KEY}, f"Bearer {KEY}"), ({}, None)], ids=["token", "none"]
)
async def test_the_lifespan_opens_a_client_that_can_be_probed(token: dict[str, str], header: str | None) -> None:
    router, seams = new_router(), new_seams()
    route = router.get("/health").respond(json={"status": "ok"})
    settings = plugin.settings.model_validate({"CONTEXT_BASE_URL": BASE, **token})
    async with lifespan(Opening(settings, seams, transport(router))) as manager:
        row = await probe(manager, within(2, seams))
    assert (row.name, row.reachable) == ("Context Manager", True)
    assert route.calls.last.request.headers.get("Authorization") == header
