"""Whether a tool's text is a summary of its tables, or repeats them (seed 1: numbers do not pass through the model).

A text may quote some rows: the first, the largest, the three that matter. Beyond `MOST_ROWS` it is no summary. Only
rows with a number count, for a list of names or references is what a model needs in order to ask further.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

MOST_ROWS = 10
"""Rows of one table that a text may quote."""

_NUMBER = re.compile(r"\d(?:[\d.,\u00a0\u202f']*\d)?")
_GROUPS = re.compile(r"[\u00a0\u202f']")


def repeated_rows(text: str, rows: Iterable[Sequence[Any]]) -> int:
    """How many of ``rows`` stand in ``text`` whole: every cell of the row in one line of it, numbers in any notation."""
    lines = [(line, frozenset(_numbers(line))) for line in text.splitlines()]
    if sum(len(numbers) for _, numbers in lines) <= MOST_ROWS:
        return 0
    index = _by_number(rows)
    found: set[int] = set()
    for line, numbers in lines:
        candidates = [candidate for number in numbers & index.keys() for candidate in index[number]]
        found |= {place for place, row in candidates if place not in found and _stands(row, line, numbers)}
    return len(found)


def _by_number(rows: Iterable[Sequence[Any]]) -> Mapping[float, list[tuple[int, Sequence[Any]]]]:
    """The rows of at least two cells by their last number, which is seldom the row's own."""
    index: dict[float, list[tuple[int, Sequence[Any]]]] = defaultdict(list)
    for place, row in enumerate(rows):
        cells = [cell for cell in row if cell not in {None, ""}]
        numbers = [cell for cell in cells if _is_number(cell)]
        if len(cells) > 1 and numbers:
            index[_rounded(numbers[-1])].append((place, cells))
    return index


def _stands(cells: Sequence[Any], line: str, numbers: frozenset[float]) -> bool:
    return all(_rounded(cell) in numbers if _is_number(cell) else str(cell) in line for cell in cells)


def _is_number(cell: Any) -> bool:
    return isinstance(cell, int | float) and not isinstance(cell, bool)


def _rounded(number: float) -> float:
    """To the cent, and without its sign: a text may write −5 in several ways."""
    return round(abs(number), 2)


def _numbers(line: str) -> Iterator[float]:
    """Every number that the line can be read to hold: thousands parted by points, commas, blanks or not at all."""
    for written in _NUMBER.findall(line):
        if written.isdecimal():  # as most are: there is but one way to read it
            yield _rounded(float(written))
            continue
        plain = _GROUPS.sub("", written)
        for decimal, group in ((".", ","), (",", ".")):
            # The whole, without its groups; and what commas may part, as in a line of CSV.
            for part in (plain.replace(group, ""), *plain.split(group)):
                try:
                    yield _rounded(float(part.replace(decimal, ".")))
                except ValueError:
                    continue
