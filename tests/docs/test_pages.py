"""Every reference page says what the code says."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.docs import pages
from tzzr_mcp.contract.catalogue import MODULES
from tzzr_mocks.control import KINDS
from tzzr_scenarios.language import schema

DOCS = Path(__file__).parents[2] / "docs"
Golden = Callable[[Path, str], str]


@pytest.mark.parametrize(
    ("name", "made"),
    [
        ("settings.md", pages.settings_page),
        ("tools.md", pages.tools_page),
        ("scenarios.md", pages.scenarios_page),
        ("faults.md", pages.faults_index),
    ],
)
def test_a_reference_page_is_what_the_code_says(golden_difference: Golden, name: str, made: Callable[[], str]) -> None:
    assert golden_difference(DOCS / name, made()) == ""


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_fault_has_its_page_with_one_line_of_yaml(golden_difference: Golden, kind: str) -> None:
    page = pages.fault_page(KINDS[kind])
    assert kind in page
    assert golden_difference(DOCS / "faults" / f"{kind}.md", page) == ""


def test_no_page_tells_of_a_fault_that_is_gone() -> None:
    assert {path.stem for path in (DOCS / "faults").glob("*.md")} == set(KINDS)


def test_the_published_scenario_schema_is_what_the_models_say(golden_difference: Golden) -> None:
    assert golden_difference(schema.PATH, schema.text()) == ""


def test_the_tools_page_names_every_tool_of_the_catalogue() -> None:
    page = (DOCS / "tools.md").read_text()
    assert all(module.tool in page for module in MODULES.values() if module.tool)
