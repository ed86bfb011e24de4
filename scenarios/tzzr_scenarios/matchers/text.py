"""Operators on text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tzzr_scenarios.matchers.algebra import Difference, MatcherError, operator, shown


def _text(operand: Any, name: str) -> str:
    if not isinstance(operand, str):
        raise MatcherError(f"{name} takes text, not {shown(operand)}; put it in quotes")
    return operand


@operator("starts")
@dataclass(frozen=True)
class Starts:
    """Text that begins so."""

    expected: str

    def __post_init__(self) -> None:
        _text(self.expected, "starts")

    def differences(self, value: Any, path: str) -> Iterator[Difference]:
        """One difference when it begins otherwise."""
        if not isinstance(value, str) or not value.startswith(self.expected):
            yield Difference(path, f"text that starts with {shown(self.expected)}", shown(value))


@operator("ends")
@dataclass(frozen=True)
class Ends:
    """Text that ends so."""

    expected: str

    def __post_init__(self) -> None:
        _text(self.expected, "ends")

    def differences(self, value: Any, path: str) -> Iterator[Difference]:
        """One difference when it ends otherwise."""
        if not isinstance(value, str) or not value.endswith(self.expected):
            yield Difference(path, f"text that ends with {shown(self.expected)}", shown(value))


@operator("regex")
@dataclass(frozen=True)
class Regex:
    """Text in which the pattern is found (Python's syntax; anchor with ``^`` and ``$``)."""

    pattern: str

    def __post_init__(self) -> None:
        try:
            re.compile(_text(self.pattern, "regex"))
        except re.error as error:
            raise MatcherError(f"regex {shown(self.pattern)} does not compile: {error}") from error

    def differences(self, value: Any, path: str) -> Iterator[Difference]:
        """One difference when the pattern is not found."""
        if not isinstance(value, str) or re.search(self.pattern, value) is None:
            yield Difference(path, f"text with /{self.pattern}/", shown(value))
