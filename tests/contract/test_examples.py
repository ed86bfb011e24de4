"""The models and the published schemas, held to contracts that were written by hand."""

from __future__ import annotations

from typing import Any

import pytest

from tests.contract.examples_of import Wrong, valid_requests, valid_responses, wrong_requests, wrong_responses
from tzzr_mcp.contract.answer import parse_response
from tzzr_mcp.contract.catalogue import MODULES
from tzzr_mcp.contract.errors import Code, ContractError
from tzzr_mcp.contract.schemas import request_errors, response_errors
from tzzr_mcp.contract.translation import parse_request, serialise

REQUESTS = valid_requests()
RESPONSES = valid_responses()


@pytest.mark.parametrize("name", REQUESTS)
def test_a_valid_request_is_taken_by_schema_and_models_and_comes_back_unchanged(name: str) -> None:
    assert request_errors(REQUESTS[name]) == []
    assert serialise(parse_request(REQUESTS[name])) == REQUESTS[name]


@pytest.mark.parametrize("wrong", wrong_requests(), ids=lambda wrong: wrong.why)
def test_a_wrong_request_is_refused_where_it_is_wrong(wrong: Wrong) -> None:
    with pytest.raises(ContractError) as refused:
        parse_request(wrong.document)

    failure = refused.value.failure
    if failure.code is Code.CONTRACT_VERSION_UNSUPPORTED:
        assert wrong.pointer == "/contract_version"
        return
    assert failure.code is Code.CONTRACT_INVALID
    assert wrong.pointer in {error["pointer"] for error in failure.details["errors"]}


@pytest.mark.parametrize("wrong", wrong_requests(), ids=lambda wrong: wrong.why)
def test_the_schema_refuses_a_wrong_request_unless_the_mistake_is_beyond_a_schema(wrong: Wrong) -> None:
    pointers = {error["pointer"] for error in request_errors(wrong.document)}

    assert pointers == set() if wrong.beyond_schema else wrong.pointer in pointers


@pytest.mark.parametrize("name", RESPONSES)
def test_a_valid_response_is_taken_by_schema_and_models(name: str) -> None:
    request, response = RESPONSES[name]

    assert response_errors(response) == []
    parsed = parse_response(response, parse_request(request))
    assert parsed.result == response["result"]
    assert parsed.attempts == response["routing"]["attempts"]


@pytest.mark.parametrize("wrong", wrong_responses(), ids=lambda wrong: wrong.why)
def test_a_wrong_response_is_refused_where_it_is_wrong(wrong: Wrong) -> None:
    with pytest.raises(ContractError) as refused:
        parse_response(wrong.document, parse_request(RESPONSES[wrong.of][0]))

    failure = refused.value.failure
    assert failure.code is Code.GRACE_BAD_RESPONSE
    assert wrong.pointer in {error["pointer"] for error in failure.details["errors"]}


@pytest.mark.parametrize("wrong", wrong_responses(), ids=lambda wrong: wrong.why)
def test_the_schema_refuses_a_wrong_response_unless_the_mistake_is_beyond_a_schema(wrong: Wrong) -> None:
    pointers = {error["pointer"] for error in response_errors(wrong.document)}

    assert pointers == set() if wrong.beyond_schema else wrong.pointer in pointers


def _modules(documents: Any) -> set[str]:
    return {document["routing"]["module"] for document in documents}


def test_the_examples_cover_every_kind_of_module() -> None:
    heads = {module.name for module in MODULES.values()} - {name for m in MODULES.values() for name in m.chain}

    assert heads <= _modules(REQUESTS.values())
    assert heads <= _modules(response for _, response in RESPONSES.values())
