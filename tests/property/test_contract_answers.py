"""Contract §7.6: a response is trusted only whole; whatever else comes is a typed error, never an exception."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.property.parsed import answered, asked
from tzzr_mcp.contract.answer import parse_response
from tzzr_mcp.contract.errors import Code, ContractError
from tzzr_mcp.contract.request import Request
from tzzr_mcp.contract.response import Response
from tzzr_mcp.contract.schemas import response_errors
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


@given(answered())
def test_a_valid_response_is_taken_as_it_is(pair: tuple[Request, Any]) -> None:
    request, document = pair

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


@given(answered(), st.data())
def test_a_mutant_is_an_answer_or_a_typed_error_and_nothing_else(
    pair: tuple[Request, Any], data: st.DataObject
) -> None:
    request, document = pair
    mutant = data.draw(mutants(document))

    outcome = _parsed(mutant, request)
    if isinstance(outcome, Response):
        assert outcome.envelope.trace_id == request.envelope.trace_id
    else:
        assert outcome.failure.code in {Code.GRACE_BAD_RESPONSE, Code.CONTRACT_MISMATCH}
