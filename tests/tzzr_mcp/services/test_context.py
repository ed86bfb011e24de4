"""The Context Manager: an agent's context, or one of its codes."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from tests.tzzr_mcp.services.worlds import TRACE_ID, Hang, Reply, new_router, new_seams, new_upstream, script, within
from tzzr_mcp.contract.errors import Code, ContractError
from tzzr_mcp.services.context import CODES, ContextManager, Known
from tzzr_mcp.services.troubles import Trouble

CONTEXT: dict[str, Any] = {
    "agent_id": "agente-7",
    "updated_at": "2026-01-04T09:00:00.000Z",
    "language": "es",
    "goals": ["Ordenar facturas"],
    "facts": [{"key": "iva", "value": "21", "source": "usuario"}],
    "recent": [{"role": "user", "text": "Hola", "at": "2026-01-04T08:59:00.000Z"}],
}


async def ask(reply: Reply) -> Known:
    router, seams = new_router(), new_seams()
    router.get("/v1/agents/agente-7/context").mock(side_effect=script(reply))
    return await ContextManager(new_upstream(router, seams, "context")).context("agente-7", within(50, seams), TRACE_ID)


async def test_a_context_is_read_and_what_is_new_in_it_ignored() -> None:
    told = await ask(httpx.Response(200, json={**CONTEXT, "mood": "good"}))
    assert (told.context.model_dump(), told.simulated) == (CONTEXT, False)


REFUSALS: dict[str, tuple[Reply, Code]] = {
    "404": (httpx.Response(404, json={"error": {"code": "AGENT_UNKNOWN", "message": "x"}}), Code.CONTEXT_NOT_FOUND),
    "401": (httpx.Response(401), Code.CONTEXT_AUTH),
    "403": (httpx.Response(403), Code.CONTEXT_AUTH),
    "429": (httpx.Response(429), Code.CONTEXT_RATE_LIMITED),
    "500": (httpx.Response(500), Code.CONTEXT_UNREACHABLE),
    "400": (httpx.Response(400), Code.CONTEXT_BAD_RESPONSE),
    "refused": (httpx.ConnectError("no"), Code.CONTEXT_UNREACHABLE),
    "page": (httpx.Response(200, text="<html>"), Code.CONTEXT_BAD_RESPONSE),
    "another shape": (httpx.Response(200, json={"agent_id": "agente-7"}), Code.CONTEXT_BAD_RESPONSE),
    "another agent": (httpx.Response(200, json={**CONTEXT, "agent_id": "agente-8"}), Code.CONTEXT_BAD_RESPONSE),
}


@pytest.mark.parametrize("refusal", REFUSALS)
async def test_each_trouble_has_its_code(refusal: str) -> None:
    reply, code = REFUSALS[refusal]
    with pytest.raises(ContractError) as caught:
        await ask(reply)
    assert caught.value.failure.code is code
    assert caught.value.failure.message.startswith("No se pudo leer el contexto del agente: ")
    status = f" ({reply.status_code})" if isinstance(reply, httpx.Response) else ""
    whose, _, how = str(caught.value.__cause__).partition(": ")
    assert (whose, how.endswith(status)) == ("context", True), "a developer reads in the log whose trouble it was"


async def test_an_agent_s_id_is_one_segment_of_the_path_that_is_asked_for_the_call() -> None:
    router, seams = new_router(), new_seams()
    route = router.get(url__regex=r".*").respond(404)
    with pytest.raises(ContractError):
        await ContextManager(new_upstream(router, seams, "context")).context("a/b?c", within(50, seams), TRACE_ID)
    assert route.calls.last.request.url.raw_path == b"/v2/v1/agents/a%2Fb%3Fc/context"
    (asked,) = (event for event in seams.trace if event.kind == "upstream.request")
    place = {"service": "context", "method": "GET", "path": "/v1/agents/a%2Fb%3Fc/context", "trace_id": str(TRACE_ID)}
    assert asked.details == place


async def test_one_that_hangs_ends_with_the_deadline() -> None:
    seams = new_seams()
    manager = ContextManager(new_upstream(Hang(seams), seams, "context"))
    with pytest.raises(ContractError) as caught:
        await manager.context("agente-7", within(4, seams), TRACE_ID)
    assert caught.value.failure.code is Code.CONTEXT_UNREACHABLE
    assert seams.clock.monotonic() == pytest.approx(4)


def test_every_trouble_has_a_code() -> None:
    assert set(CODES) == set(Trouble)
