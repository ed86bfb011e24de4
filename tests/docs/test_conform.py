"""The page about ``tzzr conform`` says what the rules say, and its commands print what it shows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.docs.blocks import Command, blocks, commands, run, says
from tests.docs.conform_page import conform_page
from tests.tzzr_scenarios.conform.asking import probing
from tzzr_scenarios.conform.grace import book
from tzzr_scenarios.conform.grace.probe import Probe
from tzzr_scenarios.conform.judge import verdicts
from tzzr_scenarios.conform.rule import RuleBook

PAGE = Path(__file__).parents[2] / "docs" / "conform.md"


def test_the_page_is_what_the_rules_say(golden_difference: Callable[[Path, str], str]) -> None:
    assert golden_difference(PAGE, conform_page()) == ""


@pytest.mark.parametrize("command", [*commands(PAGE)], ids=lambda command: command.words[2])
def test_a_command_of_the_page_prints_what_it_shows(command: Command) -> None:
    code, printed = run(command)

    assert code == 0
    assert says(printed, command.printed)


async def test_the_rule_of_the_page_is_one_and_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    fresh: RuleBook[Probe] = RuleBook("grace", book.BOOK.themes)
    monkeypatch.setattr(book, "BOOK", fresh)
    [program] = blocks(PAGE, "python")
    exec(program, {})  # noqa: S102 - the page's own block

    async with probing() as probe:
        judged = [verdict async for verdict in verdicts(probe, fresh)]
    assert [(verdict.rule, verdict.outcome) for verdict in judged] == [("hasher.lower", "passed")]
    assert judged[0].says == "`digest` is written in lower case."
