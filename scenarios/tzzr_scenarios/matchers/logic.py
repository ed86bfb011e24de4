"""Operators that combine others, and those about being there at all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tzzr_scenarios.matchers.algebra import (
    MISSING,
    Difference,
    Equals,
    Every,
    MatcherError,
    matcher,
    matches,
    operator,
    shown,
)


@operator("equals")
@dataclass(frozen=True)
class EqualsWhole:
    """The very value: nothing more, nothing less, and no operators inside."""

    expected: Any

    def differences(self, value: Any, path: str) -> Iterator[Difference]:
        """One difference when it is another value."""
        return Equals(self.expected).differences(value, path)


@operator("not")
@dataclass(frozen=True)
class Not:
    """Anything that does not match."""

    expected: Any

    def __post_init__(self) -> None:
        matcher(self.expected)

    def differences(self, value: Any, path: str) -> Iterator[Difference]:
        """One difference when it does match."""
        if matches(matcher(self.expected), value):
            yield Difference(path, f"not {shown(self.expected)}", shown(value))


def _list(operand: Any, name: str) -> list[Any]:
    if not isinstance(operand, list) or not operand:
        raise MatcherError(f"{name} takes a list of expectations, not {shown(operand)}")
    return operand


@operator("all")
def every(specs: Any) -> Every:
    """Each of several expectations."""
    return Every(tuple(matcher(spec) for spec in _list(specs, "all")))


@operator("anyOf")
@dataclass(frozen=True)
class AnyOf:
    """At least one of several expectations."""

    expected: list[Any]

    def __post_init__(self) -> None:
        for spec in _list(self.expected, "anyOf"):
            matcher(spec)

    def differences(self, value: Any, path: str) -> Iterator[Difference]:
        """One difference when none matches."""
        if not any(matches(matcher(spec), value) for spec in self.expected):
            yield Difference(path, f"any of {shown(self.expected)}", shown(value))


@operator("any")
@dataclass(frozen=True)
class Present:
    """Anything, as long as it is there."""

    expected: bool = True

    def differences(self, value: Any, path: str) -> Iterator[Difference]:
        """One difference when it is not there."""
        if (value is not MISSING) is not bool(self.expected):
            yield Difference(path, "anything" if self.expected else "nothing", shown(value))


@operator("absent")
def absent(expected: Any) -> Present:
    """Not there at all (null is there)."""
    return Present(expected=not expected)
