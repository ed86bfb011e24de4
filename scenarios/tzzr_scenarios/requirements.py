"""What was asked for, and which scenario proves it.

Each requirement is proved by scenarios that name its id (`proves`), or by a test, or deferred with a reason.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import Field, TypeAdapter

from tzzr_scenarios import files
from tzzr_scenarios.language.load import ScenarioFile
from tzzr_scenarios.language.places import read
from tzzr_scenarios.language.values import Part
from tzzr_scenarios.spelling import counted


class Requirement(Part):
    """One sentence that demands something; ``diverges`` tells how it is met otherwise than it was said, and why."""

    id: str = Field(min_length=3)
    source: str
    says: str
    test: str | None = None
    diverges: str | None = None
    deferred: str | None = None


@dataclass(frozen=True)
class Proof:
    """A requirement with the scenarios that prove it."""

    requirement: Requirement
    scenarios: Sequence[str]

    @property
    def how(self) -> str:
        """How it is proved: by scenarios, by a test, not yet; empty when nothing is said."""
        if self.scenarios:
            return f"{self.scenarios[0]}{f' and {len(self.scenarios) - 1} more' if len(self.scenarios) > 1 else ''}"
        if self.requirement.test:
            return self.requirement.test
        return f"deferred: {self.requirement.deferred}" if self.requirement.deferred else ""


def requirements(path: Path | None = None) -> list[Requirement]:
    """Every requirement, in order; those of the built-in scenarios by default.

    Raises:
        ValidationError: the file is not a list of requirements.
    """
    place = path or files.home() / files.REQUIREMENTS
    value: Any = read(place.name, place.read_text(encoding="utf-8")).value
    return TypeAdapter(list[Requirement]).validate_python(value)


def proofs(demanded: Sequence[Requirement], scenarios: Sequence[ScenarioFile]) -> list[Proof]:
    """Each requirement with its proofs."""
    by_id = proving(scenarios)
    return [Proof(each, by_id.get(each.id, ())) for each in demanded]


def proving(scenarios: Sequence[ScenarioFile]) -> Mapping[str, Sequence[str]]:
    """The scenarios that name each id."""
    named: dict[str, list[str]] = defaultdict(list)
    for file in scenarios:
        for each in file.scenario.proves:
            named[each].append(file.id)
    return named


def table(shown: Sequence[Proof]) -> Iterator[str]:
    """The requirements for people, one a line, and how many are proved."""
    widest = max(len(proof.requirement.id) for proof in shown)
    for proof in shown:
        about = proof.requirement
        lines = [
            f"{about.id:<{widest}}  {about.source}  {about.says}",
            f"{'':<{widest}}    {proof.how or 'not proved'}",
        ]
        yield "\n".join([*lines, *([f"{'':<{widest}}    otherwise: {about.diverges}"] if about.diverges else [])])
    deferred = sum(proof.requirement.deferred is not None for proof in shown)
    open_ones = sum(not proof.how for proof in shown)
    yield f"{counted(len(shown), 'requirement')}, {len(shown) - deferred - open_ones} proved, {deferred} deferred, {open_ones} open"
