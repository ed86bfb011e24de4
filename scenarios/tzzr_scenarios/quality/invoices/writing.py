"""The hand that an invoice is written in: how it puts dates, amounts and numbers, and which words it prefers."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Final

__all__ = ["DATES", "IDS", "MONEY", "Writing"]

_MONTHS: Final = (
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre".split()  # noqa: SIM905
)
DATES: Final = ("slashes", "words", "iso", "dashes", "dots", "short month")
"""03/02/2026, 3 de febrero de 2026, 2026-02-03, 03-02-2026, 03.02.2026, 03-feb-2026."""
MONEY: Final = ("1.234,56 €", "1234.56 EUR", "1234,56 €", "1.234,56", "1.234,56€", "€ 1.234,56", "1,234.56 EUR")
"""How an amount looks."""
IDS: Final = ("B12345674", "B-12345674", "B 12345674", "ESB12345674")
"""How a tax number looks; the last form is that of the register of intra-community operators."""


@dataclass(frozen=True, slots=True)
class Writing:
    """One hand; the plainest is ``Writing()``. ``variant`` chooses among words that mean the same."""

    dates: str = DATES[0]
    money_form: str = MONEY[0]
    ids: str = IDS[0]
    grouped_account: bool = True
    variant: int = 0

    def word(self, *options: str) -> str:
        """One of several ways to say something; the first is the plainest."""
        return options[zlib.crc32(f"{self.variant}/{options[0]}".encode()) % len(options) if self.variant else 0]

    def day(self, when: date) -> str:
        """A date."""
        month = _MONTHS[when.month - 1]
        return {
            "slashes": f"{when:%d/%m/%Y}",
            "words": f"{when.day} de {month} de {when.year}",
            "iso": when.isoformat(),
            "dashes": f"{when:%d-%m-%Y}",
            "dots": f"{when:%d.%m.%Y}",
            "short month": f"{when.day:02d}-{month[:3]}-{when.year}",
        }[self.dates]

    def figure(self, value: Decimal) -> str:
        """An amount without its currency."""
        return self._marked(f"{value:,.2f}" if "1234" not in self.money_form else f"{value:.2f}")

    def money(self, value: Decimal, currency: str = "EUR") -> str:
        """An amount with its currency, where this hand writes one."""
        sign = {"EUR": "€", "USD": "$", "GBP": "£"}[currency] if "€" in self.money_form else currency
        if self.money_form == "€ 1.234,56":
            return f"{sign} {self.figure(value)}"
        if self.money_form == "1.234,56":
            return self.figure(value)
        return f"{self.figure(value)}{'' if self.money_form == '1.234,56€' else ' '}{sign}"

    def due(self, value: Decimal, currency: str = "EUR") -> str:
        """What is to be paid, which names its currency in every hand."""
        return f"{self.money(value, currency)}{f' {currency}' if self.money_form == '1.234,56' else ''}"

    def quantity(self, value: Decimal) -> str:
        """A number of pieces or hours, without needless zeros."""
        return self._marked(f"{value.normalize():f}")

    def percent(self, value: Decimal) -> str:
        """A rate: ``21 %``, ``21%`` or ``21,00 %``."""
        plain, exact = self.quantity(value), self._marked(f"{value:.2f}")
        return self.word(f"{plain} %", f"{plain}%", f"{exact} %", f"{exact}%")

    def tax_id(self, number: str) -> str:
        """A tax number; one that begins with its country is left as it is."""
        if number[:2].isalpha():
            return number
        cut = len(number) - 1 if number[0].isdigit() else 1
        mark = {"B-12345674": "-", "B 12345674": " "}.get(self.ids, "")
        return f"{'ES' if self.ids == 'ESB12345674' else ''}{number[:cut]}{mark}{number[cut:]}"

    def account(self, iban: str) -> str:
        """An account, in groups of four or in one."""
        step = 4 if self.grouped_account else len(iban)
        return " ".join(iban[start : start + step] for start in range(0, len(iban), step))

    def _marked(self, english: str) -> str:
        if self.money_form in ("1234.56 EUR", "1,234.56 EUR"):
            return english
        return english.translate(str.maketrans(",.", ".,"))
