"""Answers that are whole and yet do not answer what was asked."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from tests.contract.examples_of import valid_responses
from tzzr_mcp.contract.answer import TOLD, parse_response
from tzzr_mcp.contract.errors import Code, ContractError
from tzzr_mcp.contract.response import Response
from tzzr_mcp.contract.translation import parse_request

BAD = "GRACE devolvió una respuesta que no cumple el contrato y se ha descartado; vuelva a intentarlo más tarde."
MISMATCH = "GRACE devolvió la respuesta a otra petición y se ha descartado; avise a quien administra el servicio."
OTHER_TRACE = "7c9e6679-7425-40de-944b-e07fc1f90ae7"


def _parsed(name: str, *changes: tuple[str, Any]) -> Response:
    request, document = valid_responses()[name]
    document = copy.deepcopy(document)
    for path, value in changes:
        *way, last = path.split(".")
        parent = document
        for step in way:
            parent = parent[int(step)] if isinstance(parent, list) else parent[step]
        parent[last] = value
    return parse_response(document, parse_request(request))


def _refused(name: str, *changes: tuple[str, Any]) -> ContractError:
    with pytest.raises(ContractError) as refused:
        _parsed(name, *changes)
    return refused.value


def test_a_degraded_answer_tells_what_was_tried() -> None:
    response = _parsed("ocr-degraded")

    assert [attempt["module"] for attempt in response.attempts] == ["OCR_LOCAL", "OCR_GROQ"]
    assert json.loads(json.dumps(response.attempts))[0]["error"]["code"] == "MODULE_UNAVAILABLE"


@pytest.mark.parametrize(
    ("field", "value"),
    [("envelope.trace_id", OTHER_TRACE), ("envelope.idempotency_key", "a" * 64), ("profile", "FULL")],
)
def test_an_answer_to_another_question_is_a_mismatch(field: str, value: str) -> None:
    error = _refused("classifier", (field, value))

    assert error.failure.code is Code.CONTRACT_MISMATCH
    assert not error.failure.retryable
    assert error.failure.message == MISMATCH
    (difference,) = error.failure.details["differences"]
    expected = valid_responses()["classifier"][0]
    for step in field.split("."):
        expected = expected[step]
    assert difference == {"field": field, "expected": expected, "got": value}


@pytest.mark.parametrize("named", ["", "CLASIFIER"])
def test_an_answer_to_a_request_that_arrived_garbled_is_a_bad_response(named: str) -> None:
    refusal = {"code": "CONTRACT_INVALID", "message": "x", "retryable": False}
    route: list[tuple[str, Any]] = [("routing.module", named), ("routing.resolved", None), ("routing.attempts", [])]
    error = _refused("classifier", *route, ("status", "ERROR"), ("result", None), ("failure", refusal))

    assert error.failure.code is Code.GRACE_BAD_RESPONSE
    assert error.failure.message == BAD
    assert error.failure.details["errors"] == [
        {"pointer": "/routing/module", "message": "not a module of the catalogue"}
    ]


def test_an_answer_of_another_module_is_a_mismatch() -> None:
    changes = [("routing.module", "OCR_OPENAI"), ("routing.resolved", "OCR_OPENAI")]
    attempts = [("routing.attempts.0.module", "OCR_OPENAI")]

    failure = _refused("ocr-groq-asked-directly", *changes, *attempts).failure

    assert failure.code is Code.CONTRACT_MISMATCH
    assert failure.details["differences"] == [{"field": "routing.module", "expected": "OCR_GROQ", "got": "OCR_OPENAI"}]


@pytest.mark.parametrize(
    ("name", "path", "value", "pointer", "message"),
    [
        ("translator", "result.target_lang", "fr", "/result/target_lang", "en was asked for"),
        ("hasher", "result.size_bytes", 5, "/result/size_bytes", "not the size of the content"),
        ("hasher", "result.algorithm", "sha3_256", "/result/algorithm", "sha256 was asked for"),
        (
            *("field-extractor", "result.fields.1.span", [27, 38], "/result/fields/1/span"),
            "it ends after the text, which has 37 characters",
        ),
    ],
)
def test_a_result_owes_its_request_what_was_asked(
    name: str, path: str, value: object, pointer: str, message: str
) -> None:
    error = _refused(name, (path, value))

    assert (error.failure.code, error.failure.message) == (Code.GRACE_BAD_RESPONSE, BAD)
    assert error.failure.details["errors"] == [{"pointer": pointer, "message": message}]


def test_a_span_may_end_where_the_text_ends() -> None:
    length = len(valid_responses()["field-extractor"][0]["payload"]["content"])
    assert _parsed("field-extractor", ("result.fields.1.span", [length - 1, length])).result is not None


def test_a_vector_of_another_length_is_not_what_was_asked() -> None:
    error = _refused("embeddings", ("result.dimensions", 100), ("result.vectors", [[0.1] * 100]))

    asked = valid_responses()["embeddings"][0]["payload"].get("params", {}).get("dimensions", 384)
    assert error.failure.details["errors"] == [{"pointer": "/result/dimensions", "message": f"{asked} was asked for"}]


def _deep() -> object:
    nested: object = 1
    for _ in range(100_000):
        nested = [nested]
    return nested


@pytest.mark.parametrize(
    "value", [float("nan"), "\ud800", {1, 2}, b"x", _deep()], ids=["nan", "half", "set", "bytes", "deep"]
)
def test_what_json_cannot_say_is_refused_even_where_nobody_looks(value: object) -> None:
    error = _refused("classifier", ("result.tomorrow", value))

    assert error.failure.code is Code.GRACE_BAD_RESPONSE
    assert error.failure.details["errors"] == [{"pointer": "", "message": "not JSON"}]


def test_a_response_that_is_wrong_all_over_is_told_in_few_lines() -> None:
    error = _refused("classifier", ("result.alternatives", [{}] * 500))

    assert len(error.failure.details["errors"]) == TOLD
