"""How often a rule acts, out of the occasions that it matches."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

from tzzr_mcp.seams import Dice
from tzzr_mocks.control.errors import PlanError

_COUNTS = ("first", "nth", "every", "once_per_key")


@dataclass(frozen=True)
class Schedule:
    """Which of the matching occasions the fault acts on; nothing given means all.

    At most one of ``first`` (the first n), ``nth`` (the n-th alone), ``every`` (each n-th) and ``once_per_key`` (the
    first of each idempotency key, else trace id). ``after`` and ``until`` bound the window in seconds since the world
    began, ``until`` excluded; occasions outside the window are not counted. ``probability`` is in (0, 1]; an occasion
    that the dice spare is counted.

    Raises:
        PlanError: the parts contradict each other, or could never be true.
    """

    first: int | None = None
    nth: int | None = None
    every: int | None = None
    after: float | None = None
    until: float | None = None
    probability: float | None = None
    once_per_key: bool = False

    def __post_init__(self) -> None:
        counts = [name for name in _COUNTS if getattr(self, name)]
        if len(counts) > 1:
            raise PlanError(f"conflicting schedules: {' and '.join(counts)}; give one of them")
        for name in ("first", "nth", "every"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise PlanError(f"schedule {name}: {value} would never act; the least is 1")
        self._check_window()

    def _check_window(self) -> None:
        if self.probability is not None and not 0 < self.probability <= 1:
            raise PlanError(f"schedule probability: {self.probability:g} is not more than 0 and at most 1")
        if self.until is not None and self.until <= (self.after or 0.0):
            raise PlanError(f"conflicting schedules: until {self.until:g} s is not later than {self.after or 0:g} s")

    def as_json(self) -> dict[str, Any]:
        """What is given, as plain JSON values."""
        given = {part.name: getattr(self, part.name) for part in fields(self)}
        return {name: value for name, value in given.items() if value not in (None, False)}


@dataclass
class Tally:
    """How far a rule's schedule has got."""

    seen: int = 0
    fired: int = 0
    keys: set[str] = field(default_factory=set)

    def due(self, schedule: Schedule, elapsed: float, key: str | None, dice: Dice) -> bool:
        """Count one matching occasion, and say whether the fault acts on it."""
        if not (schedule.after or 0.0) <= elapsed < (schedule.until if schedule.until is not None else float("inf")):
            return False
        self.seen += 1
        fires = self._counts(schedule, key or "") and self._lucky(schedule, dice)
        self.fired += fires
        return fires

    def _counts(self, schedule: Schedule, key: str) -> bool:
        if schedule.once_per_key:
            fresh = key not in self.keys
            self.keys.add(key)
            return fresh
        if schedule.every is not None:
            return self.seen % schedule.every == 0
        return self.seen <= (schedule.first or self.seen) and self.seen == (schedule.nth or self.seen)

    @staticmethod
    def _lucky(schedule: Schedule, dice: Dice) -> bool:
        return schedule.probability is None or dice.random() < schedule.probability
