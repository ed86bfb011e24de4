"""An investment that compounds monthly, and what it will buy (seed 3, analyze_investment_projection).

The monthly rate is a twelfth of the nominal annual one, and each contribution is made at its month's end. Amounts are
rounded only where they are shown. Purchasing power is the amount over (1 + inflation)^years; the real annual rate is
Fisher's, on the effective rate.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, localcontext
from types import MappingProxyType
from typing import Final

from tzzr_mcp.plugins.finance.money import EXACT, MONTHS_A_YEAR, monthly

SPREADS: Final[Mapping[str, Decimal]] = MappingProxyType(
    {"conservative": Decimal(2), "moderate": Decimal(4), "aggressive": Decimal(7)}
)
"""Points by which the pessimistic and the optimistic rate lie off the expected one, by risk profile."""


@dataclass(frozen=True)
class Investment:
    """What goes in: ``initial`` now, ``contribution`` at each month's end for ``years``."""

    initial: Decimal
    contribution: Decimal
    years: int

    def contributed(self, years: int) -> Decimal:
        """Everything that was put in after ``years``."""
        return self.initial + self.contribution * years * MONTHS_A_YEAR


@dataclass(frozen=True)
class Projection:
    """One investment at one nominal annual rate and one inflation, both in per cent.

    ``balances`` are nominal, at the start and at each year's end; unrounded.
    """

    investment: Investment
    annual_rate: Decimal
    inflation: Decimal
    balances: tuple[Decimal, ...]

    @property
    def final(self) -> Decimal:
        """The nominal capital at the end."""
        return self.balances[-1]

    @property
    def gain(self) -> Decimal:
        """The nominal capital less what was put in."""
        with localcontext(EXACT):
            return self.final - self.investment.contributed(self.investment.years)

    def real(self, year: int) -> Decimal:
        """The balance after ``year`` years in today's money."""
        with localcontext(EXACT):
            return self.balances[year] / (1 + self.inflation / 100) ** year

    @property
    def effective_rate(self) -> Decimal:
        """What a year yields with its months compounded, as a fraction."""
        with localcontext(EXACT):
            return (1 + monthly(self.annual_rate)) ** MONTHS_A_YEAR - 1

    @property
    def real_rate(self) -> Decimal:
        """The real annual rate, as a fraction (Fisher)."""
        with localcontext(EXACT):
            return (1 + self.effective_rate) / (1 + self.inflation / 100) - 1


def project(investment: Investment, annual_rate: Decimal, inflation: Decimal) -> Projection:
    """``investment`` year by year. ``annual_rate`` is above -1,200 %, ``inflation`` above -100 %."""
    with localcontext(EXACT):
        growth = 1 + monthly(annual_rate)
        balances = [investment.initial]
        for _ in range(investment.years):
            balances.append(_year(balances[-1], growth, investment.contribution))
    return Projection(investment, annual_rate, inflation, tuple(balances))


def _year(balance: Decimal, growth: Decimal, contribution: Decimal) -> Decimal:
    for _ in range(MONTHS_A_YEAR):
        balance = balance * growth + contribution
    return balance
