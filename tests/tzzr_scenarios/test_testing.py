"""The fixture ``tzzr``, as a test of somebody else's would use it."""

from __future__ import annotations

import asyncio

import pytest
from mcp import MCPError
from mcp.types import ResourceTemplateReference

from tzzr_scenarios.testing import Tzzr


@pytest.mark.tzzr(seed=7, faults=["grace: first 2 calls fail with 503"])
async def test_the_server_waits_and_tells(tzzr: Tzzr) -> None:
    async with tzzr.client() as client:
        result = await client.call_tool("clasificar", {"texto": "Factura de la luz"})
    assert result.structured_content is not None
    assert result.structured_content["data"]["category"] == "factura"
    tzzr.grace.saw("POST /run", times=3)
    assert 0 < tzzr.elapsed < 10


async def test_a_service_that_saw_nothing_shows_no_request(tzzr: Tzzr) -> None:
    async with tzzr.client() as client:
        await client.call_tool("clasificar", {})
    assert tzzr.grace.exchanges == []
    with pytest.raises(AssertionError, match="no request arrived"):
        tzzr.grace.saw("POST /run")


async def test_a_fault_that_never_fired_fails_the_test_that_planned_it(tzzr: Tzzr) -> None:
    tzzr.inject("grace: OCR_LOCAL is down")
    with pytest.raises(AssertionError, match="OCR_LOCAL is down"):
        tzzr.check()
    tzzr.world.plan.clear()


async def test_a_fault_can_come_and_go_within_a_test(tzzr: Tzzr) -> None:
    tzzr.inject("grace: every call fails with 401")
    async with tzzr.client() as client:
        refused = await client.call_tool("generar_hash", {"texto": "hola"})
        tzzr.heal()
        result = await client.call_tool("generar_hash", {"texto": "hola"})
    assert refused.is_error
    assert not result.is_error


async def test_a_test_asks_the_chat_gateway_and_looks_at_what_the_model_saw(tzzr: Tzzr) -> None:
    script = [{"call": {"generar_hash": {"texto": "hola"}}, "answer": "{generar_hash}"}]
    async with tzzr.chat(script) as chat:
        seen = (await chat.ask("¿Qué huella tiene «hola»?")).seen
    assert seen.chat is not None
    assert [tool["name"] for tool in seen.chat["tools"]] == ["generar_hash"]
    assert "sha256" in seen.text
    tzzr.llm.saw("POST /v1/chat/completions", times=2)


async def test_two_clients_share_one_world(tzzr: Tzzr) -> None:
    async with tzzr.client() as one, tzzr.client("2025-11-25") as other:
        first = await one.call_tool("generar_hash", {"texto": "hola"})
        second = await other.call_tool("generar_hash", {"texto": "hola"})
    assert first.structured_content is not None
    assert second.structured_content is not None
    assert first.structured_content["data"] == second.structured_content["data"]
    assert len({exchange.trace_id for exchange in tzzr.grace.saw("POST /run")}) == 2


async def test_what_a_client_asks_and_hears_is_in_the_trace(tzzr: Tzzr) -> None:
    async with tzzr.client() as client:
        await client.list_tools()
        await client.call_tool(name="generar_hash", arguments={"texto": "hola"})
        await client.call_tool("generar_hash", {})
        await client.read_resource("tzzr://servers/status")
        await client.complete(ResourceTemplateReference(uri="tzzr://hst/tag/{ref}"), {"name": "ref", "value": "f"})
        with pytest.raises(MCPError):
            await client.get_prompt("nadie")
        waiting = asyncio.ensure_future(client.call_tool("clasificar", {"texto": "Factura"}))
        await tzzr.world.seams.clock.sleep(0.01)
        waiting.cancel()
    told = [event for event in tzzr.world.trace if event.source == "client"]
    assert [(event.kind, *list(event.details.values())[:2]) for event in told if event.kind == "request"] == [
        ("request", "list", "tools"),
        ("request", "call", "generar_hash"),
        ("request", "call", "generar_hash"),
        ("request", "read", "tzzr://servers/status"),
        ("request", "complete", "tzzr://hst/tag/{ref}"),
        ("request", "prompt", "nadie"),
        ("request", "call", "clasificar"),
    ]
    assert [event.details["outcome"] for event in told if event.kind == "answer"] == [
        "ok", "ok", "ARGUMENT_INVALID", "ok", "ok", "-32602", "cancelled",
    ]  # fmt: skip
