"""Contract §7.1: a contract survives the wire, and models, published schema and fake refuse the same shapes."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from tests.contract.examples_of import valid_requests, valid_responses, wrong_requests
from tests.property.parsed import answered
from tests.property.sides import side
from tzzr_mcp.contract.catalogue import MODULES
from tzzr_mcp.contract.request import Request
from tzzr_mcp.contract.response import Response
from tzzr_mcp.contract.schemas import request_errors, response_errors
from tzzr_mcp.contract.shapes import details_of
from tzzr_mcp.contract.translation import parse_request, serialise
from tzzr_mocks.grace.engines import EngineError
from tzzr_mocks.grace.reading import fits, read
from tzzr_scenarios.strategies import requests
from tzzr_scenarios.strategies.mutations import mutants

EXAMPLES = list(valid_requests().values())
WRONG = [wrong.document for wrong in wrong_requests()]
ANSWERS = [response for _, response in valid_responses().values()]

BEYOND_A_SCHEMA = (
    "not the digest",
    "not a day of the calendar",
    "not base64",
    "more than",
    "add up to",
    "numbers, not",
    "its norm is",
    "it ends before",
    "it starts before",
    "digits,",
    "cannot have answered with",
    "not the chain",
)
"""How the models word what no JSON Schema can say: digests, decoded sizes, sums, order, the chain."""


def _refused(model: type[Request | Response], document: object) -> list[str]:
    try:
        model.model_validate(document)
    except ValidationError as error:
        return [line["message"] for line in details_of(error)]
    return []


def _is_beyond(message: str) -> bool:
    return any(wording in message for wording in BEYOND_A_SCHEMA)


def _disputed(schema: list[dict[str, str]], models: list[str]) -> list[Any]:
    """What the schema refuses and the models let pass, or the other way round but for what no schema can say."""
    side("refused" if schema else "refused by the models alone" if models else "still valid")
    if schema:
        return [] if models else schema
    return [message for message in models if not _is_beyond(message)]


@pytest.mark.sides(*MODULES)
@given(requests.valid())
def test_a_request_survives_the_wire(document: Any) -> None:
    side(document["routing"]["module"])
    wire = json.dumps(document, ensure_ascii=False).encode()

    request = parse_request(wire)
    assert serialise(request) == document
    assert parse_request(json.dumps(serialise(request))) == request
    assert request_errors(document) == []


@pytest.mark.sides("refused", "refused by the models alone", "still valid")
@given(st.data())
def test_models_and_schema_refuse_the_same_mutated_requests(data: st.DataObject) -> None:
    mutant = data.draw(requests.corrupt() | requests.valid().flatmap(mutants))

    assert _disputed(request_errors(mutant), _refused(Request, mutant)) == []


@pytest.mark.sides("refused", "refused by the models alone", "still valid")
@given(st.data())
def test_models_and_schema_refuse_the_same_mutated_responses(data: st.DataObject) -> None:
    _, document = data.draw(answered())
    assert response_errors(document) == []
    mutant = data.draw(mutants(document))

    assert _disputed(response_errors(mutant), _refused(Response, mutant)) == []


@pytest.mark.sides("refused", "still valid")
@given(st.data())
def test_the_compiled_schema_of_the_fake_accepts_what_the_published_one_accepts(data: st.DataObject) -> None:
    mutant = data.draw(mutants(data.draw(requests.valid() | st.sampled_from(EXAMPLES))))
    refused = request_errors(mutant) != []

    side("refused" if refused else "still valid")
    assert fits(mutant) != refused


@pytest.mark.sides("refused", "refused by the models alone", "still valid")
@given(st.data())
def test_models_and_schema_refuse_the_same_mutants_of_what_was_written_by_hand(data: st.DataObject) -> None:
    mutant = data.draw(st.sampled_from(EXAMPLES).flatmap(mutants) | st.sampled_from(WRONG))

    assert _disputed(request_errors(mutant), _refused(Request, mutant)) == []


@pytest.mark.sides("refused", "refused by the models alone", "still valid")
@given(st.data())
def test_models_and_schema_refuse_the_same_mutants_of_hand_written_responses(data: st.DataObject) -> None:
    mutant = data.draw(mutants(data.draw(st.sampled_from(ANSWERS))))

    assert _disputed(response_errors(mutant), _refused(Response, mutant)) == []


@pytest.mark.sides("refused", "still valid")
@given(st.data())
def test_the_fake_refuses_what_the_client_s_own_models_refuse(data: st.DataObject) -> None:
    mutant = data.draw(requests.corrupt() | (requests.valid() | st.sampled_from(EXAMPLES)).flatmap(mutants))
    refused = _refused(Request, mutant) != []

    side("refused" if refused else "still valid")
    assert _is_read(mutant) != refused


def _is_read(document: Any) -> bool:
    try:
        read(document)
    except EngineError:
        return False
    return True
