"""Spanish invoices whose fields are known, and hands to write them in: what `tzzr quality` measures with, drawn.

``layout.write(invoice, hand)`` of `tzzr_scenarios.quality.invoices.LAYOUTS` makes the text that an extractor gets, and
``invoice.fields()``, ``taxes`` and ``rows`` say what it must find. Everything shrinks to one row of one piece at 1,00 €,
billed by the first company to the second, in the plainest hand.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal
from typing import Final

from hypothesis import strategies as st
from stdnum import iban
from stdnum.es import cif, dni

from tzzr_scenarios.quality.invoices.goods import SERVICES, SHOP, WARES
from tzzr_scenarios.quality.invoices.invoice import RETENTIONS, VAT_RATES, Invoice, Kind, Party, Row
from tzzr_scenarios.quality.invoices.layouts import LAYOUTS
from tzzr_scenarios.quality.invoices.writing import DATES, IDS, MONEY, Writing

__all__ = [
    "Flawed",
    "accounts",
    "company_ids",
    "invoices",
    "nearly_valid",
    "parties",
    "personal_ids",
    "valid",
    "writings",
]

_TRADES: Final = ("Talleres", "Gestoría", "Suministros", "Panadería", "Construcciones", "Autoescuela", "Bodegas")
_SURNAMES: Final = ("Ibarra", "Robledo", "Peñalba", "Núñez", "Etxeberria", "Puig", "Castro", "Ruiz y Sanz", "Güell")
_FORMS: Final = ("S.L.", "S.A.", "S.L.U.", "S. Coop.", "SL", "C.B.", "S.L.P.")
_FIRST: Final = ("Ana", "Íñigo", "María José", "Joan", "Xoán", "Lucía")
_ADDRESSES: Final = (
    ("Calle Mayor 12", "28013 Madrid"),
    ("Avenida de la Constitución 45", "46002 Valencia"),
    ("Ronda Sur 3, 2.º B", "50001 Zaragoza"),
)
_ABROAD: Final = (
    Party("Müller Maschinenbau GmbH", "DE136695976", "Hauptstraße 5", "80331 München"),
    Party("Officine Rossi S.r.l.", "IT00743110157", "Via Roma 7", "20121 Milano"),
)
_FLAWS: Final = ("emisor_nif", "receptor_nif", "iban", "total")


@st.composite
def company_ids(draw: st.DrawFn) -> str:
    """A CIF whose check digit is right, compact."""
    body = f"{draw(st.sampled_from('BAEFGHJ'))}{draw(st.integers(1, 9_999_999)):07d}"
    return body + cif.calc_check_digits(body)[0]


@st.composite
def personal_ids(draw: st.DrawFn) -> str:
    """A DNI whose letter is right, compact."""
    body = f"{draw(st.integers(1, 99_999_999)):08d}"
    return body + dni.calc_check_digit(body)


@st.composite
def parties(draw: st.DrawFn) -> Party:
    """A company or a person with a tax number that checks; names have letters that fold, and two or three words."""
    street, town = draw(st.sampled_from(_ADDRESSES))
    if draw(st.booleans()):
        name = f"{draw(st.sampled_from(_FIRST))} {draw(st.sampled_from(_SURNAMES))} {draw(st.sampled_from(_SURNAMES))}"
        return Party(name, draw(personal_ids()), street, town)
    name = f"{draw(st.sampled_from(_TRADES))} {draw(st.sampled_from(_SURNAMES))}, {draw(st.sampled_from(_FORMS))}"
    return Party(name, draw(company_ids()), street, town)


@st.composite
def accounts(draw: st.DrawFn) -> str:
    """A Spanish IBAN whose check digits hold, compact."""
    body = f"{draw(st.sampled_from(('2100', '0049', '0182')))}{draw(st.integers(0, 10**16 - 1)):016d}"
    return f"ES{iban.calc_check_digits(f'ES00{body}')}{body}"


@st.composite
def invoices(draw: st.DrawFn, kinds: Collection[Kind] = (Kind.ORDINARY,)) -> Invoice:
    """An invoice of one of the kinds; dates from 2020 to 2029, amounts to the cent, up to five rows."""
    kind = draw(st.sampled_from([*kinds]))
    issuer, recipient = draw(_two_parties(kind))
    tax = draw(st.sampled_from(("IVA", "IGIC"))) if kind in (Kind.ORDINARY, Kind.RECTIFYING) else "IVA"
    rows = draw(_rows(kind, tax))
    withheld = kind in (Kind.ORDINARY, Kind.RECTIFYING) and draw(st.booleans())
    issued = draw(st.dates(date(2020, 1, 1), date(2029, 12, 31)))
    due = st.none() | st.integers(0, 120).map(lambda days: issued + timedelta(days=days))
    simplified = kind is Kind.SIMPLIFIED
    return Invoice(
        kind=kind,
        issuer=issuer,
        recipient=recipient,
        number=draw(_numbers()),
        issued=issued,
        due=None if simplified else draw(due),
        rows=rows,
        tax=tax,
        withheld_rate=Decimal(draw(st.sampled_from(RETENTIONS))) if withheld else Decimal(0),
        surcharged=kind is Kind.ORDINARY and tax == "IVA" and not withheld and draw(st.booleans()),
        iban=None if simplified else draw(st.none() | accounts()),
        rectifies="R-1" if kind is Kind.RECTIFYING else None,
    )


valid = invoices
"""`invoices`, under the name that every module of strategies has."""


@st.composite
def writings(draw: st.DrawFn) -> Writing:
    """A hand; it shrinks to 03/02/2026, 1.234,56 € and the usual words."""
    return Writing(
        dates=draw(st.sampled_from(DATES)),
        money_form=draw(st.sampled_from(MONEY)),
        ids=draw(st.sampled_from(IDS)),
        grouped_account=draw(st.booleans().map(lambda yes: not yes)),
        variant=draw(st.integers(0, 9999)),
    )


@dataclass(frozen=True, slots=True)
class Flawed:
    """The text of an invoice in which one field contradicts its check digits or the other amounts."""

    invoice: Invoice
    text: str
    field: str


@st.composite
def nearly_valid(draw: st.DrawFn) -> Flawed:
    """An invoice with one digit wrong in the plainest layout: an extractor must say ``valid: false`` of that field."""
    invoice = replace(draw(invoices()), iban=draw(accounts()))
    hand = draw(writings())
    field = draw(st.sampled_from(_FLAWS))
    right = LAYOUTS["key_value"].write(invoice, hand)
    before, after = _wrong(invoice, hand, field)
    head, _, tail = right.rpartition(before)
    return Flawed(invoice, head + after + tail, field)


def _wrong(invoice: Invoice, hand: Writing, field: str) -> tuple[str, str]:
    """What stands on the paper, and what stands there wrongly."""
    if field == "total":
        return hand.figure(invoice.total), hand.figure(invoice.total + 10)
    given = invoice.fields()[field] or ""
    digit = next(mark for mark in reversed(given) if mark.isdigit())
    place = given.rindex(digit)
    flawed = f"{given[:place]}{(int(digit) + 1) % 10}{given[place + 1 :]}"
    written = hand.account if field == "iban" else hand.tax_id
    return written(given), written(flawed)


@st.composite
def _two_parties(draw: st.DrawFn, kind: Kind) -> tuple[Party, Party | None]:
    issuer = draw(parties())
    if kind is Kind.SIMPLIFIED:
        return issuer, None
    if kind is Kind.INTRA_COMMUNITY:
        return issuer, draw(st.sampled_from(_ABROAD))
    return issuer, draw(parties().filter(lambda other: other.name != issuer.name and other.tax_id != issuer.tax_id))


@st.composite
def _rows(draw: st.DrawFn, kind: Kind, tax: str) -> tuple[Row, ...]:
    goods = SHOP if kind is Kind.SIMPLIFIED else draw(st.sampled_from((SERVICES, WARES)))
    names = draw(st.lists(st.sampled_from(goods), min_size=1, max_size=5, unique=True))
    rates = st.none() if kind is Kind.INTRA_COMMUNITY else st.sampled_from([*map(Decimal, VAT_RATES[tax][:3])])
    halves = st.integers(2, 80).map(lambda halves: Decimal(halves) / 2)
    prices = st.integers(100, 150_000).map(lambda cents: Decimal(cents) / 100)
    sign = -1 if kind is Kind.RECTIFYING else 1
    return tuple(Row(name, sign * draw(halves), draw(prices), draw(rates)) for name in names)


@st.composite
def _numbers(draw: st.DrawFn) -> str:
    series = draw(st.sampled_from(("", "F-", "A/", "2026-", "FRA-2026-", "FV26/")))
    return f"{series}{draw(st.integers(1, 99_999))}"
