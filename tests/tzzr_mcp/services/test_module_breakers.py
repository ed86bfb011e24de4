"""A module of GRACE that fails again and again is left alone for a while; the others go on."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from tests.tzzr_mcp.services.grace_scene import End, GraceScene, an_image, completed, ends, exhausted, read, reports
from tests.tzzr_mcp.services.worlds import a_request, job
from tzzr_mcp.contract.errors import Code

UNAVAILABLE = reports("MODULE_UNAVAILABLE", retryable=True)
TIMES = 5
"""Failures in a row that open a breaker."""


async def failed(scene: GraceScene, times: int = TIMES) -> list[Code]:
    return [(await scene.fail(a_request())).code for _ in range(times)]


@pytest.mark.parametrize(
    ("end", "code"),
    [
        (UNAVAILABLE, Code.MODULE_UNAVAILABLE),
        (reports("MODULE_TIMEOUT", retryable=True), Code.MODULE_TIMEOUT),
        (reports("INTERNAL", retryable=True), Code.INTERNAL),
        (ends("TIMED_OUT"), Code.GRACE_JOB_TIMEOUT),
        (ends("FAILED", error="job timed out after 1 retries"), Code.GRACE_JOB_FAILED),
    ],
)
async def test_after_five_failures_in_a_row_a_module_is_not_asked(end: End, code: Code) -> None:
    scene = GraceScene({"CLASSIFIER": end, "LANG_DETECT": completed(result={"language": "es", "confidence": 1.0})})
    assert await failed(scene) == [code] * TIMES
    refused = await scene.fail(a_request())
    assert (refused.code, refused.retryable) == (Code.CIRCUIT_OPEN, True)
    assert refused.message.startswith("No se pudo clasificar el texto: el módulo CLASSIFIER de GRACE falló varias")
    assert refused.message.endswith("Vuelva a intentarlo en 15 segundos.")
    assert len(scene.contracts) == TIMES
    assert scene.grace.breakers.troubled() == {"CLASSIFIER": "open"}
    assert str(scene.grace.runpod.upstream.breaker.state) == "closed"


@pytest.mark.parametrize(
    "end",
    [
        reports("PARAMS_INVALID", retryable=False),
        reports("RATE_LIMITED", retryable=True, retry_after_s=2),
        reports("LOW_CONFIDENCE", retryable=False),
        ends("FAILED", error='{"error_type": "<class \'ValueError\'>"}'),
        ends("CANCELLED"),
    ],
    ids=["a wrong question", "a limit", "an unsure answer", "a question that breaks it", "somebody's cancel"],
)
async def test_what_says_nothing_against_a_module_never_closes_the_way_to_it(end: End) -> None:
    scene = GraceScene(end)
    assert Code.CIRCUIT_OPEN not in await failed(scene, 8)
    assert scene.grace.breakers.troubled() == {}


async def test_after_a_while_one_job_tries_and_its_answer_opens_the_way_again() -> None:
    scene = GraceScene({"CLASSIFIER": UNAVAILABLE})
    await failed(scene)
    await scene.seams.clock.sleep(15)
    assert scene.grace.breakers.troubled() == {"CLASSIFIER": "half_open"}
    scene._ends = {"CLASSIFIER": completed()}
    assert (await scene.ask(a_request())).resolved == "CLASSIFIER"
    assert scene.grace.breakers.troubled() == {}
    told = [(event.details["module"], event.details["state"]) for event in scene.seams.trace if event.kind == "breaker"]
    assert told == [("CLASSIFIER", state) for state in ("open", "half_open", "closed")]
    assert {event.details["service"] for event in scene.seams.trace if event.kind == "breaker"} == {"grace"}


async def test_a_chain_whose_jobs_are_lost_again_and_again_is_still_walked() -> None:
    scene = GraceScene({"OCR_CORE": ends("FAILED", error="job timed out after 1 retries"), "OCR_LOCAL": read()})
    for _ in range(TIMES + 3):
        assert (await scene.ask(an_image())).resolved == "OCR_LOCAL"


async def test_the_second_line_passes_over_an_engine_that_rests() -> None:
    lost = ends("FAILED", error="job timed out after 1 retries")
    scene = GraceScene({"OCR_CORE": lost, "OCR_LOCAL": UNAVAILABLE, "OCR_GROQ": read()})
    for _ in range(TIMES):
        await scene.ask(an_image())
    asked = len(scene.contracts)
    answer = await scene.ask(an_image())
    assert scene.modules[asked:] == ["OCR_CORE", "OCR_GROQ"]
    hop = answer.attempts[0]["error"]
    assert (hop["code"], hop["message"]) == ("CIRCUIT_OPEN", "en pausa tras varios fallos, reintentar en 15 segundos")
    assert answer.degraded


async def test_what_grace_tells_of_its_own_chain_is_learnt_too() -> None:
    down = {"code": "MODULE_UNAVAILABLE", "message": "down", "retryable": True}
    attempts: list[dict[str, Any]] = [
        {"module": "OCR_LOCAL", "status": "ERROR", "error": down, "duration_ms": 8},
        {"module": "OCR_GROQ", "status": "OK", "duration_ms": 14},
    ]
    routing = {"module": "OCR_CORE", "version": "1.0", "resolved": "OCR_GROQ", "attempts": attempts}
    scene = GraceScene(completed(result=read_of(), status="DEGRADED", routing=routing))
    for _ in range(TIMES):
        await scene.ask(an_image())
    assert scene.grace.breakers.troubled() == {"OCR_LOCAL": "open"}
    assert (await scene.ask(an_image())).resolved == "OCR_GROQ"


def read_of() -> Any:
    contract = {"routing": {"module": "OCR_CORE"}, "profile": "LITE", "envelope": {}}
    return read()(contract).json()["output"]["result"]


async def test_the_two_breakers_are_apart() -> None:
    scene = GraceScene(lambda contract: job("COMPLETED", output="50 %"))
    await failed(scene, 5)
    assert scene.grace.breakers.troubled() == {"CLASSIFIER": "open"}


async def test_what_happens_on_the_way_to_grace_neither_counts_nor_makes_good() -> None:
    scene = GraceScene({"CLASSIFIER": UNAVAILABLE})
    await failed(scene, TIMES - 1)
    scene._ends = {"CLASSIFIER": lambda contract: httpx.Response(401)}
    assert await failed(scene, 2) == [Code.GRACE_AUTH] * 2
    assert scene.grace.breakers.troubled() == {}
    scene._ends = {"CLASSIFIER": UNAVAILABLE}
    await failed(scene, 1)
    assert scene.grace.breakers.troubled() == {"CLASSIFIER": "open"}


async def test_a_chain_s_head_that_reports_that_nothing_works_is_left_alone_too() -> None:
    scene = GraceScene(exhausted())
    for _ in range(TIMES):
        assert (await scene.fail(an_image())).code is Code.FALLBACK_EXHAUSTED
    assert (await scene.fail(an_image())).code is Code.CIRCUIT_OPEN
    assert scene.grace.breakers.troubled() == dict.fromkeys(("OCR_CORE", "OCR_LOCAL", "OCR_OPENAI"), "open")
