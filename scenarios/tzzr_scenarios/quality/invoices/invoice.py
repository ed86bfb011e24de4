"""A Spanish invoice as a value, with what Real Decreto 1619/2012 (articles 6, 7 and 15) wants on it.

Amounts are decimals to the cent and follow from the rows: nothing that could contradict them is stored.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from enum import StrEnum
from typing import Final

__all__ = ["RETENTIONS", "SURCHARGES", "VAT_RATES", "Invoice", "Kind", "Party", "Row", "Tax"]

_CENT: Final = Decimal("0.01")
VAT_RATES: Final = {"IVA": ("21", "10", "4"), "IGIC": ("7", "3", "15", "0")}
"""The tax's name to its rates, in per cent: Ley 37/1992 article 90 and 91; Ley 4/2012 of the Canaries."""
SURCHARGES: Final = {Decimal(21): Decimal("5.2"), Decimal(10): Decimal("1.4"), Decimal(4): Decimal("0.5")}
"""A rate of VAT to its recargo de equivalencia: Ley 37/1992 article 161."""
RETENTIONS: Final = ("15", "7", "19", "2")
"""What payers withhold for the income tax, in per cent: professionals, new ones, rents, farmers."""


class Kind(StrEnum):
    """What an invoice is in law."""

    ORDINARY = "ordinary"
    SIMPLIFIED = "simplified"
    RECTIFYING = "rectifying"
    INTRA_COMMUNITY = "intra-community"


@dataclass(frozen=True, slots=True)
class Party:
    """Who issues or receives: a name, a tax number in compact form, and an address in two lines."""

    name: str
    tax_id: str
    street: str
    town: str


@dataclass(frozen=True, slots=True)
class Row:
    """A line; ``rate`` in per cent, None when no tax is charged; the price of a simplified invoice includes it."""

    description: str
    quantity: Decimal
    price: Decimal
    rate: Decimal | None

    @property
    def amount(self) -> Decimal:
        """Quantity by price, to the cent."""
        return cents(self.quantity * self.price)


@dataclass(frozen=True, slots=True)
class Tax:
    """One rate of the tax: its base, itself and its share."""

    base: Decimal
    rate: Decimal
    amount: Decimal


@dataclass(frozen=True, slots=True)
class Invoice:
    """An invoice; ``withheld_rate`` in per cent, 0 when nothing is withheld; what is None does not stand on the paper.

    ``tax`` is IVA or IGIC; ``surcharged`` adds the recargo de equivalencia; ``rectifies`` is the number of the
    invoice that this one corrects, by the difference; ``iban`` is compact.
    """

    kind: Kind
    issuer: Party
    recipient: Party | None
    number: str
    issued: date
    due: date | None
    rows: tuple[Row, ...]
    tax: str = "IVA"
    withheld_rate: Decimal = Decimal(0)
    surcharged: bool = False
    iban: str | None = None
    currency: str = "EUR"
    rectifies: str | None = None

    @property
    def taxes(self) -> tuple[Tax, ...]:
        """A row for each rate, in the order in which the rows bring them."""
        rates = dict.fromkeys(row.rate for row in self.rows)
        return tuple(self._tax(rate) for rate in rates if rate is not None)

    def _tax(self, rate: Decimal) -> Tax:
        charged = sum((row.amount for row in self.rows if row.rate == rate), Decimal(0))
        if self.kind is Kind.SIMPLIFIED:
            base = cents(charged * 100 / (100 + rate))
            return Tax(base, rate, charged - base)
        return Tax(charged, rate, cents(charged * rate / 100))

    @property
    def base(self) -> Decimal:
        """What the taxes apply to, all rates together; rows without tax belong to it."""
        free = sum((row.amount for row in self.rows if row.rate is None), Decimal(0))
        return sum((tax.base for tax in self.taxes), free)

    @property
    def vat(self) -> Decimal:
        """The shares of all rates."""
        return sum((tax.amount for tax in self.taxes), Decimal(0))

    @property
    def surcharges(self) -> tuple[Tax, ...]:
        """The recargo de equivalencia of each rate that has one."""
        charged = [tax for tax in self.taxes if self.surcharged and tax.rate in SURCHARGES]
        return tuple(Tax(tax.base, (own := SURCHARGES[tax.rate]), cents(tax.base * own / 100)) for tax in charged)

    @property
    def surcharge(self) -> Decimal:
        """The recargos of all rates."""
        return sum((tax.amount for tax in self.surcharges), Decimal(0))

    @property
    def withheld(self) -> Decimal:
        """What the payer withholds; negative where a negative invoice takes a retention back."""
        return cents(self.base * self.withheld_rate / 100)

    @property
    def total(self) -> Decimal:
        """What is to be paid."""
        return self.base + self.vat + self.surcharge - self.withheld

    def fields(self) -> dict[str, str | None]:
        """The contract's fields that stand on the paper, as contract §4 writes them; None: there are several rates."""
        recipient, rates = self.recipient, [amount(tax.rate) for tax in self.taxes]
        given = {
            "emisor_nombre": self.issuer.name,
            "emisor_nif": self.issuer.tax_id,
            "receptor_nombre": recipient.name if recipient else None,
            "receptor_nif": recipient.tax_id if recipient else None,
            "numero_factura": self.number,
            "fecha_emision": self.issued.isoformat(),
            "fecha_vencimiento": self.due.isoformat() if self.due else None,
            "base_imponible": amount(self.base),
            "cuota_iva": amount(self.vat) if rates else None,
            "retencion_irpf": amount(self.withheld) if self.withheld_rate else None,
            "total": amount(self.total),
            "moneda": self.currency,
            "iban": self.iban,
        }
        one = {"tipo_iva": rates[0] if len(rates) == 1 else None} if rates else {}
        return {name: value for name, value in given.items() if value is not None} | one


def cents(value: Decimal) -> Decimal:
    """To the cent, halves away from zero, as the tax office rounds; never a negative zero."""
    return value.quantize(_CENT, ROUND_HALF_UP) + 0


def amount(value: Decimal) -> str:
    """A decimal string with two digits (contract §4)."""
    return f"{cents(value):.2f}"
