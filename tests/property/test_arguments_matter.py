"""Two calls ask for the same exactly when they say the same: whatever an argument says, it decides something."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from tzzr_mcp.contract.catalogue import TOOLS
from tzzr_mcp.contract.tools import INPUT_SCHEMAS
from tzzr_mcp.contract.translation import translate
from tzzr_scenarios.strategies import arguments
from tzzr_scenarios.strategies.values import instants, traces

DEFAULTED = {
    tool: {name for name, each in INPUT_SCHEMAS[tool]["properties"].items() if "default" in each} for tool in TOOLS
}
"""The arguments of each tool that have a default."""
SETTLED_ELSEWHERE = {"archivo", "tipo_mime"}
"""A file's content and the type that its first bytes tell may be said in two ways."""


def said(tool: str, given: dict[str, Any]) -> Any:
    """What a call says, defaults spelled out: 3.0 is 3."""
    properties = INPUT_SCHEMAS[tool]["properties"]
    defaults = {name: each["default"] for name, each in properties.items() if "default" in each}
    return {**defaults, **given}


def key(tool: str, given: dict[str, Any], trace_id: UUID, now: datetime) -> str:
    return translate(tool, given, trace_id=trace_id, timestamp=now).envelope.idempotency_key


@pytest.mark.parametrize("tool", TOOLS)
@given(data=st.data(), traced=st.tuples(traces(), traces()), now=instants())
def test_another_argument_asks_for_something_else_and_the_same_ones_for_the_same(
    tool: str, data: st.DataObject, traced: tuple[UUID, UUID], now: datetime
) -> None:
    one, other = data.draw(arguments.valid(tool)), data.draw(arguments.valid(tool))
    name = data.draw(st.sampled_from(sorted(other.keys() - SETTLED_ELSEWHERE)))
    changed = {**one, name: other[name]}
    assume(len(changed.keys() & {"texto", "imagen_base64", "audio_base64", "contenido_base64"}) == 1)
    assume("tipo_mime" not in changed or name not in ("imagen_base64", "audio_base64"))
    assume(Draft202012Validator(INPUT_SCHEMAS[tool]).is_valid(changed))

    first, second = key(tool, one, traced[0], now), key(tool, changed, traced[1], now)
    assert (first == second) is (said(tool, one) == said(tool, changed))


@pytest.mark.parametrize("tool", [tool for tool, names in DEFAULTED.items() if names])
@given(data=st.data(), trace_id=traces(), now=instants())
def test_a_default_says_nothing_and_every_other_value_something(
    tool: str, data: st.DataObject, trace_id: UUID, now: datetime
) -> None:
    given = data.draw(arguments.valid(tool))
    name = data.draw(st.sampled_from(sorted(DEFAULTED[tool])))
    assume(name in given)
    without = {each: value for each, value in given.items() if each != name}

    is_default = given[name] == INPUT_SCHEMAS[tool]["properties"][name]["default"]
    assert (key(tool, given, trace_id, now) == key(tool, without, trace_id, now)) is is_default
