"""Investments that compound monthly, whatever goes in, at whatever rate."""

from __future__ import annotations

from decimal import Decimal

import numpy_financial as npf
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tzzr_mcp.plugins.finance.investment import SPREADS, Investment, Projection, project
from tzzr_mcp.plugins.finance.money import CENT, cents, percent

AMOUNTS = st.integers(0, 10**11).map(lambda count: count * CENT)
RETURNS = st.decimals("-100", "60", places=3)
INFLATIONS = st.decimals("-10", "100", places=3)
INVESTMENTS = st.builds(Investment, AMOUNTS, AMOUNTS, st.integers(1, 12) | st.just(40))
PROJECTIONS = st.builds(project, INVESTMENTS, RETURNS, INFLATIONS)


@given(PROJECTIONS)
def test_the_final_capital_is_the_future_value_of_numpy_financial(projection: Projection) -> None:
    assume(projection.annual_rate)  # where it divides by the rate and warns
    investment = projection.investment
    months, rate = investment.years * 12, float(projection.annual_rate) / 1200
    expected = -npf.fv(rate, months, float(investment.contribution), float(investment.initial))

    assert float(projection.final) == pytest.approx(expected, rel=1e-9, abs=1e-6)


@given(INVESTMENTS, RETURNS)
def test_without_inflation_real_is_nominal(investment: Investment, rate: Decimal) -> None:
    projection = project(investment, rate, Decimal())

    assert [projection.real(year) for year in range(investment.years + 1)] == list(projection.balances)
    assert projection.real_rate == projection.effective_rate


@given(INVESTMENTS, RETURNS, INFLATIONS, st.sampled_from(sorted(SPREADS)))
def test_pessimistic_is_at_most_expected_which_is_at_most_optimistic(
    investment: Investment, rate: Decimal, inflation: Decimal, profile: str
) -> None:
    spread = SPREADS[profile]
    low, middle, high = (project(investment, each, inflation) for each in (rate - spread, rate, rate + spread))

    assert low.final <= middle.final <= high.final
    assert low.gain <= middle.gain <= high.gain
    assert low.real(investment.years) <= middle.real(investment.years) <= high.real(investment.years)
    assert low.real_rate < middle.real_rate < high.real_rate


@given(INVESTMENTS, INFLATIONS)
def test_at_no_return_nothing_is_gained(investment: Investment, inflation: Decimal) -> None:
    projection = project(investment, Decimal(), inflation)

    assert projection.gain == 0
    assert projection.final == investment.contributed(investment.years)


@given(INVESTMENTS, st.integers(9, 60))
def test_as_the_rate_goes_to_zero_so_does_the_gain(investment: Investment, zeros: int) -> None:
    projection = project(investment, Decimal(1).scaleb(-zeros), Decimal())

    assert (
        0 <= projection.gain <= investment.contributed(investment.years) * investment.years * Decimal(1).scaleb(-zeros)
    )


@given(AMOUNTS, RETURNS, INFLATIONS, st.integers(1, 40))
def test_one_sum_grows_in_real_terms_by_the_real_rate(
    initial: Decimal, rate: Decimal, inflation: Decimal, years: int
) -> None:
    projection = project(Investment(initial, Decimal(), years), rate, inflation)

    assert float(projection.real(years)) == pytest.approx(float(initial) * (1 + float(projection.real_rate)) ** years)


@given(INVESTMENTS, RETURNS)
def test_more_inflation_buys_less(investment: Investment, rate: Decimal) -> None:
    calm, dear = (project(investment, rate, Decimal(inflation)) for inflation in (2, 8))

    assert dear.final == calm.final
    assert dear.real(investment.years) <= calm.real(investment.years)


def test_the_rule_of_the_thumb_holds() -> None:
    """Closed form by hand: 1,000 at 12 % doubles in 70 months, so in 6 years it has more than doubled."""
    projection = project(Investment(Decimal(1000), Decimal(), 6), Decimal(12), Decimal(4))

    assert cents(projection.final) == cents(Decimal(1000) * Decimal("1.01") ** 72)
    assert percent(projection.effective_rate) == 12.6825
    assert percent(projection.real_rate) == 8.3486
