"""Contract §7.8: no secret in any result, error, log line, journal entry or trace, whatever fails and is asked.

What the whole catalogue of scenarios leaves behind, reports included, is searched in tests/tzzr_scenarios/test_secrets.py.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.property.server import Call, Spoken, talk
from tests.property.sides import side
from tests.searching import examples
from tests.tzzr_scenarios.planted import STYLES, Planted, plant
from tzzr_scenarios.stage import input_schemas
from tzzr_scenarios.strategies import arguments, faults

TOOLS = tuple(input_schemas("system,grace,hst,context"))
STATUS: Call = ("explorar_recursos", {"uri": "tzzr://servers/status"})


@pytest.fixture(scope="module", params=STYLES)
def planted(request: pytest.FixtureRequest) -> Iterator[Planted]:
    """The search, while the fakes let clients in with the planted secrets."""
    with pytest.MonkeyPatch.context() as patch:
        yield plant(patch, request.param)


@st.composite
def _calls(draw: st.DrawFn) -> list[Call]:
    tools = draw(st.lists(st.sampled_from(TOOLS), min_size=1, max_size=4))
    return [(tool, draw(arguments.valid(tool) | arguments.nearly_valid(tool))) for tool in tools]


def _broad(rule: dict[str, Any]) -> dict[str, Any]:
    """The same fault on every occasion of its service, so that it strikes."""
    return {"match": {"service": rule["match"]["service"]}, "effect": rule["effect"]}


PLANS = st.lists(faults.valid().map(_broad), max_size=3, unique_by=repr)


@pytest.mark.sides("a result", "an error", "a fault fired")
@settings(max_examples=examples(dev=2, ci=40))
@given(plan=PLANS, calls=_calls())
def test_no_secret_leaves_the_process(planted: Planted, plan: list[Any], calls: list[Call]) -> None:
    planted.lines.clear()
    planted.spans.clear()
    spoken = talk([*calls, STATUS], faults=plan)

    for result in spoken.results:
        side("an error" if result.is_error else "a result")
    if any(event.kind == "fault" for event in spoken.world.trace):
        side("a fault fired")
    assert [leak for what, text in _left(planted, spoken) for leak in planted.found(what, text)] == []


def _left(planted: Planted, spoken: Spoken) -> Iterator[tuple[str, str]]:
    for handler in logging.root.handlers:
        handler.flush()
    yield "a result", "\n".join(result.model_dump_json() for result in spoken.results)
    yield "the journal", "\n".join(json.dumps(each.as_json(), default=repr) for each in spoken.exchanges)
    yield "the trace", "\n".join(json.dumps(event.as_json(), default=repr) for event in spoken.world.trace)
    yield "a span", "\n".join(span.to_json() for span in planted.spans.get_finished_spans())
    yield "the log", "".join(planted.lines)
