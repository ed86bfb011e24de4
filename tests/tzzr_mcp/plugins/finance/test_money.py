"""Arguments as decimals, and amounts as JSON numbers."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tzzr_mcp.contract.errors import ArgumentInvalid
from tzzr_mcp.plugins.finance.money import CENT, LARGEST, Given, cents, number


@given(st.integers(-int(LARGEST) * 100 + 1, int(LARGEST) * 100 - 1))
def test_every_cent_survives_json(count: int) -> None:
    amount = count * CENT

    assert cents(Decimal(number(amount))) == amount


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
def test_what_is_no_finite_number_is_refused_even_where_no_json_was_in_between(value: float) -> None:
    with pytest.raises(ArgumentInvalid, match=r"«rate».*finito"):
        Given({"rate": value}).rate("rate")


def test_half_a_cent_goes_up() -> None:
    given = Given({"sum": 1.005, "other": 2.5})

    assert [given.amount("sum"), given.amount("other")] == [Decimal("1.01"), Decimal("2.50")]
    assert given.rounded == ["«sum» vale 1.005 y se calcula con 1.01"]
