"""GRACE's worker: validates, answers in the contract's form, computes each key once (CONTRACT §1 to §3)."""

from __future__ import annotations

import copy
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from tests.tzzr_mocks.grace.caller import Caller, calling
from tests.tzzr_mocks.grace.contracts import TRACE, binary_request, png, speech, text_request
from tzzr_mcp.contract.catalogue import MODULES
from tzzr_mcp.contract.response import Response
from tzzr_mcp.contract.schemas import response_errors
from tzzr_mocks.grace.reading import read


@asynccontextmanager
async def grace(*faults: str) -> AsyncIterator[Caller]:
    """The caller of GRACE's own endpoint."""
    async with calling(faults=[f"grace: {fault}" for fault in faults]) as runpod:
        runpod.endpoint = "grace"
        yield runpod


async def answered(caller: Caller, request: dict[str, Any]) -> dict[str, Any]:
    """The S-CONTRACT response to a request; valid by the published schema."""
    body = await caller.runsync(request)
    assert body["status"] == "COMPLETED", body
    response: dict[str, Any] = body["output"]
    assert response_errors(response) == []
    return response


REQUESTS = {
    "CLASSIFIER": text_request("CLASSIFIER", "Factura número 12 con IVA, base imponible y total a pagar."),
    "SUMMARIZER": text_request("SUMMARIZER", "La reunión empezó a las diez. Se acordó el plan. Nadie se opuso."),
    "TRANSLATOR": text_request("TRANSLATOR", "Buenos días", target_lang="en"),
    "EMBEDDINGS": text_request("EMBEDDINGS", dimensions=64),
    "SENTIMENT": text_request("SENTIMENT", "Estoy muy contento con el servicio."),
    "OCR_CORE": binary_request("OCR_CORE", "image", "image/png", png()),
    "OCR_GROQ": binary_request("OCR_GROQ", "image", "image/png", png()),
    "IMAGE_CAPTION": binary_request("IMAGE_CAPTION", "image", "image/png", png()),
    "ASR_ENGINE": binary_request("ASR_ENGINE", "audio", "audio/wav", speech(), timestamps=True),
    "TTS_ENGINE": text_request("TTS_ENGINE", "Hola"),
    "FIELD_EXTRACTOR": text_request("FIELD_EXTRACTOR", "Total: 121,00 EUR", fields=["total"]),
    "LANG_DETECT": text_request("LANG_DETECT", "Este texto está escrito en español, sin duda alguna."),
    "HASHER": binary_request("HASHER", "binary", "application/octet-stream", b"\x00\xff"),
}


@pytest.mark.parametrize("module", REQUESTS)
async def test_each_module_answers_in_the_contracts_form(module: str) -> None:
    async with grace() as caller:
        response = await answered(caller, REQUESTS[module])

    assert (response["status"], response["failure"]) == ("OK", None)
    assert response["routing"]["resolved"] == (MODULES[module].chain or (module,))[0]
    assert [attempt["status"] for attempt in response["routing"]["attempts"]] == ["OK"]
    assert response["metrics"]["simulated"] is True
    assert response["profile"] == REQUESTS[module]["profile"]


async def test_the_answer_carries_the_requests_ids_and_the_worlds_time() -> None:
    async with grace() as caller:
        request = text_request("HASHER")
        response = await answered(caller, request)

    assert response["envelope"] == {
        "trace_id": TRACE,
        "idempotency_key": request["envelope"]["idempotency_key"],
        "timestamp": "2026-01-04T10:00:00.002Z",
    }


async def test_a_modules_cost_is_waited_for_on_the_clock_and_reported() -> None:
    async with grace() as caller:
        body = await caller.runsync(binary_request("OCR_CORE", "image", "image/png", png()))

    duration = body["output"]["metrics"]["duration_ms"]
    assert duration >= 420
    assert body["executionTime"] == duration == body["output"]["routing"]["attempts"][0]["duration_ms"]


def changed(request: dict[str, Any], pointer: str, value: Any) -> dict[str, Any]:
    """The request with another value at ``/a/b``; without it when the value is None."""
    other = copy.deepcopy(request)
    *path, last = pointer.strip("/").split("/")
    place = other
    for name in path:
        place = place[name]
    if value is None:
        del place[last]
    else:
        place[last] = value
    return other


