"""Contract §7.3: what a tool's schema accepts becomes a valid contract, or is refused in Spanish by name."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from tests.property.server import Call, talk
from tests.property.sides import side
from tests.searching import examples
from tzzr_mcp.contract.catalogue import TOOLS
from tzzr_mcp.contract.errors import ArgumentInvalid, Code
from tzzr_mcp.contract.request import Request
from tzzr_mcp.contract.schemas import request_errors
from tzzr_mcp.contract.tools import INPUT_SCHEMAS
from tzzr_mcp.contract.translation import serialise, translate
from tzzr_scenarios.stage import input_schemas
from tzzr_scenarios.strategies import arguments
from tzzr_scenarios.strategies.values import instants, traces


def _translated(tool: str, arguments: dict[str, Any], trace_id: UUID, timestamp: datetime) -> Request | ArgumentInvalid:
    try:
        return translate(tool, arguments, trace_id=trace_id, timestamp=timestamp)
    except ArgumentInvalid as refused:
        return refused


@pytest.mark.sides("a contract", "refused by name")
@pytest.mark.parametrize("tool", TOOLS)
@given(data=st.data(), trace_id=traces(), timestamp=instants())
@settings(max_examples=examples(dev=20, ci=100))
def test_what_the_schema_accepts_becomes_a_contract_or_is_refused_by_name(
    tool: str, data: st.DataObject, trace_id: UUID, timestamp: datetime
) -> None:
    taken = Draft202012Validator(INPUT_SCHEMAS[tool]).is_valid
    drawn = arguments.valid(tool) | arguments.accepted(tool) | arguments.nearly_valid(tool)
    outcome = _translated(tool, data.draw(drawn.filter(taken)), trace_id, timestamp)
    side("a contract" if isinstance(outcome, Request) else "refused by name")
    if isinstance(outcome, Request):
        assert request_errors(serialise(outcome)) == []
        assert outcome.routing.module == TOOLS[tool].name
        assert outcome.envelope.trace_id == str(trace_id)
    else:
        assert outcome.failure.code in {Code.ARGUMENT_INVALID, Code.MEDIA_TYPE_UNKNOWN}
        assert outcome.argument in INPUT_SCHEMAS[tool]["properties"]
        assert f"«{outcome.argument}»" in outcome.failure.message
        assert outcome.failure.message.isprintable()
        assert len(outcome.failure.message) < 400


ALL = tuple(input_schemas("system,grace,hst,context"))
THROUGH_THE_SERVER = settings(max_examples=examples(dev=3, ci=60))
"""Each example is a world with a server of its own."""


@st.composite
def _calls(draw: st.DrawFn, arguments_of: Callable[[str], st.SearchStrategy[dict[str, Any]]]) -> list[Call]:
    tools = draw(st.lists(st.sampled_from(ALL), min_size=1, max_size=6))
    return [(tool, draw(arguments_of(tool))) for tool in tools]


@pytest.mark.sides(*ALL)
@THROUGH_THE_SERVER
@given(_calls(arguments.nearly_valid))
def test_what_is_refused_names_an_argument_in_spanish_and_reaches_nobody(calls: list[Call]) -> None:
    spoken = talk(calls)

    assert spoken.exchanges == []
    for (tool, given_), result in zip(calls, spoken.results, strict=True):
        side(tool)
        error = result.meta["tzzr/error"]
        assert result.is_error
        assert error["code"] in {"ARGUMENT_INVALID", "MEDIA_TYPE_UNKNOWN"}
        (told,) = (content.text for content in result.content)
        names = {*arguments.schema_of(tool)["properties"], *given_}
        assert error["details"]["argument"] in names
        assert f"«{shown_name(error['details']['argument'])}" in told
        assert told.isprintable()


def shown_name(name: str) -> str:
    """As much of an argument's name as a sentence is sure to show."""
    return "".join(letter for letter in name[:20] if letter.isprintable())


@pytest.mark.sides(*ALL)
@THROUGH_THE_SERVER
@given(_calls(arguments.valid))
def test_what_is_valid_is_never_blamed_on_its_arguments(calls: list[Call]) -> None:
    spoken = talk(calls)

    for (tool, _), result, reached in zip(calls, spoken.results, spoken.reached, strict=True):
        side(tool)
        code = result.meta["tzzr/error"]["code"] if result.is_error else ""
        assert code not in {"ARGUMENT_INVALID", "MEDIA_TYPE_UNKNOWN"}
        assert tool == "explorar_recursos" or reached or code == ""
