"""PostgreSQL's LIKE, LOWER, averages, weeks and array lengths as functions for SQLite."""

from __future__ import annotations

import json
import re
import sqlite3
from decimal import ROUND_HALF_UP, Decimal, localcontext
from functools import lru_cache
from typing import Any

from tzzr_mocks.hst.dialects.collation import collate
from tzzr_mocks.hst.instants import instant

COLLATION = "en_us"


def install(connection: sqlite3.Connection) -> None:
    """Give a connection PostgreSQL's functions and collation."""
    connection.create_collation(COLLATION, collate)
    connection.create_function("like", 2, like, deterministic=True)
    connection.create_function("lower", 1, lower, deterministic=True)
    connection.create_function("pg_week", 1, week, deterministic=True)
    connection.create_function("pg_array_length", 1, array_length, deterministic=True)
    connection.create_aggregate("pg_avg", 1, Average)  # type: ignore[arg-type]  # typeshed wants int results


@lru_cache(maxsize=256)
def _pattern(pattern: str) -> re.Pattern[str]:
    parts: list[str] = []
    letters = iter(pattern)
    for letter in letters:
        if letter == "\\":
            parts.append(re.escape(next(letters, "\\")))
        else:
            parts.append({"%": ".*", "_": "."}.get(letter) or re.escape(letter))
    return re.compile("".join(parts), re.DOTALL)


def like(pattern: str | None, text: Any) -> bool | None:
    """``text LIKE pattern``, in exact case; a backslash makes the next letter plain."""
    if pattern is None or text is None:
        return None
    return _pattern(pattern).fullmatch(str(text)) is not None


def lower(text: Any) -> Any:
    """All of Unicode, not only ASCII."""
    return text.lower() if isinstance(text, str) else text


def week(milliseconds: float | None) -> int | None:
    """The ISO week."""
    return None if milliseconds is None else instant(milliseconds).isocalendar().week


def array_length(text: Any) -> int | None:
    """``json_array_length``.

    Raises:
        ValueError: the value is no array.
    """
    value = json.loads(text) if isinstance(text, str) else text
    if value is not None and not isinstance(value, list):
        raise ValueError("cannot get array length of a non-array")
    return None if value is None else len(value)


class Average:
    """``avg`` of integers: a numeric with 16 significant digits or more, as text."""

    def __init__(self) -> None:
        self._sum = 0
        self._count = 0

    def step(self, value: int | None) -> None:
        """Take one value."""
        if value is not None:
            self._sum += value
            self._count += 1

    def finalize(self) -> str | None:
        """The average, rounded half up to PostgreSQL's scale."""
        if not self._count:
            return None
        scale = max(0, 16 - 4 * _quotient_weight(abs(self._sum), self._count))
        with localcontext() as context:
            context.prec = 60
            quotient = Decimal(self._sum) / Decimal(self._count)
            return f"{quotient.quantize(Decimal(1).scaleb(-scale), ROUND_HALF_UP):f}"


def _quotient_weight(dividend: int, divisor: int) -> int:
    """In base 10,000, how many places the quotient's first digit stands before the point, less one."""
    weight, first = _leading(dividend)
    other, second = _leading(divisor)
    return weight - other - (first <= second)


def _leading(number: int) -> tuple[int, int]:
    weight = 0
    while number >= 10_000:
        number //= 10_000
        weight += 1
    return weight, number
