"""The page about ``tzzr quality`` has the figures that are measured, and its command prints what it shows."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.docs.blocks import Command, blocks, commands, run, says
from tests.docs.quality_page import quality_page
from tzzr_mocks.grace.engines import Work, engine_for

PAGE = Path(__file__).parents[2] / "docs" / "quality.md"


@pytest.mark.slow
async def test_the_page_has_the_figures_that_are_measured(golden_difference: Callable[[Path, str], str]) -> None:
    assert golden_difference(PAGE, await quality_page()) == ""


@pytest.mark.parametrize("command", [*commands(PAGE)], ids=lambda command: command.words[2])
def test_a_command_of_the_page_prints_what_it_shows(command: Command) -> None:
    code, printed = run(command)

    assert code == 0
    assert says(printed, command.printed)


@pytest.mark.parametrize(("extract", "printed"), [
    (lambda text: engine_for("FIELD_EXTRACTOR")(Work("FIELD_EXTRACTOR", content=text)).result, "total: 1.000 1.000\n"),
    (lambda text: {"fields": [{"name": "total", "value": "0.00"}]}, "total: 0.000 0.000\n"),
])  # fmt: skip
def test_an_extractor_of_ones_own_is_measured_as_the_page_says(
    extract: Callable[[str], dict[str, Any]],
    printed: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    mine = ModuleType("my_extractor")
    mine.__dict__["extract"] = extract
    monkeypatch.setitem(sys.modules, "my_extractor", mine)
    [program] = blocks(PAGE, "python")
    exec(program, {})  # noqa: S102 - the page's own block

    assert capsys.readouterr().out.endswith(printed)
