"""A text may quote some rows of a table; more of them is the table again."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tzzr_mcp.checks.summary import MOST_ROWS, repeated_rows

ROWS = [(f"{2026 + number // 12}-{number % 12 + 1:02d}", 1000.5 * (number + 1), 7.25 + number) for number in range(24)]


def english(number: float) -> str:
    return f"{number:,.2f}"


def spanish(number: float) -> str:
    return english(number).translate(str.maketrans(",.", ".,"))


def french(number: float) -> str:
    return english(number).translate(str.maketrans(",.", "\u202f,"))


@pytest.mark.parametrize("written", [str, english, spanish, french])
def test_a_table_written_out_line_by_line_is_found_in_any_notation(written: Callable[[float], str]) -> None:
    text = "\n".join(f"{month} | {written(rent)} | {written(rate)}" for month, rent, rate in ROWS)
    assert repeated_rows(text, ROWS) == len(ROWS)


def test_a_table_in_one_line_is_found() -> None:
    assert repeated_rows("; ".join(",".join(map(str, row)) for row in ROWS), ROWS) == len(ROWS)


def test_the_first_and_the_last_row_are_quoted_and_no_more() -> None:
    text = f"Va de {ROWS[0]} a {ROWS[-1]}.\nMeses: {', '.join(str(number) for number in range(24))}."
    assert repeated_rows(text, ROWS) == 2


def test_totals_and_single_cells_are_no_rows() -> None:
    text = "\n".join(f"el mes {month} de 24, cuota {1000.5 * month}" for month in range(1, 13))
    assert repeated_rows(text, ROWS) == 0


def test_names_without_numbers_may_be_listed() -> None:
    names = [[f"ref-{number}", f"nombre {number}"] for number in range(50)]
    assert repeated_rows("\n".join(" ".join(row) for row in names), names) == 0


@given(st.lists(st.integers(100, 10**9), min_size=MOST_ROWS + 1, max_size=40, unique=True))
def test_whatever_the_numbers_are_a_written_table_is_found(cents: list[int]) -> None:
    rows = [(number, amount / 100) for number, amount in enumerate(cents)]
    assert repeated_rows("\n".join(f"{number}: {amount:,.2f}" for number, amount in rows), rows) == len(rows)
