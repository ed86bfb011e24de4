"""Contract §7.3: what a tool's schema accepts becomes a valid contract, or is refused in Spanish by name."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from tzzr_mcp.contract.catalogue import TOOLS
from tzzr_mcp.contract.errors import ArgumentInvalid, Code
from tzzr_mcp.contract.request import Request
from tzzr_mcp.contract.schemas import request_errors
from tzzr_mcp.contract.tools import INPUT_SCHEMAS
from tzzr_mcp.contract.translation import serialise, translate
from tzzr_scenarios.strategies import arguments
from tzzr_scenarios.strategies.values import instants, traces


def _translated(tool: str, arguments: dict[str, Any], trace_id: UUID, timestamp: datetime) -> Request | ArgumentInvalid:
    try:
        return translate(tool, arguments, trace_id=trace_id, timestamp=timestamp)
    except ArgumentInvalid as refused:
        return refused


@pytest.mark.parametrize("tool", TOOLS)
@given(data=st.data(), trace_id=traces(), timestamp=instants())
@settings(max_examples=60)
def test_what_the_schema_accepts_becomes_a_contract_or_is_refused_by_name(
    tool: str, data: st.DataObject, trace_id: UUID, timestamp: datetime
) -> None:
    given_ = data.draw(arguments.accepted(tool))
    assert Draft202012Validator(INPUT_SCHEMAS[tool]).is_valid(given_)

    outcome = _translated(tool, given_, trace_id, timestamp)
    event(type(outcome).__name__)
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
