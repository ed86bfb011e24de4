"""Short ways to play a scenario from a text."""

from __future__ import annotations

from pathlib import Path

from tzzr_scenarios import runner
from tzzr_scenarios.events import ScenarioResult
from tzzr_scenarios.language.load import load
from tzzr_scenarios.matchers import Difference

HEAD = "scenario: A scenario of the tests\n"


def play(folder: Path, text: str, seed: int = 7) -> ScenarioResult:
    """Run one scenario that a test wrote."""
    path = folder / "tried.yaml"
    path.write_text(HEAD + text, encoding="utf-8")
    return runner.run_one(load(path, "tried.yaml"), runner.Settings(seed))


def all_differences(result: ScenarioResult) -> list[Difference]:
    """Every difference of a result, in order."""
    return [each for step in result.steps for each in step.differences] + list(result.differences)