TEXT = text_request("CLASSIFIER")
IMAGE = binary_request("OCR_CORE", "image", "image/png", png())


@pytest.mark.parametrize(("request_", "code", "details"), [
    (changed(TEXT, "/contract_version", "2.0"), "CONTRACT_VERSION_UNSUPPORTED", {"supported": ["2.1"]}),
    (changed(IMAGE, "/payload/type", "text"), "PAYLOAD_UNSUPPORTED", {"accepted": ["image"]}),
    (changed(IMAGE, "/payload/media_type", "audio/wav"), "PAYLOAD_UNSUPPORTED", {"accepted": list(MODULES["OCR_CORE"].media_types)}),
    (text_request("CLASSIFIER", "x" * (7 * 1024 * 1024 + 1)), "PAYLOAD_TOO_LARGE", {"limit_bytes": 7340032, "size_bytes": 7340033}),
    (text_request("HASHER", "ñ" * (4 * 1024 * 1024)), "PAYLOAD_TOO_LARGE", {"limit_bytes": 7340032, "size_bytes": 8388608}),
    (changed(IMAGE, "/payload/content", "&&&&"), "PAYLOAD_CORRUPT", None),
    (changed(IMAGE, "/payload/content", "AAA"), "PAYLOAD_CORRUPT", None),
    (changed(IMAGE, "/payload/sha256", "0" * 64), "PAYLOAD_CORRUPT", None),
    (binary_request("OCR_CORE", "image", "image/png", b"no picture"), "PAYLOAD_CORRUPT", None),
])  # fmt: skip
async def test_what_is_wrong_with_a_request_is_named(
    request_: dict[str, Any], code: str, details: dict[str, Any] | None
) -> None:
    async with grace() as caller:
        response = await answered(caller, request_)

    assert (response["status"], response["result"], response["failure"]["code"]) == ("ERROR", None, code)
    assert response["failure"]["retryable"] is False
    if details is not None:
        assert response["failure"]["details"] == details


@pytest.mark.parametrize(("request_", "code", "pointers"), [
    (changed(TEXT, "/payload/extra", 1), "CONTRACT_INVALID", ["/payload/extra"]),
    (changed(TEXT, "/context/lang", "español"), "CONTRACT_INVALID", ["/context/lang"]),
    (changed(TEXT, "/context", None), "CONTRACT_INVALID", ["/context"]),
    (changed(TEXT, "/payload/content", " \n"), "CONTRACT_INVALID", ["/payload/content"]),
    (changed(TEXT, "/contract_version", None), "CONTRACT_INVALID", ["/contract_version"]),
    (text_request("SUMMARIZER", max_words=5), "PARAMS_INVALID", ["/payload/params/max_words"]),
    (text_request("TRANSLATOR"), "PARAMS_INVALID", ["/payload/params"]),
    (text_request("SENTIMENT", loud=True), "PARAMS_INVALID", ["/payload/params"]),
])  # fmt: skip
async def test_offences_against_the_schema_come_with_their_pointers(
    request_: dict[str, Any], code: str, pointers: list[str]
) -> None:
    async with grace() as caller:
        failure = (await answered(caller, request_))["failure"]

    assert failure["code"] == code
    assert [error["pointer"] for error in failure["details"]["errors"]] == pointers


async def test_an_unknown_module_is_named_with_the_nearest_one() -> None:
    async with grace() as caller:
        failure = (await answered(caller, changed(TEXT, "/routing/module", "CLASIFIER")))["failure"]

    assert (failure["code"], failure["details"]) == ("MODULE_UNKNOWN", {"module": "CLASIFIER"})
    assert "CLASSIFIER" in failure["message"]


@pytest.mark.parametrize("given", [{"a": 1}, {"envelope": 7, "routing": []}, {"routing": {"module": None}}])
async def test_an_input_that_is_no_contract_at_all_is_answered_all_the_same(given: dict[str, Any]) -> None:
    async with grace() as caller:
        response = await answered(caller, given)

    assert response["failure"]["code"] == "CONTRACT_INVALID"
    assert response["envelope"]["idempotency_key"] == "0" * 64
    assert Response.model_validate(response).status == "ERROR"


