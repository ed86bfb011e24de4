"""GRACE: every way that a job can end, as one answer or one code of contract §2."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import httpx
import pytest

from tests.tzzr_mcp.services.grace_scene import (
    End,
    GraceScene,
    completed,
    ends,
    reports,
    swapped,
)
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
from tzzr_mcp.contract.errors import Code, ContractError
from tzzr_mcp.contract.translation import request_for, text_payload
from tzzr_mcp.services.grace import CODES, Grace
from tzzr_mcp.services.jobs import JobState
from tzzr_mcp.services.runpod import RunPod
from tzzr_mcp.services.troubles import Trouble


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


@pytest.mark.parametrize(
    ("lost", "details"),
    [
        ("worker lost", {"cause": "worker_lost"}),
        ("not ready", {"cause": "not_ready"}),
        ("raised", {"cause": "exception"}),
        ("no words", {"cause": "unknown"}),
        ("ran too long", {"state": "FAILED"}),
        ("timed out", {"state": "TIMED_OUT"}),
        ("gone", {"state": "GONE"}),
        ("cancelled", {}),
        ("another version", {"errors": [{"pointer": "/contract_version", "message": "Input should be '2.1'"}]}),
    ],
)
async def test_what_became_of_a_job_is_told_in_the_details(lost: str, details: dict[str, Any]) -> None:
    assert (await GraceScene(LOST[lost][0]).fail(a_request())).details == details


async def test_a_job_s_own_words_are_logged_for_whoever_keeps_the_server(caplog: pytest.LogCaptureFixture) -> None:
    await GraceScene(ends("FAILED", error=f"strange {KEY}")).fail(a_request())
    assert [record.getMessage() for record in caplog.records] == [
        f"grace: job 0 FAILED: strange [secreto] [{TRACE_ID}]"
    ]


async def test_the_answer_to_another_question_is_refused() -> None:
    failure = await GraceScene(swapped()).fail(a_request())
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


@pytest.mark.parametrize(("code", "retryable"), [("RATE_LIMITED", False), ("PAYLOAD_CORRUPT", True)])
async def test_whether_it_may_help_to_ask_again_is_grace_s_own_word(code: str, retryable: bool) -> None:
    failure = await GraceScene(reports(code, retryable=retryable)).fail(a_request())
    assert failure.retryable is retryable
    assert [attempt["error"]["retryable"] for attempt in failure.attempts] == [retryable]


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
    assert failure.message.startswith("No se pudo clasificar el texto: ")
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


def test_every_trouble_has_a_code() -> None:
    assert set(CODES) == set(Trouble)


@pytest.mark.parametrize("streams", [True, False], ids=["read while it yields", "polled"])
async def test_an_answer_in_parts_is_told_as_it_is_written_and_its_response_is_what_came_last(streams: bool) -> None:
    """RunPod shows all that a worker yielded: the parts (contract §2), then the response."""
    payload = text_payload("Una factura de la luz")
    lang = {"lang": "es", "mode": "strict"}
    asked = request_for("CLASSIFIER", payload, lang, trace_id=TRACE_ID, timestamp=START, stream=True)

    def yields(contract: Mapping[str, Any]) -> list[Any]:
        ids = {"trace_id": contract["envelope"]["trace_id"]}
        return [
            *({**ids, "part": number, "text": text} for number, text in enumerate(("fac", "tura"))),
            an_answer(contract),
        ]

    def stream(request: httpx.Request) -> httpx.Response:
        if not streams:
            return httpx.Response(404)
        return httpx.Response(
            200, json={"status": "COMPLETED", "stream": [{"output": o} for o in yields(scene.contracts[0])]}
        )

    scene = GraceScene(lambda contract: job("COMPLETED", output=yields(contract)))
    scene.router.get(url__regex=r".*/grace/stream/\d+\?wait=").mock(side_effect=stream)
    heard: list[str] = []

    async def listener(state: JobState, text: str) -> None:
        heard.append(text)

    answer = await scene.grace.run(asked, within(50, scene.seams), listener)
    assert answer.result["category"] == "factura"
    assert "".join(heard) == ("factura" if streams else "")


async def test_a_job_s_requests_are_told_with_their_module_and_key() -> None:
    scene, request = GraceScene(completed()), a_request()
    await scene.ask(request)
    asked = [event.details for event in scene.seams.trace if event.kind == "upstream.request"]
    own = ("CLASSIFIER", request.envelope.idempotency_key, str(TRACE_ID))
    assert {(each["module"], each["key"], each["trace_id"]) for each in asked} == {own}
