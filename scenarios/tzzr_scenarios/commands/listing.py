"""What ``tzzr run`` prints without running anything: files with their titles, long forms, the verdicts."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence

from tzzr_scenarios.language.load import ScenarioFile
from tzzr_scenarios.language.longform import long_form
from tzzr_scenarios.language.places import written
from tzzr_scenarios.spelling import counted
from tzzr_scenarios.verdicts import RULES


def titles(chosen: Sequence[ScenarioFile]) -> Iterator[str]:
    """Each file with its title."""
    widest = max(len(file.id) for file in chosen)
    for file in chosen:
        yield f"{file.id:<{widest}}  {file.scenario.scenario}"
    yield counted(len(chosen), "scenario")


def long_forms(chosen: Sequence[ScenarioFile]) -> Iterator[str]:
    """Each file's long form, which is a scenario file itself; several are documents of one stream."""
    for number, file in enumerate(chosen):
        if number:
            yield "---"
        yield f"# {file.id}"
        yield written(long_form(file.scenario)).rstrip("\n")


def verdicts() -> Iterator[str]:
    """Each rule with what breaks it."""
    widest = max(map(len, RULES))
    for name, judge in RULES.items():
        yield f"{name:<{widest}}  {(inspect.getdoc(judge) or '').partition(chr(10))[0]}"
    yield "A scenario waives a rule by name: waives: [rule], with the reason in a comment."
