"""A scenario held to what it says: played on the fakes, and expectations left out that do not come true there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tzzr_scenarios import runner
from tzzr_scenarios.events import ScenarioResult
from tzzr_scenarios.language.load import load
from tzzr_scenarios.language.places import written
from tzzr_scenarios.matchers import OPERATORS, Difference

SEEDS = (7, 8)
"""What differs from one to the other is chance, and nothing to expect."""
_ROUNDS = 6
_OUTCOMES = ("error", "protocol_error")
"""What a step came to is the scenario itself: where it differs, the scenario is wrong or the server is."""
Place = tuple[str | int, ...]


@dataclass
class Settled:
    """``left_out`` tells the expectations that did not come true, ``failed`` the plays that did not pass after all."""

    left_out: list[str] = field(default_factory=list)
    failed: Sequence[ScenarioResult] = ()


def settle(path: Path, scenario: dict[str, Any], head: str) -> Settled:
    """Write the scenario to ``path`` below the comment ``head``, without the expectations that do not come true.

    Raises:
        FileMistakes: what was written is no scenario.
    """
    settled = Settled()
    for _ in range(_ROUNDS):
        path.write_text(f"{head}{written(scenario, flow=True)}", encoding="utf-8")
        file = load(path)
        settled.failed = [
            result for seed in SEEDS if (result := runner.run_one(file, runner.Settings(seed))).verdict != "passed"
        ]
        places = _places(scenario["steps"], file.document.place)
        dropped = [told for result in settled.failed for told in _dropped(scenario, result, places)]
        if not dropped:
            break
        settled.left_out += [told for told in dropped if told not in settled.left_out]
    return settled


def _places(steps: Sequence[Any], place: Any) -> dict[int, Place]:
    """Where the steps stand, by their line."""
    paths: list[Place] = []
    for number, step in enumerate(steps):
        paths.append(("steps", number))
        paths += [("steps", number, "parallel", inner) for inner in range(len(step.get("parallel", ())))]
    return {place(path).line: path for path in paths}


def _dropped(scenario: Mapping[str, Any], result: ScenarioResult, places: Mapping[int, Place]) -> Iterator[str]:
    """Take out each expectation of a play that did not come true, and tell it."""
    for step in result.steps:
        part: Any = scenario
        for key in places.get(step.line, ()):
            part = part[key]
        for difference in step.differences:
            if drop(part.get("expect", {}), difference):
                yield f"{step.title}: {difference.path} was {difference.expected}, and is {difference.got} on the fakes"
        if part.get("expect") == {}:
            del part["expect"]


def drop(expect: dict[str, Any], difference: Difference) -> bool:
    """Take out the expectation that a difference is about; false when it is none that may be left out."""
    path, part = difference.path.removeprefix("length of "), expect
    if path.partition(".")[0] in _OUTCOMES:
        return False
    while True:
        key = next((key for key in part if path == key or path.startswith((f"{key}.", f"{key}["))), None)
        if key is None:
            return False
        inner, rest = part[key], path[len(key) :]
        if not rest.startswith(".") or not isinstance(inner, dict) or inner.keys() & OPERATORS.keys():
            del part[key]
            return True
        part, path = inner, rest[1:]