def test_text_reaches_the_engine_as_it_was_sent() -> None:
    text = "e\u0301 é 😀 \u202eעברית\u202c a\r\nb\tc  "

    assert read(text_request("HASHER", text)).work("HASHER").content == text


async def test_strict_mode_refuses_what_an_engine_is_not_sure_of_and_lenient_mode_gives_it() -> None:
    request = text_request("LANG_DETECT", "ok ok")
    async with grace() as caller:
        strict = await answered(caller, request)
        lenient = changed(changed(request, "/context/mode", "lenient"), "/envelope/idempotency_key", "f" * 64)
        given = await answered(caller, lenient)

    assert strict["failure"]["code"] == "LOW_CONFIDENCE"
    assert strict["failure"]["details"]["confidence"] < strict["failure"]["details"]["threshold"]
    assert given["status"] == "OK"


async def test_the_same_key_is_computed_once_and_stamped_with_the_new_ids() -> None:
    request = text_request("SUMMARIZER")
    again = changed(request, "/envelope/trace_id", "11111111-2222-4333-8444-555555555555")
    async with grace("SUMMARIZER is slow optional") as caller:
        jobs = [await caller.run(request), await caller.run(again)]
        first, second = [(await caller.ended(job))["output"] for job in jobs]
        third = await answered(caller, again)

        assert first["result"] == second["result"] == third["result"]
        assert second["envelope"]["trace_id"] == third["envelope"]["trace_id"] == again["envelope"]["trace_id"]
        assert first["metrics"]["duration_ms"] > 10_000
        assert third["metrics"]["duration_ms"] == 0
        assert [caller.plan.count(rule.id) for rule in caller.plan.rules] == [1]


async def test_a_key_is_computed_again_when_its_result_is_no_longer_kept() -> None:
    request = text_request("SUMMARIZER")
    async with grace("SUMMARIZER takes 1s") as caller:
        await caller.runsync(request)
        await caller.clock.sleep(59)
        await caller.runsync(request)
        await caller.clock.sleep(60)
        await caller.runsync(request)

        assert [caller.plan.count(rule.id) for rule in caller.plan.rules] == [2]


async def test_a_failure_is_not_kept_so_that_a_retry_may_succeed() -> None:
    request = text_request("SUMMARIZER")
    async with grace("first run to SUMMARIZER fails with MODULE_UNAVAILABLE") as caller:
        first, second = await answered(caller, request), await answered(caller, request)

    assert (first["failure"]["code"], first["failure"]["retryable"]) == ("MODULE_UNAVAILABLE", True)
    assert second["status"] == "OK"


async def test_when_the_first_job_of_a_key_is_cancelled_the_second_computes_it() -> None:
    request = text_request("SUMMARIZER")
    async with grace("SUMMARIZER takes 5s") as caller:
        first, second = await caller.run(request), await caller.run(request)
        await caller.clock.sleep(1)
        await caller.ask("POST", f"cancel/{first}")

        body = await caller.ended(second)

    assert body["output"]["status"] == "OK"
    assert body["executionTime"] >= 6000


async def test_an_engine_that_breaks_is_internal_and_the_worker_lives_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(module: str) -> Any:
        raise ZeroDivisionError

    async with grace() as caller:
        with monkeypatch.context() as patch:
            patch.setattr("tzzr_mocks.grace.chain.engine_for", broken)
            failure = (await answered(caller, text_request("HASHER", "uno")))["failure"]
        later = await answered(caller, text_request("HASHER", "dos"))

    assert (failure["code"], failure["retryable"]) == ("INTERNAL", True)
    assert failure["message"] == "HASHER failed inside: ZeroDivisionError"
    assert later["status"] == "OK"


async def test_the_journal_tells_module_key_and_trace_of_every_exchange_about_a_job() -> None:
    request = text_request("HASHER")
    async with grace() as caller:
        job = await caller.run(request)
        await caller.ended(job)
        await caller.ask("POST", f"cancel/{job}")

        exchanges = list(caller.fake.control.journal)

    assert [exchange.route for exchange in exchanges] == [
        "POST /run",
        "GET /status-sync/{job_id}",
        "POST /cancel/{job_id}",
    ]
    told = {(exchange.module, exchange.key, exchange.trace_id, exchange.endpoint) for exchange in exchanges}
    assert told == {("HASHER", request["envelope"]["idempotency_key"], TRACE, "grace")}
