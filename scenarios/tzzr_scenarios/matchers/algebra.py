"""The algebra: a matcher looks at a value and tells each difference by its path.

A plain value in a scenario is already a matcher: a scalar means equality, a mapping names the keys that matter (others
may be there), a list means these items in this order. A mapping whose keys are all names of operators applies those.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from tzzr_scenarios.spelling import suggestion

MISSING: Any = type("Missing", (), {"__repr__": lambda _: "nothing"})()
"""What a matcher is given where the value has no such part."""


@dataclass(frozen=True)
class Difference:
    """One place where a value is not as expected."""

    path: str
    expected: str
    got: str


class Matcher(Protocol):
    """Looks at one value."""

    def differences(self, value: Any, path: str) -> Iterator[Difference]:
        """Every difference, each with the path of the part that differs; none means it matches."""
        ...


class MatcherError(ValueError):
    """An operator that cannot work as written; ``path`` leads to it inside the expectation."""

    def __init__(self, message: str, path: tuple[str | int, ...] = ()) -> None:
        super().__init__(message)
        self.path = path


Operator = Callable[[Any], Matcher]
OPERATORS: dict[str, Operator] = {}
"""Every operator by its name in a scenario; each file of this package registers its own."""


def operator(name: str) -> Callable[[Operator], Operator]:
    """Register a matcher class under its name in scenarios; a name that is taken is a mistake of the code."""

    def register(build: Operator) -> Operator:
        if name in OPERATORS:
            raise ValueError(f"two operators are called {name!r}")
        OPERATORS[name] = build
        return build

    return register


def matcher(spec: Any) -> Matcher:
    """The matcher that a plain value of a scenario means.

    Raises:
        MatcherError: an operator's operand is of the wrong kind, or operators and plain keys are mixed.
    """
    if isinstance(spec, Mapping):
        return _mapping(spec)
    if isinstance(spec, list):
        return Items(tuple(_inside(item, number) for number, item in enumerate(spec)))
    return Equals(spec)


def _mapping(spec: Mapping[str, Any]) -> Matcher:
    named = [key for key in spec if key in OPERATORS]
    if not named:
        return Parts({key: _inside(value, key) for key, value in spec.items()})
    if strangers := [key for key in spec if key not in OPERATORS]:
        hint = suggestion(strangers[0], sorted(OPERATORS), "operators")
        message = f'"{strangers[0]}" stands beside the operator "{named[0]}"; {hint}. A key of that name: equals: {{…}}'
        raise MatcherError(message, (strangers[0],))
    built = tuple(_inside_operator(key, value) for key, value in spec.items())
    return built[0] if len(built) == 1 else Every(built)


def _inside(spec: Any, key: str | int) -> Matcher:
    try:
        return matcher(spec)
    except MatcherError as error:
        raise MatcherError(str(error), (key, *error.path)) from error


def _inside_operator(name: str, operand: Any) -> Matcher:
    try:
        return OPERATORS[name](operand)
    except MatcherError as error:
        raise MatcherError(str(error), (name, *error.path)) from error


def shown(value: Any, limit: int = 300) -> str:
    """A value as a person would read it: JSON, cut at ``limit`` characters."""
    if value is MISSING:
        return "nothing"
    text = json.dumps(value, ensure_ascii=False, default=repr, sort_keys=True)
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text)} characters)"


def same(left: Any, right: Any) -> bool:
    """JSON equality: numbers by value, and a boolean is never a number."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    return bool(left == right)


@dataclass(frozen=True)
class Equals:
    """The very value."""

    expected: Any

    def differences(self, value: Any, path: str) -> Iterator[Difference]:
        """One difference when it is another value."""
        if value is MISSING or not same(value, self.expected):
            yield Difference(path, shown(self.expected), shown(value))


@dataclass(frozen=True)
class Parts:
    """An object of which the named parts matter."""

    parts: Mapping[str, Matcher]

    def differences(self, value: Any, path: str) -> Iterator[Difference]:
        """The differences of each part."""
        if not isinstance(value, Mapping):
            yield Difference(
                path, f"an object with {', '.join(self.parts) or 'anything'}{self._hint(value)}", shown(value)
            )
            return
        for key, part in self.parts.items():
            yield from part.differences(value.get(key, MISSING), f"{path}.{key}" if path else key)

    def _hint(self, value: Any) -> str:
        """Where no object is, the keys were perhaps meant for operators."""
        if value is MISSING or isinstance(value, list) or not self.parts:
            return ""
        key = next(iter(self.parts))
        return f'; "{key}" is no operator; {suggestion(key, sorted(OPERATORS), "operators")}'


@dataclass(frozen=True)
class Items:
    """A list of exactly these items in this order."""

    items: tuple[Matcher, ...]

    def differences(self, value: Any, path: str) -> Iterator[Difference]:
        """The differences of each item, and of the length."""
        if not isinstance(value, list):
            yield Difference(path, f"a list of {len(self.items)}", shown(value))
            return
        if len(value) != len(self.items):
            yield Difference(path, f"{len(self.items)} items", f"{len(value)} items: {shown(value)}")
            return
        for number, (item, part) in enumerate(zip(value, self.items, strict=True)):
            yield from part.differences(item, f"{path}[{number}]")


@dataclass(frozen=True)
class Every:
    """All of several matchers on one value."""

    matchers: tuple[Matcher, ...]

    def differences(self, value: Any, path: str) -> Iterator[Difference]:
        """The differences of all."""
        for part in self.matchers:
            yield from part.differences(value, path)


def matches(part: Matcher, value: Any) -> bool:
    """Whether there is no difference."""
    return next(iter(part.differences(value, "")), None) is None
