"""The chain of modules: as GRACE walked it, and the second line, which the server walks itself."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any

import httpx
import pytest

from tests.tzzr_mcp.services.grace_scene import (
    PNG,
    READ,
    End,
    GraceScene,
    an_image,
    completed,
    ends,
    exhausted,
    read,
    reports,
    swapped,
)
from tests.tzzr_mcp.services.worlds import (
    TRACE_ID,
    a_request,
    job,
)
from tzzr_mcp.contract.errors import Code


async def test_a_chain_that_grace_walked_is_passed_on_as_it_was() -> None:
    down = {"code": "MODULE_UNAVAILABLE", "message": "down", "retryable": True}
    attempts = [
        {"module": "OCR_LOCAL", "status": "ERROR", "error": down, "duration_ms": 812},
        {"module": "OCR_GROQ", "status": "OK", "duration_ms": 1430},
    ]
    routing = {"module": "OCR_CORE", "version": "1.0", "resolved": "OCR_GROQ", "attempts": attempts}
    scene = GraceScene(completed(result=READ, status="DEGRADED", routing=routing))
    answer = await scene.ask(an_image())
    assert (answer.resolved, answer.degraded) == ("OCR_GROQ", True)
    error = {"code": "MODULE_UNAVAILABLE", "message": "no disponible", "retryable": True, "details": {}}
    assert answer.attempts == [{**attempts[0], "error": error}, attempts[1]]
    assert scene.modules == ["OCR_CORE"]


async def test_an_exhausted_chain_names_every_engine_and_is_not_walked_again() -> None:
    scene = GraceScene(exhausted())
    failure = await scene.fail(an_image())
    assert failure.message == (
        "No se pudo leer la imagen: los tres motores de OCR fallaron (local: no disponible; Groq: límite de uso, "
        "reintentar en 30 segundos; OpenAI: tiempo agotado). Vuelva a intentarlo en 30 segundos."
    )
    assert [attempt["module"] for attempt in failure.attempts] == ["OCR_LOCAL", "OCR_GROQ", "OCR_OPENAI"]
    assert scene.modules == ["OCR_CORE"]


@pytest.mark.parametrize(
    "lost",
    [
        ends("FAILED", error="job timed out after 1 retries"),
        ends("TIMED_OUT"),
        ends("COMPLETED"),
        ends("COMPLETED", output={"contract_version": "2.1"}),
        lambda contract: httpx.Response(404),
    ],
    ids=["worker lost", "timed out", "no output", "malformed", "gone"],
)
async def test_a_chain_whose_job_is_lost_is_walked_by_the_server(lost: End) -> None:
    unavailable = reports("MODULE_UNAVAILABLE", retryable=True)
    scene = GraceScene({"OCR_CORE": lost, "OCR_LOCAL": unavailable, "OCR_GROQ": read()})
    answer = await scene.ask(an_image())
    assert scene.modules == ["OCR_CORE", "OCR_LOCAL", "OCR_GROQ"]
    assert (answer.module, answer.resolved, answer.status) == ("OCR_CORE", "OCR_GROQ", "DEGRADED")
    assert [(hop["module"], hop["status"]) for hop in answer.attempts] == [("OCR_LOCAL", "ERROR"), ("OCR_GROQ", "OK")]
    assert {contract["envelope"]["trace_id"] for contract in scene.contracts} == {str(TRACE_ID)}
    assert len({contract["envelope"]["idempotency_key"] for contract in scene.contracts}) == 3
    assert all(base64.b64decode(contract["payload"]["content"]) == PNG for contract in scene.contracts)
    assert [event.details["module"] for event in scene.seams.trace if event.kind == "fallback"] == [
        "OCR_LOCAL",
        "OCR_GROQ",
    ]


async def test_the_first_module_of_the_second_line_is_no_degradation() -> None:
    scene = GraceScene({"OCR_CORE": ends("FAILED"), "OCR_LOCAL": read()})
    answer = await scene.ask(an_image())
    assert (answer.resolved, answer.status) == ("OCR_LOCAL", "OK")


async def test_the_second_line_goes_on_after_low_confidence_and_lost_jobs() -> None:
    low = reports("LOW_CONFIDENCE", retryable=False, confidence=0.1, threshold=0.6)
    scene = GraceScene(
        {"OCR_CORE": ends("FAILED"), "OCR_LOCAL": low, "OCR_GROQ": ends("TIMED_OUT"), "OCR_OPENAI": read()}
    )
    answer = await scene.ask(an_image())
    codes = [hop.get("error", {}).get("code") for hop in answer.attempts]
    assert codes == ["LOW_CONFIDENCE", "GRACE_JOB_TIMEOUT", None]


async def test_the_second_line_ends_at_what_another_engine_cannot_mend() -> None:
    corrupt = reports("PAYLOAD_CORRUPT", retryable=False)
    unavailable = reports("MODULE_UNAVAILABLE", retryable=True)
    scene = GraceScene({"OCR_CORE": ends("FAILED"), "OCR_LOCAL": unavailable, "OCR_GROQ": corrupt})
    failure = await scene.fail(an_image())
    assert failure.code is Code.PAYLOAD_CORRUPT
    assert [attempt["module"] for attempt in failure.attempts] == ["OCR_LOCAL", "OCR_GROQ"]
    assert scene.modules == ["OCR_CORE", "OCR_LOCAL", "OCR_GROQ"]


async def test_a_second_line_without_success_is_exhausted_and_names_every_engine() -> None:
    scene = GraceScene(ends("FAILED"))
    failure = await scene.fail(an_image())
    assert (failure.code, failure.retryable) == (Code.FALLBACK_EXHAUSTED, True)
    assert "los tres motores de OCR fallaron (local: el trabajo falló; Groq:" in failure.message
    assert [attempt["module"] for attempt in failure.attempts] == ["OCR_LOCAL", "OCR_GROQ", "OCR_OPENAI"]


async def test_the_second_line_shares_the_deadline() -> None:
    scene = GraceScene({"OCR_CORE": ends("FAILED"), "OCR_LOCAL": ends("FAILED"), "OCR_GROQ": ends("IN_QUEUE")})
    failure = await scene.fail(an_image(), seconds=20)
    assert failure.code is Code.GRACE_DEADLINE
    assert [attempt["module"] for attempt in failure.attempts] == ["OCR_LOCAL"]
    assert scene.seams.clock.monotonic() <= 20


async def test_a_chain_that_answers_another_question_is_not_walked_on() -> None:
    attempt = {"module": "OCR_LOCAL", "status": "OK", "duration_ms": 7}
    routing = {"module": "OCR_CORE", "version": "1.0", "resolved": "OCR_LOCAL", "attempts": [attempt]}
    scene = GraceScene(swapped(result=READ, routing=routing))
    assert (await scene.fail(an_image())).code is Code.CONTRACT_MISMATCH
    assert scene.modules == ["OCR_CORE"]


async def test_a_cancelled_job_of_a_chain_is_not_walked_on() -> None:
    scene = GraceScene(ends("CANCELLED"))
    failure = await scene.fail(an_image())
    assert failure.code is Code.GRACE_JOB_CANCELLED
    assert scene.modules == ["OCR_CORE"]


async def test_a_module_without_a_chain_is_asked_once() -> None:
    scene = GraceScene(ends("FAILED"))
    await scene.fail(a_request())
    assert scene.modules == ["CLASSIFIER"]


async def test_each_step_of_the_second_line_is_told_and_how_long_it_took() -> None:
    lost = ends("FAILED", error="job timed out after 1 retries")
    scene = GraceScene({"OCR_CORE": lost, "OCR_LOCAL": lost, "OCR_GROQ": read()})
    answer = await scene.ask(an_image())
    told = [(event.source, event.details) for event in scene.seams.trace if event.kind == "fallback"]
    assert told == [
        ("server", {"module": name, "after": "GRACE_JOB_FAILED", "trace_id": str(TRACE_ID)})
        for name in ("OCR_LOCAL", "OCR_GROQ")
    ]
    assert answer.attempts[0]["module"] == "OCR_LOCAL"
    assert answer.attempts[0]["duration_ms"] == 50, "the first look at the job, after 50 ms, found it lost"


async def test_an_engine_that_took_long_is_told_with_its_time_to_the_millisecond() -> None:
    def slow(contract: Mapping[str, Any]) -> httpx.Response:
        return job("IN_PROGRESS") if scene.seams.clock.monotonic() < 9 else job("TIMED_OUT")

    scene = GraceScene({"OCR_CORE": ends("FAILED"), "OCR_LOCAL": slow, "OCR_GROQ": read()})
    answer = await scene.ask(an_image())
    begun, ended = (event.at for event in scene.seams.trace if event.kind == "fallback")
    assert ended - begun > 8
    assert answer.attempts[0]["duration_ms"] == round((ended - begun) * 1000)
