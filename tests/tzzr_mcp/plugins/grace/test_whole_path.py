"""One tool call from its arguments to its result, over RunPod's HTTP as its documents have it."""

from __future__ import annotations

import json

import httpx

from tests.tzzr_mcp.plugins.calls import Progressed, a_call
from tests.tzzr_mcp.services.worlds import BASE, KEY, an_answer, new_router, new_seams, transport
from tzzr_mcp.plugins.api import Opening
from tzzr_mcp.plugins.grace import plugin
from tzzr_mcp.plugins.grace.clients import lifespan
from tzzr_mcp.plugins.grace.semantic import clasificar


async def test_clasificar_goes_to_grace_and_back() -> None:
    router = new_router()
    sent: list[httpx.Request] = []

    def run(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        return httpx.Response(200, json={"id": "job-1-u1", "status": "IN_QUEUE"})

    def status(request: httpx.Request) -> httpx.Response:
        answer = an_answer(json.loads(sent[0].content)["input"])
        return httpx.Response(200, json={"id": "job-1-u1", "status": "COMPLETED", "output": answer})

    router.post("/grace/run").mock(side_effect=run)
    router.get("/grace/status/job-1-u1").mock(side_effect=status)
    seams, told = new_seams(), Progressed()
    settings = plugin.settings.model_validate({"RUNPOD_API_KEY": KEY, "GRACE_BASE_URL": BASE})

    async with lifespan(Opening(settings, seams, transport(router))) as clients:
        output = await clasificar(a_call(clients, seams, {"texto": "Factura de la luz"}, told))

    contract = json.loads(sent[0].content)["input"]
    assert contract["routing"]["module"] == "CLASSIFIER"
    assert contract["payload"]["content"] == "Factura de la luz"
    assert sent[0].headers["Authorization"] == f"Bearer {KEY}"
    assert output.text.splitlines() == [
        "Categoría: factura (confianza 0,75)",
        "Otras posibles: contrato 0,25",
        "fuente: GRACE/CLASSIFIER (simulado) · 12 ms",
    ]
    assert output.data["category"] == "factura"
    assert output.meta["attempts"] == [{"module": "CLASSIFIER", "status": "OK", "duration_ms": 12}]
    assert told.texts == ["En cola en GRACE (0 ms)", "GRACE terminó (50 ms)"]
