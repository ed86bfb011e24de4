"""Loans by the French system, whatever the principal, the rate and the term."""

from __future__ import annotations

import math
from decimal import Decimal
from itertools import pairwise

import numpy_financial as npf
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from tzzr_mcp.plugins.finance.loan import Loan, amortize, present_value
from tzzr_mcp.plugins.finance.money import CENT, cents, monthly

CENTS = st.integers(1, 10**14).map(lambda count: count * CENT)
PRINCIPALS = CENTS | st.integers(1, 10**8).map(lambda count: count * CENT)
RATES = st.decimals("0.0001", "1000", places=4)
TERMS = st.integers(1, 120) | st.sampled_from((360, 600, 1200))
LOANS = st.builds(Loan, PRINCIPALS, RATES, TERMS)


@given(LOANS, PRINCIPALS | st.just(Decimal()))
@example(Loan(Decimal("0.05"), Decimal(12), 1200), Decimal())
@example(Loan(Decimal(10**12), Decimal(1000), 1200), Decimal())
def test_what_is_repaid_is_what_was_lent_to_the_cent(loan: Loan, extra: Decimal) -> None:
    schedule = amortize(loan, extra)

    assert loan.principal == sum(row.principal for row in schedule.rows)
    assert schedule.total_paid == loan.principal + schedule.interest
    assert schedule.rows[-1].balance == 0
    assert all(amount == cents(amount) for row in schedule.rows for amount in (row.paid, row.extra, row.interest))


@given(LOANS, PRINCIPALS)
def test_each_row_follows_from_the_one_before(loan: Loan, extra: Decimal) -> None:
    rows = amortize(loan, extra).rows

    for before, row in pairwise(rows):
        assert row.number == before.number + 1
        assert row.balance == before.balance - row.principal
        assert row.interest == cents(before.balance * monthly(loan.annual_rate))
    assert all(0 <= row.extra <= extra and row.paid >= 0 and row.principal >= 0 for row in rows)
    assert all(row.paid == loan.instalment for row in rows[:-1])


@given(LOANS, PRINCIPALS, PRINCIPALS)
def test_paying_more_never_lengthens_nor_costs_more(loan: Loan, extra: Decimal, more: Decimal) -> None:
    none, some, most = amortize(loan), amortize(loan, extra), amortize(loan, extra + more)

    assert loan.months >= none.months >= some.months >= most.months
    assert none.interest >= some.interest >= most.interest


LARGEST_EXPONENT = 690
"""Beyond this power of e the annuity's float overflows, and numpy-financial cannot tell anything."""


@given(LOANS)
def test_the_instalment_is_the_annuity_of_numpy_financial(loan: Loan) -> None:
    rate = float(loan.annual_rate) / 1200
    assume(loan.months * math.log1p(rate) < LARGEST_EXPONENT)
    expected = -npf.pmt(rate, loan.months, float(loan.principal))

    assert abs(float(loan.instalment) - expected) <= 0.00501 + 1e-9 * expected


@given(RATES, TERMS)
def test_the_sum_of_discounted_months_is_the_closed_form(rate: Decimal, months: int) -> None:
    each = float(monthly(rate))
    closed = (1 - (1 + each) ** -months) / each

    assert abs(float(present_value(monthly(rate), months)) - closed) <= 1e-7 * closed


@given(PRINCIPALS, TERMS, st.integers(6, 320))
def test_as_the_rate_goes_to_zero_the_instalment_is_the_principal_by_the_months(
    principal: Decimal, months: int, zeros: int
) -> None:
    rate = Decimal(1).scaleb(-zeros)
    loan = Loan(principal, rate, months)
    interest_at_most = principal * monthly(rate) * months

    assert abs(loan.instalment - principal / months) <= CENT / 2 + interest_at_most
    assert amortize(loan).interest <= interest_at_most + months * CENT / 2


@settings(max_examples=20)
@given(st.integers(1_000_000, 10**12).map(lambda count: count * CENT), st.decimals("0.5", "12", places=2))
def test_a_mortgage_of_six_hundred_months_has_six_hundred_rows(principal: Decimal, rate: Decimal) -> None:
    schedule = amortize(Loan(principal, rate, 600))
    whole = -npf.pmt(float(rate) / 1200, 600, float(principal)) * 600

    assert 595 <= schedule.months <= 600
    assert abs(float(schedule.total_paid) - whole) <= 600 * 0.005 * max(1.0, (1 + float(rate) / 1200) ** 600)
