"""Operators on lists, objects and text as wholes: what they contain, how long they are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tzzr_scenarios.matchers.algebra import Difference, Matcher, MatcherError, matcher, matches, operator, shown


@operator("contains")
@dataclass(frozen=True)
class Contains:
    """Text with this inside, or a list with an item that matches; a list of such means each of them."""

    expected: Any

    def __post_init__(self) -> None:
        matcher(self.expected)

    def differences(self, value: Any, path: str) -> Iterator[Difference]:
        """One difference per thing that is not inside."""
        for wanted in self.expected if isinstance(self.expected, list) else [self.expected]:
            if not _inside(wanted, value):
                yield Difference(path, f"contains {shown(wanted)}", shown(value))


def _inside(wanted: Any, value: Any) -> bool:
    if isinstance(value, str):
        return isinstance(wanted, str) and wanted in value
    return isinstance(value, list) and any(matches(matcher(wanted), item) for item in value)


@operator("unordered")
@dataclass(frozen=True)
class Unordered:
    """A list of exactly these items in any order."""

    expected: list[Any]

    def __post_init__(self) -> None:
        if not isinstance(self.expected, list):
            raise MatcherError(f"unordered takes a list, not {shown(self.expected)}")
        matcher(self.expected)

    def differences(self, value: Any, path: str) -> Iterator[Difference]:
        """What is missing and what is too many."""
        if not isinstance(value, list):
            yield Difference(path, f"a list of {len(self.expected)}", shown(value))
            return
        taken = _taken([matcher(wanted) for wanted in self.expected], value)
        for wanted in (spec for number, spec in enumerate(self.expected) if number not in taken.values()):
            yield Difference(path, f"an item like {shown(wanted)}", shown(value))
        if left := [item for number, item in enumerate(value) if number not in taken]:
            yield Difference(path, f"{len(self.expected)} items", f"also {shown(left)}")


def _taken(wanted: Sequence[Matcher], items: Sequence[Any]) -> dict[int, int]:
    """Which item is taken for which expectation: as many as can be, each once (a maximum bipartite matching)."""
    fits = [[number for number, item in enumerate(items) if matches(part, item)] for part in wanted]
    taken: dict[int, int] = {}
    for asking in range(len(wanted)):
        _seat(asking, fits, taken, set())
    return taken


def _seat(asking: int, fits: Sequence[Sequence[int]], taken: dict[int, int], tried: set[int]) -> bool:
    """Find an item for one expectation; another one may have to take a different item instead."""
    for item in fits[asking]:
        if item not in tried:
            tried.add(item)
            if item not in taken or _seat(taken[item], fits, taken, tried):
                taken[item] = asking
                return True
    return False


@operator("length")
@dataclass(frozen=True)
class Length:
    """How many items, keys or characters there are: a number or a matcher of one."""

    expected: Any

    def __post_init__(self) -> None:
        matcher(self.expected)

    def differences(self, value: Any, path: str) -> Iterator[Difference]:
        """One difference when there are more or fewer."""
        if not isinstance(value, str | list | dict):
            yield Difference(f"length of {path}", shown(self.expected), shown(value))
            return
        yield from matcher(self.expected).differences(len(value), f"length of {path}")
