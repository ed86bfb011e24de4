"""GRACE: every way that a job can end, as one answer or one code of contract §2; and the second line of a chain."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Mapping
from typing import Any

import httpx
import pytest

from tests.tzzr_mcp.services.worlds import (
    KEY,
    START,
    TRACE_ID,
    Hang,
    Reply,
    a_request,
    an_answer,
    job,
    new_router,
    new_seams,
    new_upstream,
    nobody,
    script,
    within,
)
from tzzr_mcp.contract.errors import Code, ContractError, Failure
from tzzr_mcp.contract.request import Request
from tzzr_mcp.contract.translation import binary_payload, request_for
from tzzr_mcp.services.answers import Answer
from tzzr_mcp.services.grace import CODES, Grace
from tzzr_mcp.services.runpod import RunPod
from tzzr_mcp.services.troubles import Trouble

PNG = b"\x89PNG\r\n\x1a\n" + bytes(16)
READ = {
    "text": "Total factura",
    "confidence": 0.9,
    "language": "es",
    "pages": [{"page": 1, "text": "Total factura", "width_px": 8, "height_px": 8, "confidence": 0.9}],
}

End = Callable[[Mapping[str, Any]], httpx.Response]
"""What ``/status`` says of a job, given the contract that was submitted."""


class GraceScene:
    """GRACE on RunPod: ``ends`` says how a job for each module ends."""

    def __init__(self, ends: Mapping[str, End] | End) -> None:
        self.seams = new_seams()
        self.contracts: list[Mapping[str, Any]] = []
        self._ends = ends
        router = new_router()
        router.post("/grace/run").mock(side_effect=self._run)
        router.get(url__regex=r".*/grace/status/\d+$").mock(side_effect=self._status)
        self.cancel = router.post(url__regex=r".*/grace/cancel/\d+$").mock(side_effect=script(job("CANCELLED")))
        self.grace = Grace(RunPod(new_upstream(router, self.seams), "grace"))

    def _run(self, request: httpx.Request) -> httpx.Response:
        self.contracts.append(json.loads(request.content)["input"])
        return httpx.Response(200, json={"id": str(len(self.contracts) - 1), "status": "IN_QUEUE"})

    def _status(self, request: httpx.Request) -> httpx.Response:
        contract = self.contracts[int(request.url.path.rpartition("/")[2])]
        end = self._ends[contract["routing"]["module"]] if isinstance(self._ends, Mapping) else self._ends
        return end(contract)

    async def ask(self, request: Request, seconds: float = 50) -> Answer:
        return await self.grace.run(request, within(seconds, self.seams), nobody)

    async def fail(self, request: Request, seconds: float = 50) -> Failure:
        with pytest.raises(ContractError) as caught:
            await self.ask(request, seconds)
        return caught.value.failure

    @property
    def modules(self) -> list[str]:
        return [contract["routing"]["module"] for contract in self.contracts]


def completed(**changes: Any) -> End:
    return lambda contract: job("COMPLETED", output=an_answer(contract, **changes))


def ends(status: str, **fields: Any) -> End:
    return lambda contract: job(status, **fields)


def an_image() -> Request:
    payload = binary_payload("image", PNG, "image/png")
    return request_for("OCR_CORE", payload, {"lang": "es", "mode": "strict"}, trace_id=TRACE_ID, timestamp=START)


def read() -> End:
    return completed(result=READ)


def reports(code: str, *, retryable: bool, **details: Any) -> End:
    def end(contract: Mapping[str, Any]) -> httpx.Response:
        problem = {"code": code, "message": f"upstream words {KEY}", "retryable": retryable, "details": details}
        module = contract["routing"]["module"]
        attempt = {"module": module, "status": "ERROR", "duration_ms": 5, "error": problem}
        routing = {"module": module, "version": "1.0", "resolved": None, "attempts": [attempt]}
        output = an_answer(contract, status="ERROR", failure=problem, routing=routing)
        return job("COMPLETED", output={**output, "result": None})

    return end


async def test_an_answer_tells_who_answered_and_how_far_it_is_real() -> None:
    answer = await GraceScene(completed()).ask(a_request())
    assert (answer.module, answer.resolved, answer.status) == ("CLASSIFIER", "CLASSIFIER", "OK")
    assert (answer.simulated, answer.invented, answer.duration_ms, answer.degraded) == (True, False, 12, False)
    assert answer.result["category"] == "factura"


LOST: dict[str, tuple[End, Code, bool]] = {
    "worker lost": (ends("FAILED", error="job timed out after 1 retries"), Code.GRACE_JOB_FAILED, True),
    "not ready": (ends("FAILED", error="Server not ready after timeout (30s)"), Code.GRACE_JOB_FAILED, True),
    "raised": (ends("FAILED", error=json.dumps({"error_type": "<class 'ValueError'>"})), Code.GRACE_JOB_FAILED, False),
    "strange words": (ends("FAILED", error=f"strange {KEY}"), Code.GRACE_JOB_FAILED, False),
    "no words": (ends("FAILED"), Code.GRACE_JOB_FAILED, False),
    "ran too long": (ends("FAILED", error="executionTimeout exceeded"), Code.GRACE_JOB_TIMEOUT, True),
    "timed out": (ends("TIMED_OUT"), Code.GRACE_JOB_TIMEOUT, True),
    "gone": (lambda contract: httpx.Response(404), Code.GRACE_JOB_TIMEOUT, True),
    "cancelled": (ends("CANCELLED"), Code.GRACE_JOB_CANCELLED, False),
    "no output": (ends("COMPLETED"), Code.GRACE_BAD_RESPONSE, True),
    "error inside": (ends("COMPLETED", output={"code": 500, "message": "boom"}), Code.GRACE_BAD_RESPONSE, True),
    "progress": (ends("COMPLETED", output="50 %"), Code.GRACE_BAD_RESPONSE, True),
    "another result": (completed(result={"category": "x"}), Code.GRACE_BAD_RESPONSE, True),
    "another version": (completed(contract_version="3.0"), Code.GRACE_BAD_RESPONSE, True),
}


@pytest.mark.parametrize("lost", LOST)
async def test_a_job_without_a_usable_response_has_its_code(lost: str) -> None:
    end, code, retryable = LOST[lost]
    failure = await GraceScene(end).fail(a_request())
    assert (failure.code, failure.retryable) == (code, retryable)
    assert failure.message.startswith("No se pudo clasificar el texto: ")


async def test_the_answer_to_another_question_is_refused() -> None:
    def swapped(contract: Mapping[str, Any]) -> httpx.Response:
        answer = an_answer(contract)
        envelope = {**answer["envelope"], "trace_id": "11111111-1111-4111-8111-111111111111"}
        return job("COMPLETED", output={**answer, "envelope": envelope})

    failure = await GraceScene(swapped).fail(a_request())
    assert (failure.code, failure.retryable) == (Code.CONTRACT_MISMATCH, False)


async def test_a_response_that_the_handler_wrapped_once_more_is_understood() -> None:
    answer = await GraceScene(lambda contract: job("COMPLETED", output={"output": an_answer(contract)})).ask(
        a_request()
    )
    assert answer.result["category"] == "factura"


REPORTED: list[tuple[str, bool, dict[str, Any], dict[str, Any]]] = [
    ("CONTRACT_INVALID", False, {"errors": [{"pointer": "/x", "message": KEY}]}, {}),
    ("CONTRACT_VERSION_UNSUPPORTED", False, {"supported": ["2.1"]}, {"supported": ["2.1"]}),
    ("MODULE_UNKNOWN", False, {"module": "SENTIMENT"}, {"module": "SENTIMENT"}),
    ("PAYLOAD_UNSUPPORTED", False, {"accepted": ["image/png"]}, {"accepted": ["image/png"]}),
    ("PAYLOAD_TOO_LARGE", False, {"limit_bytes": 10, "size_bytes": 20}, {"limit_bytes": 10, "size_bytes": 20}),
    ("PAYLOAD_CORRUPT", False, {"accepted": [KEY], "module": KEY}, {}),
    ("LANG_UNSUPPORTED", False, {"supported": ["es", "<b>"]}, {}),
    ("LOW_CONFIDENCE", False, {"confidence": 0.2, "threshold": 0.3}, {"confidence": 0.2, "threshold": 0.3}),
    (
        "PARAMS_INVALID",
        False,
        {"errors": [{"pointer": "/payload/params/max_words", "message": KEY}, {"pointer": KEY}, KEY]},
        {"arguments": ["max_palabras"]},
    ),
    ("MODULE_UNAVAILABLE", True, {"secret": KEY}, {}),
    ("MODULE_TIMEOUT", True, {"timeout_ms": 500}, {"timeout_ms": 500}),
    ("RATE_LIMITED", True, {"retry_after_s": 30}, {"retry_after_s": 30}),
    ("INTERNAL", True, {"retry_after_s": True}, {}),
]


@pytest.mark.parametrize(("code", "retryable", "details", "passed"), REPORTED, ids=[row[0] for row in REPORTED])
async def test_a_failure_that_grace_reports_keeps_its_code_and_loses_its_words(
    code: str, retryable: bool, details: dict[str, Any], passed: dict[str, Any]
) -> None:
    failure = await GraceScene(reports(code, retryable=retryable, **details)).fail(a_request())
    assert (failure.code, failure.retryable, failure.details) == (code, retryable, passed)
    told = json.dumps(failure.as_json(), ensure_ascii=False)
    assert KEY not in told
    assert "upstream words" not in told


REFUSALS: dict[str, tuple[Reply, Code, bool]] = {
    "401": (httpx.Response(401), Code.GRACE_AUTH, False),
    "403": (httpx.Response(403, text="error code: 1010"), Code.GRACE_AUTH, False),
    "404": (httpx.Response(404), Code.GRACE_ENDPOINT_NOT_FOUND, False),
    "413": (httpx.Response(413), Code.PAYLOAD_TOO_LARGE, False),
    "429": (httpx.Response(429, headers={"Retry-After": "120"}), Code.GRACE_RATE_LIMITED, True),
    "400": (httpx.Response(400, json={"error": "policy"}), Code.GRACE_BAD_RESPONSE, False),
    "500": (httpx.Response(500), Code.GRACE_UNREACHABLE, True),
    "502 with a page": (httpx.Response(502, text="<html>"), Code.GRACE_UNREACHABLE, True),
    "200 with a page": (httpx.Response(200, text="<html>"), Code.GRACE_BAD_RESPONSE, True),
    "refused": (httpx.ConnectError(f"refused {KEY}"), Code.GRACE_UNREACHABLE, True),
    "no answer": (httpx.ReadTimeout(""), Code.GRACE_UNREACHABLE, True),
}


@pytest.mark.parametrize("refusal", REFUSALS)
async def test_a_submission_that_fails_has_its_code(refusal: str) -> None:
    reply, code, retryable = REFUSALS[refusal]
    router, seams = new_router(), new_seams()
    router.post("/grace/run").mock(side_effect=script(reply))
    grace = Grace(RunPod(new_upstream(router, seams), "grace"))
    with pytest.raises(ContractError) as caught:
        await grace.run(a_request(), within(50, seams), nobody)
    failure = caught.value.failure
    assert (failure.code, failure.retryable) == (code, retryable)
    assert KEY not in json.dumps(failure.as_json())


async def test_a_rate_limit_tells_how_long_to_wait() -> None:
    router, seams = new_router(), new_seams()
    router.post("/grace/run").respond(429, headers={"Retry-After": "120"})
    with pytest.raises(ContractError) as caught:
        await Grace(RunPod(new_upstream(router, seams), "grace")).run(a_request(), within(50, seams), nobody)
    assert caught.value.failure.details["retry_after_s"] == 120
    assert "en 2 minutos" in caught.value.failure.message


async def test_a_job_that_does_not_end_is_cancelled_and_told_as_the_deadline() -> None:
    scene = GraceScene(ends("IN_QUEUE"))
    failure = await scene.fail(a_request())
    assert (failure.code, failure.retryable) == (Code.GRACE_DEADLINE, True)
    assert scene.cancel.call_count == 1


@pytest.mark.parametrize(
    ("state", "told"),
    [("IN_QUEUE", "seguía en cola en GRACE"), ("IN_PROGRESS", "no terminó a tiempo y el trabajo se canceló")],
)
async def test_the_deadline_tells_how_far_the_job_had_come(state: str, told: str) -> None:
    failure = await GraceScene(ends(state)).fail(a_request())
    assert failure.details["state"] == state
    assert told in failure.message


async def test_a_deadline_before_there_was_a_job_speaks_of_none() -> None:
    seams = new_seams()
    grace = Grace(RunPod(new_upstream(Hang(seams), seams), "grace"))
    with pytest.raises(ContractError) as caught:
        await grace.run(a_request(), within(5, seams), nobody)
    assert caught.value.failure.code is Code.GRACE_DEADLINE
    assert "GRACE no contestó a tiempo" in caught.value.failure.message


async def test_a_grace_that_hangs_is_told_within_the_deadline() -> None:
    seams = new_seams()
    grace = Grace(RunPod(new_upstream(Hang(seams), seams), "grace"))
    with pytest.raises(ContractError) as caught:
        await grace.run(a_request(), within(50, seams), nobody)
    assert caught.value.failure.code in {Code.GRACE_UNREACHABLE, Code.GRACE_DEADLINE}
    assert seams.clock.monotonic() <= 50


async def test_after_many_failures_in_a_row_grace_is_left_alone_for_a_while() -> None:
    router, seams = new_router(), new_seams()
    run = router.post("/grace/run").respond(503)
    grace = Grace(RunPod(new_upstream(router, seams), "grace"))
    codes = []
    for _ in range(3):
        with pytest.raises(ContractError) as caught:
            await grace.run(a_request(), within(50, seams), nobody)
        codes.append(caught.value.failure.code)
    assert codes == [Code.GRACE_UNREACHABLE, Code.GRACE_UNREACHABLE, Code.CIRCUIT_OPEN]
    assert run.call_count == 5


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
    assert [hop["module"] for hop in answer.attempts] == ["OCR_LOCAL", "OCR_GROQ"]
    assert answer.attempts[0]["error"]["message"] == "no disponible"
    assert scene.modules == ["OCR_CORE"]


def exhausted() -> End:
    """GRACE has walked the whole chain of OCR_CORE, each engine with a reason of its own."""

    def error(code: str, **details: Any) -> dict[str, Any]:
        return {"code": code, "message": "words", "retryable": True, "details": details}

    problems = {
        "OCR_LOCAL": error("MODULE_UNAVAILABLE"),
        "OCR_GROQ": error("RATE_LIMITED", retry_after_s=30),
        "OCR_OPENAI": error("MODULE_TIMEOUT"),
    }
    attempts = [
        {"module": name, "status": "ERROR", "duration_ms": 1, "error": problem} for name, problem in problems.items()
    ]
    routing = {"module": "OCR_CORE", "version": "1.0", "resolved": None, "attempts": attempts}
    changes: dict[str, Any] = {"status": "ERROR", "routing": routing, "failure": error("FALLBACK_EXHAUSTED")}
    return lambda contract: job("COMPLETED", output={**an_answer(contract, **changes), "result": None})


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


async def test_a_cancelled_job_of_a_chain_is_not_walked_on() -> None:
    scene = GraceScene(ends("CANCELLED"))
    failure = await scene.fail(an_image())
    assert failure.code is Code.GRACE_JOB_CANCELLED
    assert scene.modules == ["OCR_CORE"]


async def test_a_module_without_a_chain_is_asked_once() -> None:
    scene = GraceScene(ends("FAILED"))
    await scene.fail(a_request())
    assert scene.modules == ["CLASSIFIER"]


def test_every_trouble_has_a_code() -> None:
    assert set(CODES) == set(Trouble)


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


async def test_a_job_s_requests_are_told_with_their_module_and_key() -> None:
    scene, request = GraceScene(completed()), a_request()
    await scene.ask(request)
    asked = [event.details for event in scene.seams.trace if event.kind == "upstream.request"]
    assert {(each["module"], each["key"]) for each in asked} == {("CLASSIFIER", request.envelope.idempotency_key)}
