"""Contract §7.5: every tool's module and every chain are those of the seed's tables, whatever is asked."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.contract.seed_tables import CHAINS, TOOLS
from tests.property.grace import grace
from tests.property.sides import side
from tzzr_mcp.contract.translation import serialise, translate
from tzzr_scenarios.strategies import arguments, requests
from tzzr_scenarios.strategies.values import instants, traces

MODULE_OF = {tool: module for tool, module, _ in TOOLS}


@pytest.mark.sides(*MODULE_OF)
@given(data=st.data(), trace_id=traces(), timestamp=instants())
def test_a_tool_asks_the_module_of_its_row(data: st.DataObject, trace_id: UUID, timestamp: datetime) -> None:
    tool = data.draw(st.sampled_from(list(MODULE_OF)))
    request = translate(tool, data.draw(arguments.valid(tool)), trace_id=trace_id, timestamp=timestamp)

    side(tool)
    assert request.routing.module == MODULE_OF[tool]
    assert request.routing.version == "1.0"
    assert serialise(request)["contract_version"] == "2.1"


@pytest.mark.sides(*CHAINS)
@given(st.sampled_from(list(CHAINS)).flatmap(requests.valid))
def test_the_fake_tries_a_chain_in_the_order_of_its_row(document: dict[str, Any]) -> None:
    module = document["routing"]["module"]
    down = [{"match": {"service": "grace", "module": module}, "effect": "module_down"}]
    response = grace().answer(document, down)

    side(module)
    assert [attempt["module"] for attempt in response["routing"]["attempts"]] == list(CHAINS[module])
    assert response["failure"]["code"] == "FALLBACK_EXHAUSTED"
