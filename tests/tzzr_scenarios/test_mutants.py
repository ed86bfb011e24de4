"""The catalogue notices what is wrong with the server: every deliberate fault turns its theme red."""

from __future__ import annotations

import pytest

from tests.tzzr_scenarios.mutants import MUTANTS, Mutant
from tzzr_scenarios import files, runner
from tzzr_scenarios.events import ScenarioResult
from tzzr_scenarios.language.load import load_all
from tzzr_scenarios.stage import ERAS

REFUSED = "RuntimeError: Invalid structured content"
"""How the official client refuses a result that does not fit the tool's output schema."""


def first_red(theme: str) -> ScenarioResult | None:
    """The first scenario of a theme that does not pass in one of the eras."""
    for file in load_all(files.find([theme])):
        for era in ERAS:
            result = runner.run_one(file, runner.Settings(era=era))
            if not result.fine:
                return result
    return None


@pytest.mark.slow
@pytest.mark.parametrize("mutant", MUTANTS, ids=str)
def test_a_deliberate_fault_is_caught_and_its_theme_is_green_without_it(
    mutant: Mutant, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        mutant.apply(patch)
        red = first_red(mutant.theme)
    assert red is not None, f"nothing in {mutant.theme} notices that {mutant.told}"
    assert red.verdict == "failed" or red.problem.startswith(REFUSED), red.problem
    assert runner.run_one(red.file, runner.Settings(era=red.era)).verdict == "passed"


def test_at_least_twelve_faults_are_tried_each_with_a_sentence_of_its_own() -> None:
    assert len({mutant.told for mutant in MUTANTS}) == len(MUTANTS) >= 12
