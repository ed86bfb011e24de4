"""What is wrong with a play, each by a name that stays the same from one play to the next."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from tzzr_scenarios.events import ScenarioResult, StepResult
from tzzr_scenarios.matchers import Difference
from tzzr_scenarios.verdicts import Verdict

Symptoms = Mapping[str, str]
"""By its name what was wrong, in words: ``verdict stormed``, ``expect data``, ``after jobs.IN_QUEUE`` …"""
_UNFIRED = "given.faults"
"""A search plans faults that need not fire."""


def of_steps(steps: Iterable[StepResult]) -> dict[str, str]:
    """What some steps expected otherwise."""
    return {f"expect {_head(each)}": f"{step.title}: {_told(each)}" for step in steps for each in step.differences}


def of_verdicts(broken: Sequence[Verdict]) -> dict[str, str]:
    """The verdicts that were broken."""
    return {f"verdict {verdict.rule}": verdict.what for verdict in broken}


def of_problem(told: str) -> dict[str, str]:
    """Why a scenario could not be carried out."""
    return {f"problem {told.partition(':')[0]}": told} if told else {}


def of_result(result: ScenarioResult) -> dict[str, str]:
    """Everything that is wrong with a scenario's result."""
    rest = [each for each in result.differences if each.path != _UNFIRED]
    ends = {each.path.replace("after.", "after ", 1): _told(each) for each in rest}
    return {**of_problem(result.problem), **of_steps(result.steps), **ends}


def _head(difference: Difference) -> str:
    """What was expected: success by the code that came instead, anything else by its name."""
    if difference.expected == "success":
        return f"no {difference.got.partition(':')[0]}"
    return re.split(r"[.\[ ]", difference.path.removeprefix("length of "), maxsplit=1)[0]


def _told(difference: Difference) -> str:
    return f"{difference.path}: {difference.got} instead of {difference.expected}"
