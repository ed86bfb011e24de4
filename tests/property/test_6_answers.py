"""Contract §7.6: a response is trusted only whole; whatever else comes is a typed error, never an exception."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.property.grace import READABLE, failing, grace
from tests.property.parsed import answered, asked
from tests.property.sides import side
from tests.searching import examples
from tzzr_mcp.contract.answer import parse_response
from tzzr_mcp.contract.catalogue import chain_of
from tzzr_mcp.contract.errors import GRACE_CODES, Code, ContractError
from tzzr_mcp.contract.request import Request
from tzzr_mcp.contract.response import Response
from tzzr_mcp.contract.schemas import response_errors
from tzzr_mcp.contract.translation import parse_request, serialise
from tzzr_scenarios.strategies import requests, responses
from tzzr_scenarios.strategies.mutations import Path, changed, mutants, paths, put, remove
from tzzr_scenarios.strategies.values import anything

UNFIT: Any = [{}]
"""A value that no field of a response can have."""


def _parsed(raw: object, request: Request) -> Response | ContractError:
    try:
        return parse_response(raw, request)
    except ContractError as refused:
        return refused


def _code(raw: object, request: Request) -> Code:
    with pytest.raises(ContractError) as refused:
        parse_response(raw, request)
    assert refused.value.failure.message.endswith(".")
    return refused.value.failure.code


def promised(document: Any) -> list[Path]:
    """Where the values stand that the contract says something about: what ``details`` hold is free (§2)."""
    return [path for path in paths(document) if "details" not in path[:-1]]


@pytest.mark.sides("OK", "DEGRADED", "ERROR")
@given(answered())
def test_a_valid_response_is_taken_as_it_is(pair: tuple[Request, Any]) -> None:
    request, document = pair

    side(document["status"])
    response = parse_response(document, request)
    assert response.result == document["result"]
    assert response.status == document["status"]


@given(anything(), asked())
def test_any_json_that_is_no_response_is_refused(raw: Any, request: Request) -> None:
    assert _code(raw, request) is Code.GRACE_BAD_RESPONSE


@given(answered(), st.data())
def test_a_dropped_field_is_refused(pair: tuple[Request, Any], data: st.DataObject) -> None:
    request, document = pair
    fields = [path for path in promised(document) if isinstance(path[-1], str)]
    dropped = changed(document, data.draw(st.sampled_from(fields)), remove)
    assume(response_errors(dropped))  # some fields may be missing

    assert _code(dropped, request) is Code.GRACE_BAD_RESPONSE


@given(answered(), st.data())
def test_a_field_of_another_type_is_refused(pair: tuple[Request, Any], data: st.DataObject) -> None:
    request, document = pair
    path = data.draw(st.sampled_from(promised(document)))

    assert _code(changed(document, path, put(UNFIT)), request) is Code.GRACE_BAD_RESPONSE


@given(answered(), asked(), st.sampled_from(["trace_id", "idempotency_key"]))
def test_an_answer_to_another_question_is_a_mismatch(pair: tuple[Request, Any], other: Request, name: str) -> None:
    request, document = pair
    foreign = getattr(other.envelope, name)
    assume(foreign != getattr(request.envelope, name))

    assert _code(changed(document, ("envelope", name), put(foreign)), request) is Code.CONTRACT_MISMATCH


@given(answered(), st.data())
def test_truncated_json_is_refused(pair: tuple[Request, Any], data: st.DataObject) -> None:
    request, document = pair
    text = json.dumps(document)
    cut = text[: data.draw(st.integers(0, len(text) - 1))]

    assert _code(cut, request) is Code.GRACE_BAD_RESPONSE


@pytest.mark.sides("taken", "GRACE_BAD_RESPONSE", "CONTRACT_MISMATCH")
@given(answered(), st.data())
def test_a_mutant_is_an_answer_or_a_typed_error_and_nothing_else(
    pair: tuple[Request, Any], data: st.DataObject
) -> None:
    request, document = pair
    mutant = data.draw(mutants(document) | responses.mismatched(serialise(request)))

    outcome = _parsed(mutant, request)
    side("taken" if isinstance(outcome, Response) else outcome.failure.code)
    if isinstance(outcome, Response):
        assert outcome.envelope.trace_id == request.envelope.trace_id
    else:
        assert outcome.failure.code in {Code.GRACE_BAD_RESPONSE, Code.CONTRACT_MISMATCH}


@pytest.mark.sides("OK", "ERROR")
@settings(max_examples=examples(dev=10, ci=200))
@given(requests.valid())
def test_whatever_the_fake_answers_fits_the_schema_and_the_laws_and_is_taken(document: Any) -> None:
    response = grace().answer(document)

    side(response["status"])
    assert response_errors(response) == []
    assert parse_response(response, parse_request(document)).result == response["result"]


@pytest.mark.sides("OK", "DEGRADED", "ERROR")
@settings(max_examples=examples(dev=5, ci=200))
@given(st.sampled_from(["OCR_CORE", "ASR_ENGINE"]), st.lists(st.sampled_from(GRACE_CODES), max_size=3))
def test_what_the_fake_answers_when_modules_fail_is_taken_too(module: str, codes: list[str]) -> None:
    faults = [failing(name, code) for name, code in zip(chain_of(module), codes, strict=False)]
    response = grace().answer(READABLE[module], faults)

    side(response["status"])
    assert response_errors(response) == []
    assert parse_response(response, parse_request(READABLE[module])).status == response["status"]


@pytest.mark.sides("CONTRACT_INVALID", "a code of its own")
@settings(max_examples=examples(dev=10, ci=300))
@given(requests.nearly_valid())
def test_the_fake_refuses_what_is_nearly_a_request_with_a_valid_response(document: Any) -> None:
    response = grace().answer(document)

    assert response_errors(response) == []
    assert (response["status"], response["failure"]["retryable"]) == ("ERROR", False)
    side("CONTRACT_INVALID" if response["failure"]["code"] == "CONTRACT_INVALID" else "a code of its own")
