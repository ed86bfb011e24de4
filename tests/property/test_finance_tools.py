"""Whatever the input schemas let pass, the calculators answer by their output schemas or refuse in a sentence."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from hypothesis import event, example, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from tests.tzzr_mcp.plugins.calls import a_call
from tzzr_mcp.contract.errors import ArgumentInvalid
from tzzr_mcp.output import ToolOutput, output_schema
from tzzr_mcp.plugins.api import Tool
from tzzr_mcp.plugins.finance import investment_tool, loan_tool, plugin
from tzzr_mcp.seams import LoopClock, Seams

LOAN, INVESTMENT = plugin.tools
RUNS = {LOAN.name: loan_tool.run, INVESTMENT.name: investment_tool.run}


def arguments_of(tool: Tool) -> st.SearchStrategy[dict[str, Any]]:
    """Arguments within the ranges that the tool's input schema states."""
    properties = tool.input_schema["properties"]
    required = {name: _values(properties[name]) for name in tool.input_schema["required"]}
    optional = {name: _values(field) for name, field in properties.items() if name not in required}
    return st.fixed_dictionaries(required, optional=optional)


def _values(field: Mapping[str, Any]) -> st.SearchStrategy[Any]:
    if "enum" in field:
        return st.sampled_from(field["enum"])
    low, high = field.get("minimum", field.get("exclusiveMinimum")), field["maximum"]
    if field["type"] == "integer":
        return st.integers(low, min(high, 60)) | st.just(high)
    numbers = st.floats(low, high, exclude_min="exclusiveMinimum" in field)
    return numbers | st.floats(max(low, 1), min(high, 1000)) | st.integers(max(low, 1), high)


def _answer(tool: Tool, arguments: Mapping[str, Any]) -> ToolOutput | ArgumentInvalid:
    async def run() -> ToolOutput | ArgumentInvalid:
        clock = LoopClock(datetime(2026, 1, 4, 10, tzinfo=UTC))
        try:
            return await RUNS[tool.name](a_call(None, Seams(clock), arguments))
        except ArgumentInvalid as refusal:
            return refusal

    return asyncio.run(run())


def _problems(tool: Tool, arguments: Mapping[str, Any]) -> list[str]:
    """What is wrong with the answer or the refusal: beside the schema, no number, another reason."""
    answer = _answer(tool, arguments)
    if isinstance(answer, ArgumentInvalid):
        event("refused")
        return [] if "céntimo" in str(answer) else [str(answer)]
    event("answered")
    structured, schema = answer.structured(), output_schema(tool.data_schema or {})
    beside = [error.message for error in Draft202012Validator(schema).iter_errors(structured)]
    no_numbers = re.findall(r"\bnan\b|\binf(?:inity)?\b", f"{answer.text} {json.dumps(structured)}", re.IGNORECASE)
    return beside + no_numbers


@settings(max_examples=20)
@given(arguments_of(LOAN))
@example({"principal": 10**12, "annualInterestRate": 1000, "termMonths": 1200})
@example({"principal": 75, "annualInterestRate": 334, "termMonths": 1200})
@example({"principal": 0.01, "annualInterestRate": 5e-324, "termMonths": 1200, "extraMonthlyPayment": 10**12})
def test_every_loan_within_the_ranges_is_answered_or_refused(arguments: dict[str, Any]) -> None:
    assert _problems(LOAN, arguments) == []


@settings(max_examples=60)
@given(arguments_of(INVESTMENT))
@example(
    {
        "initialCapital": 0,
        "monthlyContribution": 0,
        "annualReturnRate": -100,
        "timeHorizonYears": 100,
        "annualInflationRate": -99,
        "riskProfile": "aggressive",
    }
)
def test_every_investment_within_the_ranges_is_answered_or_refused(arguments: dict[str, Any]) -> None:
    assert _problems(INVESTMENT, arguments) == []
