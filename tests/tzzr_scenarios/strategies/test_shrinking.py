"""What a failing property shows: every strategy shrinks to the plainest case of what is looked for."""

from __future__ import annotations

from typing import Any

import pytest

from tests.tzzr_scenarios.strategies.minimal import minimal
from tzzr_scenarios.strategies import arguments, faults, jobs, queries, requests, responses, results, values

pytestmark = pytest.mark.slow

PLAIN: dict[str, Any] = {
    "contract_version": "2.1",
    "profile": "LITE",
    "routing": {"module": "LANG_DETECT", "version": "1.0"},
    "context": {"lang": "es", "mode": "strict"},
    "payload": {"type": "text", "encoding": "utf-8", "content": "0"},
}
ID = "00000000-0000-4000-8000-000000000000"
REQUEST = {**PLAIN, "envelope": {"trace_id": ID, "timestamp": "2026-01-04T10:15:30.123Z", "idempotency_key": "0" * 64}}
READ = {**REQUEST, "profile": "FULL", "routing": {"module": "OCR_CORE", "version": "1.0"}}


def told(document: dict[str, Any]) -> dict[str, Any]:
    """A document without its ids."""
    return {name: value for name, value in document.items() if name != "envelope"}


def test_a_request_shrinks_to_one_letter_for_the_plainest_module() -> None:
    document = minimal(requests.valid())
    assert told(document) == PLAIN
    assert document["envelope"]["timestamp"] == "2000-01-01T00:00:00.000Z"
    assert set(document["envelope"]) == {"trace_id", "timestamp", "idempotency_key"}


def test_one_part_that_matters_leaves_all_the_others_plain() -> None:
    lenient = minimal(requests.valid(), lambda document: document["context"]["mode"] == "lenient")
    assert told(lenient) == {**PLAIN, "context": {"lang": "es", "mode": "lenient"}}

    sound = minimal(requests.valid(), lambda document: document["payload"]["type"] == "audio")
    assert sound["payload"]["media_type"] == "audio/wav"
    assert sound["payload"]["content"] == "UklGRgQAAABXQVZF"
    assert "params" not in sound["payload"]


def test_a_parameter_that_matters_comes_alone() -> None:
    long = minimal(requests.valid("SUMMARIZER"), lambda document: "max_words" in document["payload"].get("params", {}))
    assert long["payload"]["params"] == {"max_words": 10}


def test_a_request_that_is_nearly_valid_shrinks_to_the_plain_one_without_its_first_field() -> None:
    document = minimal(requests.nearly_valid())
    assert told(document) == {name: value for name, value in PLAIN.items() if name != "contract_version"}


def test_a_response_shrinks_to_ok_with_the_least_result() -> None:
    document = minimal(responses.valid(REQUEST))
    assert (document["status"], document["failure"]) == ("OK", None)
    assert document["result"] == {"language": "es", "confidence": 1.0, "alternatives": []}
    assert document["routing"]["attempts"] == [{"module": "LANG_DETECT", "status": "OK", "duration_ms": 0}]


def test_a_fallback_shrinks_to_one_failure_and_the_next_module() -> None:
    document = minimal(responses.valid(READ), lambda response: response["status"] == "DEGRADED")
    failed, answered = document["routing"]["attempts"]
    assert (failed["module"], failed["error"]["code"]) == ("OCR_LOCAL", "MODULE_UNAVAILABLE")
    assert answered == {"module": "OCR_GROQ", "status": "OK", "duration_ms": 0}


def test_a_spoilt_response_is_the_least_one_with_one_thing_changed() -> None:
    document = minimal(responses.nearly_valid(REQUEST))
    assert document == {
        name: value for name, value in minimal(responses.valid(REQUEST)).items() if name != "contract_version"
    }


def test_a_result_shrinks_to_nothing_but_what_must_be_there() -> None:
    page = {"page": 1, "text": "", "width_px": 1, "height_px": 1, "confidence": 0.0}
    assert minimal(results.valid(READ)) == {"text": "", "confidence": 0.0, "language": "es", "pages": [page]}


@pytest.mark.parametrize(
    ("tool", "plainest"),
    [
        ("clasificar", {"texto": "0"}),
        ("traducir", {"texto": "0", "idioma_destino": "es"}),
        ("ocr", {"imagen_base64": "iVBORw0KGgo="}),
        ("generar_hash", {"texto": "0"}),
        ("buscar_tags", {"consulta": "0"}),
        ("calculate_loan_amortization", {"principal": 1.0, "annualInterestRate": 1.0, "termMonths": 1}),
    ],
)
def test_arguments_shrink_to_what_is_required(tool: str, plainest: dict[str, Any]) -> None:
    assert minimal(arguments.valid(tool)) == plainest


def test_a_mistake_in_one_argument_leaves_the_others_out() -> None:
    assert minimal(arguments.nearly_valid("clasificar")) == {}
    spoilt = minimal(arguments.nearly_valid("resumir"), lambda given: "max_palabras" in given)
    assert set(spoilt) == {"texto", "max_palabras"}
    assert (spoilt["texto"] == " ") != (spoilt["max_palabras"] == 9), (
        "one of the two is wrong, and as plain as it can be"
    )


def test_a_job_shrinks_to_its_input_and_an_answer_to_one_that_waits() -> None:
    assert told(minimal(jobs.valid())["input"]) == PLAIN
    assert set(minimal(jobs.valid())) == {"input"}
    assert minimal(jobs.valid(), lambda body: "ttl" in body.get("policy", {}))["policy"] == {"ttl": 10_000}
    assert minimal(jobs.nearly_valid()) == {}
    assert minimal(jobs.answers(REQUEST))["status"] == "IN_QUEUE"
    assert set(minimal(jobs.nearly_valid_answers(REQUEST))) == {
        "id", "status", "delayTime", "executionTime", "workerId",
    }  # fmt: skip


def test_a_query_shrinks_to_one_condition() -> None:
    assert minimal(queries.valid()) == {}
    assert minimal(queries.valid(), lambda query: "filter" in query) == {"filter": {"ref": {"_eq": "a"}}}
    assert minimal(queries.filters(), lambda tree: "_or" in tree) == {"_or": [{"ref": {"_eq": "1"}}]}
    assert minimal(queries.nearly_valid(), lambda query: "nope" in query.get("sort", "")) == {"sort": "nope"}


def test_a_fault_shrinks_to_a_service_that_is_down() -> None:
    plain = {"match": {"service": "grace"}, "effect": {"kind": "connection_refused"}}
    assert minimal(faults.valid()) == plain
    assert minimal(faults.valid(), lambda rule: "schedule" in rule) == {**plain, "schedule": {"first": 1}}
    assert minimal(faults.plans(), len) == [plain]
    assert minimal(faults.sentences()) == "grace: is refused"
    assert minimal(faults.nearly_valid(), lambda rule: isinstance(rule, str)) == "race: is refused"


def test_what_documents_are_made_of_shrinks_to_the_first_of_its_kind() -> None:
    assert minimal(values.texts()) == "0"
    assert minimal(values.langs_or_auto()) == "es"
    assert minimal(values.amounts()) == "0.00"
    assert minimal(values.files("application/pdf")) == b"%PDF-1.7\n"
    assert minimal(values.texts(), lambda text: any(ord(letter) > 0xFFFF for letter in text)) == "𐀀"
