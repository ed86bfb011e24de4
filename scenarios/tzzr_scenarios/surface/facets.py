"""What a change of one kind of thing means to those who use it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from tzzr_scenarios.surface.changes import Change, Weight, quoted


class Facet(Protocol):
    """One kind of thing that may change."""

    def changes(self, old: Any, new: Any, where: str) -> Iterator[Change]:
        """What has become otherwise; nothing for what is equal."""
        ...


@dataclass(frozen=True)
class Value:
    """What is either equal or not: any change weighs the same."""

    weight: Weight

    def changes(self, old: Any, new: Any, where: str) -> Iterator[Change]:
        """One change when they differ."""
        if old != new:
            yield Change(self.weight, where, "changed", old, new)


WORDS = Value(Weight.WORDING)
"""Titles, descriptions, texts of prompts."""
FIXED = Value(Weight.BREAKING)
"""What others have written down: a default, an exit code, a media type."""


@dataclass(frozen=True)
class Promise:
    """A truth value. To lose the value ``good`` breaks what relied on it; to gain it breaks nothing."""

    good: bool

    def changes(self, old: Any, new: Any, where: str) -> Iterator[Change]:
        """One change when it has turned."""
        if old != new:
            yield Change(Weight.ADDITIVE if new is self.good else Weight.BREAKING, where, "changed", old, new)


@dataclass(frozen=True)
class Names:
    """A list whose order says nothing."""

    def changes(self, old: Any, new: Any, where: str) -> Iterator[Change]:
        """One change for each name that is gone or new."""
        for name in old:
            if name not in new:
                yield Change(Weight.BREAKING, f"{where}/{quoted(name)}", "is gone", name)
        for name in new:
            if name not in old:
                yield Change(Weight.ADDITIVE, f"{where}/{quoted(name)}", "is new", None, name)


@dataclass(frozen=True)
class Record:
    """Fields with a name each, all of them there on both sides or None."""

    fields: Mapping[str, Facet]

    def changes(self, old: Any, new: Any, where: str) -> Iterator[Change]:
        """The changes of each field."""
        for name, facet in self.fields.items():
            yield from facet.changes(old.get(name), new.get(name), f"{where}/{name}")


@dataclass(frozen=True)
class Things:
    """Things by name. To lose one breaks; a new one adds, unless ``demanded`` says that everybody must give it."""

    each: Facet
    demanded: Callable[[Any], bool] = lambda thing: False

    def changes(self, old: Any, new: Any, where: str) -> Iterator[Change]:
        """What is gone, what is new, and the changes of what has stayed."""
        for name, thing in old.items():
            at = f"{where}/{quoted(name)}" if where else name
            if name not in new:
                yield Change(Weight.BREAKING, at, "is gone", thing)
            else:
                yield from self.each.changes(thing, new[name], at)
        for name, thing in new.items():
            if name not in old:
                demanded = self.demanded(thing)
                told = "is new, and must be given" if demanded else "is new"
                at = f"{where}/{quoted(name)}" if where else name
                yield Change(Weight.BREAKING if demanded else Weight.ADDITIVE, at, told, None, thing)
