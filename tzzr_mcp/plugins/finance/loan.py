"""A loan by the French system: equal instalments, to the cent (seed 3, calculate_loan_amortization).

The monthly rate is a twelfth of the annual one. The instalment is rounded half up to cents, so is each month's
interest, and the last instalment settles what is left. A monthly extra payment goes to the principal and shortens the
term; the instalment stays.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal, localcontext
from functools import cached_property

from tzzr_mcp.plugins.finance.money import EXACT, cents, monthly


@dataclass(frozen=True)
class Loan:
    """``principal`` in cents' precision, ``annual_rate`` in per cent and above zero, ``months`` at least one."""

    principal: Decimal
    annual_rate: Decimal
    months: int

    @cached_property
    def instalment(self) -> Decimal:
        """What is paid each month: the principal by the annuity's present value, to the cent."""
        with localcontext(EXACT):
            return cents(self.principal / present_value(monthly(self.annual_rate), self.months))


@dataclass(frozen=True)
class Month:
    """One row of a schedule. ``interest`` + ``principal`` = ``paid`` + ``extra``; ``balance`` is what is owed after."""

    number: int
    paid: Decimal
    extra: Decimal
    interest: Decimal
    principal: Decimal
    balance: Decimal


@dataclass(frozen=True)
class Schedule:
    """Every month until nothing is owed."""

    rows: tuple[Month, ...]

    @cached_property
    def total_paid(self) -> Decimal:
        """Instalments and extra payments."""
        return sum((row.paid + row.extra for row in self.rows), Decimal())

    @cached_property
    def interest(self) -> Decimal:
        """What the loan costs."""
        return sum((row.interest for row in self.rows), Decimal())

    @property
    def months(self) -> int:
        """How long it takes."""
        return len(self.rows)


def present_value(rate: Decimal, months: int) -> Decimal:
    """Of one unit paid at the end of each month, at a monthly ``rate``.

    Added up month by month: the closed form (1 - (1 + r)^-n) / r loses its digits as the rate goes to zero.
    """
    discount = 1 / (1 + rate)
    value = Decimal()
    for _ in range(months):
        value = (value + 1) * discount
    return value


def amortize(loan: Loan, extra: Decimal = Decimal()) -> Schedule:
    """The schedule of ``loan`` with ``extra`` paid to the principal each month.

    It may end before the term even without extra payments, where rounding the instalment up repays sooner.
    """
    rows = []
    with localcontext(EXACT):
        rate, balance = monthly(loan.annual_rate), loan.principal
        for number in range(1, loan.months + 1):
            row = _month(number, balance, cents(balance * rate), loan, extra)
            rows.append(row)
            balance = row.balance
            if not balance:
                break
    return Schedule(tuple(rows))


def _month(number: int, owed: Decimal, interest: Decimal, loan: Loan, extra: Decimal) -> Month:
    due = owed + interest
    paid = due if number == loan.months else min(loan.instalment, due)
    more = min(extra, due - paid)
    return Month(number, paid, more, interest, paid + more - interest, due - paid - more)
