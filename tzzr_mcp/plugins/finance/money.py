"""Amounts and rates: decimal, rounded half up, and shown only where JSON still carries every cent.

A JSON number is a double wherever it is read. Below 2^46 two amounts that differ by a cent are two different doubles;
from there on they need not be, so a larger result is refused rather than shown without its last cents.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Context, Decimal, DivisionByZero, InvalidOperation, Overflow
from math import isfinite
from typing import Any, Final

from tzzr_mcp.contract.errors import ArgumentInvalid, shown
from tzzr_mcp.output import Notice

EXACT: Final = Context(prec=60, rounding=ROUND_HALF_UP, traps=[DivisionByZero, InvalidOperation, Overflow])
"""60 digits: amounts of 14 digits times 1,200 months at the largest rate keep more than 20 digits below the cent."""

CENT: Final = Decimal("0.01")
LARGEST: Final = Decimal(2**46)
"""About 7 · 10^13: below it every cent has a double of its own."""

MONTHS_A_YEAR: Final = 12


def cents(amount: Decimal) -> Decimal:
    """``amount`` to the cent, half a cent away from zero."""
    return amount.quantize(CENT, context=EXACT)


def monthly(annual_percent: Decimal) -> Decimal:
    """The monthly rate, as a fraction, of a nominal annual rate in per cent."""
    return EXACT.divide(annual_percent, Decimal(100 * MONTHS_A_YEAR))


class Given:
    """A tool's arguments as decimals: exactly what was written, amounts to the cent.

    ``rounded`` tells, in Spanish, which amounts were written with fractions of a cent and what they count as.
    """

    def __init__(self, arguments: Mapping[str, Any]) -> None:
        self._arguments = arguments
        self.rounded: list[str] = []

    def rate(self, name: str, default: str | None = None) -> Decimal:
        """A rate in per cent.

        Raises:
            ArgumentInvalid: it is not finite. JSON has no such number, but a client in process may hand one over.
        """
        return self._number(name, default)

    def amount(self, name: str, default: str | None = None) -> Decimal:
        """An amount of money, to the cent.

        Raises:
            ArgumentInvalid: it is not finite, or it is less than half a cent without being zero.
        """
        written = self._number(name, default)
        counted = cents(written)
        if written and not counted:
            text = f"El argumento «{name}» vale {shown(self._arguments[name])}, pero no llega a un céntimo (0.01)."
            raise ArgumentInvalid(name, text)
        if written != counted:
            self.rounded.append(f"«{name}» vale {shown(self._arguments[name])} y se calcula con {spoken(counted)}")
        return counted

    def _number(self, name: str, default: str | None) -> Decimal:
        value = self._arguments.get(name, default)
        if isinstance(value, float) and not isfinite(value):
            raise ArgumentInvalid(name, f"El argumento «{name}» vale {shown(value)}, pero se espera un número finito.")
        return Decimal(str(value))


def rounding(given: Given) -> Notice | None:
    """What the user is told when amounts were written with fractions of a cent."""
    return Notice("info", f"Importes redondeados al céntimo: {'; '.join(given.rounded)}.") if given.rounded else None


def number(amount: Decimal, *arguments: str) -> float:
    """``amount`` to the cent, as the JSON number that stands for it alone.

    Raises:
        ArgumentInvalid: there is none, because what ``arguments`` say leads beyond `LARGEST`.
    """
    if abs(amount) >= LARGEST:
        raise beyond(*arguments)
    return float(cents(amount)) + 0.0  # no negative zero


def beyond(*arguments: str) -> ArgumentInvalid:
    """The refusal of ``arguments`` that lead beyond `LARGEST`."""
    blamed = ", ".join(f"«{name}»" for name in arguments)
    text = f"El resultado pasa de {LARGEST:,} y ya no se puede dar al céntimo. Reduzca alguno de estos argumentos: {blamed}."
    return ArgumentInvalid(", ".join(arguments), text)


def percent(fraction: Decimal) -> float:
    """A rate given as a fraction, in per cent with four decimals."""
    return float((100 * fraction).quantize(Decimal("0.0001"), context=EXACT)) + 0.0


def spoken(amount: Decimal | float) -> str:
    """An amount as the seed writes them: ``250,000.00``."""
    return f"{amount:,.2f}"


def spoken_rate(in_percent: Decimal) -> str:
    """A rate in per cent as it was written: ``12.5``."""
    return f"{float(in_percent):.15g}"
