"""docs/finance.md: every figure in it comes out of the two tools."""

from __future__ import annotations

import asyncio
import doctest
from functools import partial
from pathlib import Path
from typing import Any

from tests.tzzr_mcp.plugins.finance.calculators import calculators, figures
from tzzr_mcp.plugins.finance import plugin

PAGE = Path(__file__).parents[4] / "docs" / "finance.md"


def _call(tool: str, **arguments: Any) -> dict[str, Any]:
    async def called() -> dict[str, Any]:
        async with calculators() as client:
            return figures(await client.call_tool(tool, arguments))

    return asyncio.run(called())


def test_each_figure_in_the_docs_comes_out_of_the_tools() -> None:
    names = {
        "loan": partial(_call, "calculate_loan_amortization"),
        "investment": partial(_call, "analyze_investment_projection"),
    }
    outcome = doctest.testfile(str(PAGE), module_relative=False, globs=names, encoding="utf-8")

    assert (outcome.failed, outcome.attempted) == (0, 19)


def test_the_docs_name_every_argument_of_both_tools() -> None:
    page = PAGE.read_text(encoding="utf-8")

    for tool in plugin.tools:
        assert all(f"`{name}`" in page for name in (tool.name, *tool.input_schema["properties"]))
