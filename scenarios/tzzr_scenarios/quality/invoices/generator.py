"""Invoices made by Faker's Spanish companies and people, and by dice: the same ones for the same seed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from decimal import Decimal
from typing import Final

from faker import Faker
from stdnum.eu import vat

from tzzr_mcp.seams import Dice

from .goods import SERVICES, SHOP, WARES
from .invoice import RETENTIONS, VAT_RATES, Invoice, Kind, Party, Row
from .layouts import LAYOUTS, Layout
from .noise import NOISES, noisy
from .sample import Sample
from .writing import DATES, IDS, MONEY, Writing

__all__ = ["samples"]

_ABROAD: Final = {
    "DE": ("de_DE", ("80331 München", "28195 Bremen", "01067 Dresden")),
    "IT": ("it_IT", ("20121 Milano", "40121 Bologna", "36016 Thiene")),
    "PT": ("pt_PT", ("4000-069 Porto", "3000-213 Coimbra", "1100-148 Lisboa")),
    "NL": ("nl_NL", ("3511 LN Utrecht", "9712 HM Groningen", "2611 GZ Delft")),
}
"""Countries of buyers: Faker's locale, and towns. (Its own Italian towns come in the order of a set: another each run.)"""
_FIRST_DAY: Final = date(2025, 1, 2)


def samples(count: int, seed: int, names: Sequence[str] = tuple(LAYOUTS)) -> Iterator[Sample]:
    """``count`` papers, the layouts in turn; every other one clean, the rest with one to three noises.

    A paper depends on the seed and its place alone: fewer or more of them, or fewer layouts, are the same ones.
    """
    for place in range(count):
        layout = list(LAYOUTS.values())[place % len(LAYOUTS)]
        if layout.name in names:
            yield _sample(place, seed, layout)


def _sample(place: int, seed: int, layout: Layout) -> Sample:
    dice = Dice(seed).named(f"invoice {place}")
    invoice = _Author(dice).invoice(layout.kind)
    hand = Writing(
        dates=dice.choice(DATES),
        money_form=dice.choice(MONEY),
        ids=dice.choice(IDS),
        grouped_account=dice.random() < 0.7,
        variant=dice.integer(0, 9999),
    )
    noises = _noises(dice) if place // len(LAYOUTS) % 2 else ()
    text = noisy(layout.write(invoice, hand), invoice, noises, dice.named("noise"))
    return Sample(f"{layout.name}-{place}", invoice, layout, noises, text)


def _noises(dice: Dice) -> tuple[str, ...]:
    chosen = {dice.choice(list(NOISES)) for _ in range(dice.integer(1, 3))}
    return tuple(name for name in NOISES if name in chosen)


class _Author:
    """Draws one invoice."""

    def __init__(self, dice: Dice) -> None:
        self.dice = dice
        self.faker = self._faker("es_ES")

    def invoice(self, kind: Kind) -> Invoice:
        """An invoice of a kind."""
        goods, rates, tax = self._trade(kind)
        issued = _FIRST_DAY + timedelta(days=self.dice.integer(0, 450))
        simplified, rectifying = kind is Kind.SIMPLIFIED, kind is Kind.RECTIFYING
        withheld = goods is SERVICES and kind in (Kind.ORDINARY, Kind.RECTIFYING) and self._chance(0.6)
        return Invoice(
            kind=kind,
            issuer=self._party(company=not withheld),
            recipient=None if simplified else self._abroad() if kind is Kind.INTRA_COMMUNITY else self._party(company=self._chance(0.7)),
            number=self._number(issued),
            issued=issued,
            due=issued + timedelta(days=self.dice.choice((15, 30, 30, 60, 90))) if not simplified and self._chance(0.75) else None,
            rows=self._rows(goods, rates, negative=rectifying),
            tax=tax,
            withheld_rate=Decimal(self.dice.choice(RETENTIONS[:3])) if withheld else Decimal(0),
            surcharged=goods is WARES and tax == "IVA" and kind is Kind.ORDINARY and rates != (None,) and self._chance(0.25),
            currency=self.dice.choice(("USD", "GBP")) if not simplified and self._chance(0.06) else "EUR",
            iban=self.faker.iban() if not simplified and self._chance(0.75) else None,
            rectifies=self._number(issued - timedelta(days=45)) if rectifying else None,
        )  # fmt: skip

    def _trade(self, kind: Kind) -> tuple[Sequence[str], Sequence[Decimal | None], str]:
        """What is sold, at which rates, and the tax's name."""
        if kind is Kind.SIMPLIFIED:
            return SHOP, [Decimal(rate) for rate in VAT_RATES["IVA"]], "IVA"
        goods = self.dice.choice((SERVICES, WARES))
        if kind is Kind.INTRA_COMMUNITY:
            return WARES, (Decimal(0) if self._chance(0.5) else None,), "IVA"
        if self._chance(0.05):
            return goods, (None,), "IVA"
        tax = "IGIC" if self._chance(0.12) else "IVA"
        rates = [Decimal(rate) for rate in VAT_RATES[tax][:3]]
        return goods, rates if self._chance(0.35) else [self.dice.choice((rates[0], rates[0], *rates))], tax

    def _rows(self, goods: Sequence[str], rates: Sequence[Decimal | None], *, negative: bool) -> tuple[Row, ...]:
        left = list(goods)
        rows = []
        for _ in range(self.dice.integer(1, 5)):
            name = left.pop(self.dice.integer(0, len(left) - 1))
            quantity = (
                Decimal(self.dice.integer(1, 12)) if self._chance(0.85) else Decimal(self.dice.integer(1, 40)) / 2
            )
            dear = {id(SHOP): 2_000, id(WARES): 30_000}.get(id(goods), 150_000)
            price = Decimal(self.dice.integer(60, dear)) / 100
            rows.append(Row(name, -quantity if negative else quantity, price, self.dice.choice(rates)))
        return tuple(rows)

    def _party(self, *, company: bool) -> Party:
        faker = self.faker
        name, number = (faker.company(), faker.cif()) if company else (faker.name(), faker.nif())
        if not company and self._chance(0.1):
            number = faker.nie()
        street = " ".join(faker.street_address().split())
        return Party(" ".join(name.split()), number, street, f"{faker.postcode()} {faker.city()}")

    def _abroad(self) -> Party:
        locale, towns = _ABROAD[self.dice.choice(list(_ABROAD))]
        faker = self._faker(locale)
        number = next(number for _ in range(1000) if vat.is_valid(number := faker.vat_id()))
        return Party(" ".join(faker.company().split()), number, faker.street_name(), self.dice.choice(towns))

    def _number(self, day: date) -> str:
        counted = self.dice.integer(1, 2400)
        forms = (f"{day:%Y}-{counted:04d}", f"F{day:%y}/{counted}", f"A-{counted}", f"{day:%Y}/{counted}", f"FV{day:%y}{counted:05d}",
                 f"{counted}/{day:%y}", f"FRA-{day:%Y}-{counted:03d}", f"{counted}", f"B{counted:06d}")  # fmt: skip
        return self.dice.choice(forms)

    def _chance(self, share: float) -> bool:
        return self.dice.random() < share

    def _faker(self, locale: str) -> Faker:
        faker = Faker(locale)
        faker.seed_instance(self.dice.named(locale).integer(0, 2**63))
        return faker
