"""What is drawn as valid is accepted, what is drawn as nearly valid is refused, by judges that know no strategy."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from tests.searching import examples
from tests.tzzr_mocks.hst.asking import get, make_fake
from tzzr_mcp.contract.answer import parse_response
from tzzr_mcp.contract.errors import Code, ContractError
from tzzr_mcp.contract.schemas import request_errors, response_errors
from tzzr_mcp.contract.translation import parse_request
from tzzr_mocks.control import PlanError
from tzzr_mocks.grace.engines import EngineError
from tzzr_mocks.grace.errors import BadRequest
from tzzr_mocks.grace.reading import read
from tzzr_mocks.grace.schemas import read_order
from tzzr_mocks.network.virtual import new_virtual_loop
from tzzr_mocks.world import World
from tzzr_scenarios.stage import input_schemas
from tzzr_scenarios.strategies import arguments, faults, jobs, queries, requests, responses, schemas

WORLD = World()
FEW = settings(max_examples=examples(dev=4, ci=100))
"""Each example asks every judge."""


@dataclass(frozen=True)
class Subject:
    """Two strategies, and who says of a value whether it is refused."""

    valid: st.SearchStrategy[Any]
    nearly: st.SearchStrategy[Any]
    refused: Callable[[Any], bool]


def raising(reader: Callable[[Any], object], refusal: type[Exception]) -> Callable[[Any], bool]:
    """A judge made of a reader that raises at what it refuses."""

    def refused(value: Any) -> bool:
        try:
            reader(value)
        except refusal:
            return True
        return False

    return refused


def planned(rule: Any) -> None:
    """One rule for a world's plan, which is empty again afterwards."""
    WORLD.plan.clear()
    WORLD.plan.add(rule)


SUBJECTS = {
    "requests for the schema": Subject(
        requests.valid(), requests.nearly_valid(), lambda document: bool(request_errors(document))
    ),
    "requests for the fake": Subject(requests.valid(), requests.nearly_valid(), raising(read, EngineError)),
    "requests for the models": Subject(
        requests.valid(), requests.nearly_valid(), raising(parse_request, ContractError)
    ),
    "jobs": Subject(
        jobs.valid(), jobs.nearly_valid(), raising(lambda body: read_order(json.dumps(body).encode()), BadRequest)
    ),
    "faults": Subject(
        faults.valid(*faults.SERVICES, "llm") | faults.sentences(), faults.nearly_valid(), raising(planned, PlanError)
    ),
}


@pytest.mark.parametrize("name", SUBJECTS)
@settings(FEW)
@given(data=st.data())
def test_what_is_valid_is_accepted(name: str, data: st.DataObject) -> None:
    subject = SUBJECTS[name]
    assert not subject.refused(data.draw(subject.valid))


@pytest.mark.parametrize("name", SUBJECTS)
@settings(FEW)
@given(data=st.data())
def test_what_is_nearly_valid_is_refused(name: str, data: st.DataObject) -> None:
    subject = SUBJECTS[name]
    assert subject.refused(data.draw(subject.nearly))


@settings(FEW)
@given(st.data())
def test_responses_are_taken_and_refused_by_schema_and_client(data: st.DataObject) -> None:
    document = data.draw(requests.valid())
    request = parse_request(document)
    whole = data.draw(responses.valid(document))
    event(f"status {whole['status']}")

    assert response_errors(whole) == []
    assert parse_response(whole, request).status == whole["status"]
    for strategy, code in (
        (responses.nearly_valid(document), Code.GRACE_BAD_RESPONSE),
        (responses.mismatched(document), Code.CONTRACT_MISMATCH),
    ):
        with pytest.raises(ContractError) as refused:
            parse_response(data.draw(strategy), request)
        assert refused.value.failure.code is code


@settings(FEW)
@given(st.data())
def test_answers_about_a_job_hold_a_response_just_when_it_is_completed(data: st.DataObject) -> None:
    document = data.draw(requests.valid())
    answer = data.draw(jobs.answers(document))
    event(answer["status"])

    assert ("output" in answer) == (answer["status"] == "COMPLETED")
    assert ("executionTime" in answer) == (answer["status"] in {"COMPLETED", "FAILED", "TIMED_OUT"})
    spoilt = data.draw(jobs.nearly_valid_answers(document))
    assert spoilt["status"] != "COMPLETED" or response_errors(spoilt.get("output"))


@settings(FEW)
@given(st.sampled_from(list(input_schemas())), st.data())
def test_a_schema_takes_the_arguments_that_are_accepted_and_no_other(tool: str, data: st.DataObject) -> None:
    schema = arguments.schema_of(tool)
    taken = Draft202012Validator(schema).is_valid

    assert taken(data.draw(arguments.valid(tool)))
    assert taken(data.draw(arguments.accepted(tool)))
    assert not taken(data.draw(schemas.refused(schema)))


def test_a_misspelt_tool_is_told_with_the_nearest_one() -> None:
    with pytest.raises(ValueError, match=r"no tool is called 'clasifica'; did you mean 'clasificar'\?"):
        arguments.schema_of("clasifica")


def test_a_schema_that_says_more_than_is_known_is_told() -> None:
    with pytest.raises(ValueError, match="no enum, and type is 'null', not one of string, integer"):
        schemas.accepted({"type": "null"})


@settings(FEW)
@given(st.data())
def test_directus_takes_every_valid_query_in_both_notations(data: st.DataObject) -> None:
    query = data.draw(queries.valid())
    collection = data.draw(st.sampled_from(queries.COLLECTIONS))
    text = queries.encoded(query, in_json=data.draw(st.booleans()))
    with asyncio.Runner(loop_factory=new_virtual_loop) as runner:
        sent = runner.run(get(make_fake(), f"/items/{collection}", text))
    assert sent.status == 200, sent.content
