"""One shape for every rule: an id, the sentence that it holds a service to, where that is written, and the check."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from tzzr_scenarios.conform.verdict import Difference

P = TypeVar("P")
C = TypeVar("C", bound=Callable[..., Awaitable[None]])


class Exchange(Protocol):
    """A request that was sent and what came back, as a rule shows it."""

    @property
    def request(self) -> str:
        """The request as a line for a shell, or as the message that was sent."""
        ...


class Broken(Exception):
    """The service does not keep the rule; the exchange that shows it, and the differences."""

    def __init__(self, exchange: Exchange, *differences: Difference) -> None:
        super().__init__(", ".join(difference.part for difference in differences))
        self.exchange, self.differences = exchange, differences


class NotJudged(Exception):
    """The rule could not be judged: what it looks at is not there. Another rule tells whether it should be."""


@dataclass(frozen=True)
class Rule(Generic[P]):
    """One rule. ``only`` names the ways in which alone it holds, such as an era and a transport; empty: in all.

    A rule that ``changes`` something at the service, if only a job of our own, is asked when that is allowed.
    """

    id: str
    says: str
    source: str
    check: Callable[[P], Awaitable[None]]
    only: frozenset[str] = frozenset()
    changes: bool = False

    @property
    def theme(self) -> str:
        """What its id begins with."""
        return self.id.partition(".")[0]


class RuleBook(Generic[P]):
    """The rules for one kind of service, in the order of their definition."""

    def __init__(self, kind: str, themes: Mapping[str, str]) -> None:
        self.kind = kind
        self.themes = themes
        self._rules: dict[str, Rule[P]] = {}

    def rule(self, name: str, source: str, *, only: Iterable[str] = (), changes: bool = False) -> Callable[[C], C]:
        """Make a rule of a check, whose docstring is what the rule says.

        Raises:
            ValueError: the id is taken, its theme is none of the book's, or the check has no docstring.
        """

        def enter(check: C) -> C:
            says = " ".join((inspect.getdoc(check) or "").split()).replace("``", "`")
            if name in self._rules or name.partition(".")[0] not in self.themes or not says:
                raise ValueError(f"{name!r} is taken, of no theme, or its check says nothing")
            self._rules[name] = Rule(name, says, source, check, frozenset(only), changes)
            return check

        return enter

    def __iter__(self) -> Iterator[Rule[P]]:
        return iter(self._rules.values())

    def __len__(self) -> int:
        return len(self._rules)


def hold(exchange: Exchange, kept: bool, part: str, expected: Any, came: Any) -> None:
    """The rule demands ``kept``.

    Raises:
        Broken: it is not; with what was expected of the part and what came.
    """
    if not kept:
        raise Broken(exchange, Difference(part, expected, came))
