"""The list of mutants that may survive, and the score of a run."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.mutants.mutants import Mutant

FLOOR = 90.0
"""Of a hundred mutants of a target, so many are killed or listed with a reason."""
LIST = Path(__file__).with_name("survivors.toml")


def listed(target: str, module: str = "*", file: Path = LIST) -> dict[str, str]:
    """What may survive of a target (of one module of it), with the reason."""
    groups = tomllib.loads(file.read_text("utf-8")).get(target, [])
    return {
        told: group["reason"]
        for group in groups
        for told in group["mutants"]
        if module == "*" or told.startswith(f"{module}:")
    }


@dataclass(frozen=True)
class Score:
    """How many mutants there were, how many are accounted for, and what is not."""

    total: int
    killed: int
    out_of_time: int
    excused: int
    survivors: tuple[Mutant, ...]
    """Neither killed nor listed."""
    needless: tuple[str, ...]
    """Listed, but killed by now or no longer a mutant."""

    @classmethod
    def of(cls, found: Iterable[Mutant], excuses: Mapping[str, str]) -> Score:
        """Hold the mutants of a run to the list."""
        found = tuple(found)
        alive = [mutant for mutant in found if not mutant.killed]
        return cls(
            total=len(found),
            killed=len(found) - len(alive),
            out_of_time=sum(mutant.out_of_time for mutant in found),
            excused=sum(mutant.told in excuses for mutant in alive),
            survivors=tuple(mutant for mutant in alive if mutant.told not in excuses),
            needless=tuple(sorted(set(excuses) - {mutant.told for mutant in alive})),
        )

    @property
    def percent(self) -> float:
        """Killed and listed, of a hundred."""
        return 100.0 * (self.killed + self.excused) / self.total if self.total else 0.0

    @property
    def fine(self) -> bool:
        """The floor is reached and no entry of the list is needless."""
        return self.percent >= FLOOR and not self.needless


def report(target: str, score: Score) -> str:
    """What is not accounted for, ready for the list, and one line of figures."""
    figures = (
        f"{target}: {score.total} mutants, {score.killed} killed ({score.out_of_time} by their time limit), "
        f"{score.excused} listed, {len(score.survivors)} not: {score.percent:.1f} % (floor {FLOOR:g} %)"
    )
    survived = (f"survived: '''{mutant.told}'''," for mutant in score.survivors)
    needless = (f"needless entry, killed or gone: {told}" for told in score.needless)
    return "\n".join((*survived, *needless, figures))
