"""Both sides of a rule: each example says which one it is on, and a long search must have seen all of them.

A property names its sides in the marker ``sides`` and calls `side` once or more for each example; what is counted are
Hypothesis's events too (``pytest --hypothesis-show-statistics``). Few examples prove nothing here, so that it is the
profiles ``ci`` and ``deep`` that fail when a side was never reached: then the rule, or what is drawn, has lost it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from hypothesis import event

SEEN: Counter[str] = Counter()
"""The sides of the property that runs, and how many examples were on each."""


def side(name: str) -> None:
    """Say which side this example is on. A member of an enumeration is its text, which another process can read."""
    event(name := str(name))
    SEEN[name] += 1


def complaints(expected: Iterable[str], seen: Mapping[str, int], *, all_of_them: bool) -> list[str]:
    """What is wrong with the sides that were seen: one that nobody named, and, of a long search, one that is missing."""
    named = list(expected)
    strange = [f"{name!r} is no side that the marker names" for name in seen if name not in named]
    if not all_of_them:
        return strange
    tried = sum(seen.values())
    return [*strange, *(f"no example was on the side {name!r}, of {tried}" for name in named if name not in seen)]
