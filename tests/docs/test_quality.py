"""The page about ``tzzr quality`` has the figures that are measured, and its command prints what it shows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.docs.blocks import Command, commands, run, says
from tests.docs.quality_page import quality_page

PAGE = Path(__file__).parents[2] / "docs" / "quality.md"


@pytest.mark.slow
async def test_the_page_has_the_figures_that_are_measured(golden_difference: Callable[[Path, str], str]) -> None:
    assert golden_difference(PAGE, await quality_page()) == ""


@pytest.mark.parametrize("command", [*commands(PAGE)], ids=lambda command: command.words[2])
def test_a_command_of_the_page_prints_what_it_shows(command: Command) -> None:
    code, printed = run(command)

    assert code == 0
    assert says(printed, command.printed)
