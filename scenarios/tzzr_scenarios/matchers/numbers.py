"""Operators on numbers."""

from __future__ import annotations

import operator as compare
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from tzzr_scenarios.matchers.algebra import Difference, MatcherError, operator, shown


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


@dataclass(frozen=True)
class Bound:
    """A number on one side of a limit."""

    sign: str
    holds: Callable[[Any, Any], bool]
    limit: float

    def __post_init__(self) -> None:
        if not _is_number(self.limit):
            raise MatcherError(f"{self.sign} compares with a number, not {shown(self.limit)}")

    def differences(self, value: Any, path: str) -> Iterator[Difference]:
        """One difference when it is on the other side, or no number."""
        if not _is_number(value) or not self.holds(value, self.limit):
            yield Difference(path, f"a number {self.sign} {self.limit}", shown(value))


@operator("gt")
def more_than(limit: Any) -> Bound:
    """A number above the limit."""
    return Bound(">", compare.gt, limit)


@operator("ge")
def at_least(limit: Any) -> Bound:
    """The limit or above."""
    return Bound("≥", compare.ge, limit)


@operator("lt")
def less_than(limit: Any) -> Bound:
    """A number below the limit."""
    return Bound("<", compare.lt, limit)


@operator("le")
def at_most(limit: Any) -> Bound:
    """The limit or below."""
    return Bound("≤", compare.le, limit)
