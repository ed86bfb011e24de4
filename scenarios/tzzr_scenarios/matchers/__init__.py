"""Matchers: one small algebra, each operator with a difference that names the path."""

from __future__ import annotations

from tzzr_scenarios.matchers import collection, logic, numbers, structure, text
from tzzr_scenarios.matchers.algebra import (
    MISSING,
    OPERATORS,
    Difference,
    Matcher,
    MatcherError,
    matcher,
    matches,
    shown,
)

__all__ = [
    "MISSING",
    "OPERATORS",
    "Difference",
    "Matcher",
    "MatcherError",
    "collection",
    "logic",
    "matcher",
    "matches",
    "numbers",
    "shown",
    "structure",
    "text",
]
