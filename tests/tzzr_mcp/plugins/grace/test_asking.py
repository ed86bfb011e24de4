"""The frame of every answer: what must be told first, the route, the source; and how a failure passes through."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.tzzr_mcp.plugins.answering import AnsweringGrace, calling
from tests.tzzr_mcp.plugins.calls import Progressed
from tests.tzzr_mcp.services.worlds import CATEGORY, TRACE_ID
from tzzr_mcp.contract.errors import ArgumentInvalid, Code, ContractError
from tzzr_mcp.output import Notice
from tzzr_mcp.plugins.grace.asking import INVENTED, MOST_TOLD, SHOWN
from tzzr_mcp.plugins.grace.semantic import clasificar, resumir
from tzzr_mcp.services.failures import failure
from tzzr_mcp.services.jobs import JobState

TEXT = {"texto": "Factura de la luz"}


async def test_the_request_has_the_calls_trace_and_every_argument() -> None:
    grace = AnsweringGrace(CATEGORY)
    await clasificar(calling(grace, {**TEXT, "idioma": "ca", "categorias": ["a", "b"], "modo": "lenient"}))
    (request,) = grace.asked
    assert request.envelope.trace_id == str(TRACE_ID)
    assert (request.context.lang, request.context.mode) == ("ca", "lenient")
    assert request.payload.params == {"categories": ["a", "b"]}


async def test_the_source_names_service_and_module_and_is_dated() -> None:
    output = await clasificar(calling(AnsweringGrace(CATEGORY), TEXT))
    assert output.source.as_json() == {
        "name": "GRACE/CLASSIFIER",
        "kind": "service",
        "retrieved_at": "2026-01-04T10:00:00.000Z",
        "simulated": True,
    }
    assert output.text.endswith("fuente: GRACE/CLASSIFIER (simulado) · 12 ms")


async def test_a_real_answer_is_not_called_simulated() -> None:
    output = await clasificar(calling(AnsweringGrace(CATEGORY, simulated=False), TEXT))
    assert "simulado" not in output.text
    assert not output.source.simulated


async def test_invented_content_is_told_in_the_first_line_in_a_notice_and_in_meta() -> None:
    output = await clasificar(calling(AnsweringGrace(CATEGORY, invented=True), TEXT))
    assert output.text.splitlines()[0] == INVENTED
    assert output.notice == Notice("warning", INVENTED)
    assert output.meta["invented"] is True


async def test_a_degraded_answer_tells_its_route() -> None:
    down = {"code": "MODULE_UNAVAILABLE", "message": "no disponible", "retryable": True, "details": {}}
    attempts = [
        {"module": "OCR_LOCAL", "status": "ERROR", "duration_ms": 812, "error": down},
        {"module": "OCR_GROQ", "status": "OK", "duration_ms": 1430},
    ]
    output = await clasificar(calling(AnsweringGrace(CATEGORY, attempts=attempts, status="DEGRADED"), TEXT))
    route = "ruta: OCR_LOCAL ✗ no disponible (812 ms) → OCR_GROQ ✓ (1,4 s) · respuesta degradada"
    assert output.text.splitlines()[-2] == route
    assert output.meta["attempts"] == attempts


async def test_progress_is_told_in_spanish_with_the_time_so_far() -> None:
    told = Progressed()
    states = [JobState.IN_QUEUE, JobState.IN_PROGRESS, JobState.UNKNOWN, JobState.COMPLETED]
    await clasificar(calling(AnsweringGrace(CATEGORY, states=states), TEXT, told))
    assert told.texts == [
        "En cola en GRACE (0 ms)",
        "GRACE está trabajando (0 ms)",
        "Esperando a GRACE (0 ms)",
        "GRACE terminó (0 ms)",
    ]


async def test_a_failure_passes_through_untouched() -> None:
    error = ContractError(failure(Code.GRACE_AUTH, "CLASSIFIER"))
    with pytest.raises(ContractError) as caught:
        await clasificar(calling(AnsweringGrace(CATEGORY, error=error), TEXT))
    assert caught.value is error


async def test_an_argument_that_no_contract_takes_is_refused_and_nothing_is_asked() -> None:
    grace = AnsweringGrace(CATEGORY)
    with pytest.raises(ArgumentInvalid) as caught:
        await clasificar(calling(grace, {"texto": "a\0b"}))
    assert caught.value.argument == "texto"
    assert grace.asked == []


SUMMARY = {"summary": "Uno. Dos.", "words": 2, "compression": 0.5}


@pytest.mark.parametrize(
    ("watched", "offered", "asked"), [(True, True, True), (True, False, None), (False, True, None)]
)
async def test_parts_are_asked_for_where_the_client_wants_progress(
    watched: bool, offered: bool, asked: bool | None
) -> None:
    grace = AnsweringGrace(SUMMARY)
    call = calling(grace, TEXT)
    await resumir(replace(call, watched=watched, clients=replace(call.clients, stream=offered)))
    assert grace.asked[0].envelope.stream is asked


async def test_a_tool_without_a_long_text_never_asks_for_parts() -> None:
    grace = AnsweringGrace(CATEGORY)
    await clasificar(replace(calling(grace, TEXT), watched=True))
    assert grace.asked[0].envelope.stream is None


async def test_a_text_is_told_as_it_is_written_in_notices_of_bounded_size() -> None:
    told = Progressed()
    long = "x" * (MOST_TOLD + 500)
    written = [(JobState.IN_PROGRESS, "Uno. "), (JobState.IN_PROGRESS, long), (JobState.IN_PROGRESS, "")]
    grace = AnsweringGrace(SUMMARY, states=[*written, (JobState.IN_PROGRESS, ""), (JobState.COMPLETED, "fin")])
    await resumir(calling(grace, TEXT, told))
    head = "GRACE escribe (0 ms): "
    assert told.texts[:2] == [f"{head}Uno. ", head + "x" * MOST_TOLD]
    assert told.texts[2:] == [head + "x" * 500, "GRACE está trabajando (0 ms)", "GRACE terminó (0 ms)"]


async def test_a_text_beyond_all_measure_is_cut_for_the_model_and_whole_in_the_data() -> None:
    summary = "x" * (SHOWN + 1)
    output = await resumir(calling(AnsweringGrace({**SUMMARY, "summary": summary}), TEXT))
    assert "\n(se muestran 100.000 de 100.001 caracteres; el resto, en los datos)\n" in output.text
    assert len(output.text) < SHOWN + 300
    assert output.data["summary"] == summary
