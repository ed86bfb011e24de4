"""Choosing, among all amounts that a label claims, the base, taxes, retention and total that fit together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from itertools import product

from .concepts import Concept
from .entries import Entry, agrees
from .numbers import Number

__all__ = ["Balance", "Sum", "Tax", "balance_of"]

_CENT = Decimal("0.01")
_TOLERANCE = 2 * _CENT
_LEGAL_RATES = tuple(map(Decimal, ("21", "10", "4", "5", "7", "0")))
_MAX_CHOICES = 8


@dataclass(frozen=True, slots=True)
class Sum:
    """An amount and where it stands; no number when it was added up from others."""

    value: Decimal
    number: Number | None = None
    strength: int = 2


@dataclass(frozen=True, slots=True)
class Tax:
    """One VAT rate: its base and its share, each None when the page does not tell."""

    rate: Decimal
    base: Decimal | None
    amount: Decimal | None
    number: Number | None = None

    @property
    def checks(self) -> bool | None:
        """Whether the share is the rate's part of the base; None when one of them is missing."""
        if self.base is None or self.amount is None:
            return None
        return agrees(self.base, self.rate, self.amount)


@dataclass(frozen=True, slots=True)
class Balance:
    """The sums of an invoice; ``balanced`` is None when there are too few of them to tell."""

    base: Sum | None
    taxes: tuple[Tax, ...]
    vat: Sum | None
    retention: Sum | None
    total: Sum | None
    balanced: bool | None


def balance_of(entries: Sequence[Entry]) -> Balance:
    """The best choice: one that balances, else the plainest labels."""
    taxes = _taxes(entries)
    bases = _whole(entries, taxes, Concept.BASE, [tax.base for tax in taxes])
    vats = _whole(entries, taxes, Concept.VAT, [tax.amount for tax in taxes])
    totals = _choices(entries, Concept.TOTAL)
    retentions = _retentions(entries)
    extra = sum(
        (entry.amount.value for entry in entries if entry.concept is Concept.EXTRA and entry.amount), Decimal(0)
    )
    chosen = _balanced(bases, vats, retentions, totals, extra)
    base, vat, retention, total = chosen or (_first(bases), _first(vats), _first(retentions), _first(totals))
    taxes = _completed(taxes, base, vat)
    if vat is None:
        vat = _worked_out(taxes, base, retention, total)
        taxes = _completed(taxes, base, vat)
    base = base or _implied_base(taxes, vat, retention, total)
    taxes = _completed(taxes, base, vat)
    adds_up = _adds_up(base, vat, retention, total, extra)
    known = base is not None and total is not None and vat is not None
    balanced = adds_up if known else adds_up or None
    return Balance(base, tuple(taxes), vat, retention, total, balanced)


def _taxes(entries: Sequence[Entry]) -> list[Tax]:
    """A row for each rate in reading order, put together from the entries that name the rate."""
    rows: dict[Decimal, Tax] = {}
    for entry in entries:
        if entry.rate is None or entry.concept not in {Concept.VAT, Concept.BASE}:
            continue
        rate = entry.rate.value
        row = rows.get(rate, Tax(rate, None, None, entry.rate))
        given_base = entry.amount if entry.concept is Concept.BASE else entry.base
        base = row.base if row.base is not None or given_base is None else given_base.value
        amount = row.amount if row.amount is not None or entry.concept is Concept.BASE else _value(entry.amount)
        rows[rate] = Tax(rate, base, amount, row.number)
    used = [row for row in rows.values() if row.base or row.amount]
    return used or list(rows.values())[:1]


def _value(number: Number | None) -> Decimal | None:
    return number.value if number else None


def _added(values: Sequence[Decimal | None]) -> list[Sum]:
    """The sum of several values that are all known, as a choice of its own."""
    known = [value for value in values if value is not None]
    return [Sum(sum(known, Decimal(0)))] if len(known) == len(values) > 1 else []


def _whole(
    entries: Sequence[Entry], taxes: Sequence[Tax], concept: Concept, parts: Sequence[Decimal | None]
) -> list[Sum]:
    """The base or VAT of the whole invoice: with several rates, that of one of them is not it, their sum is."""
    whole = entries if len(taxes) < 2 else [entry for entry in entries if entry.rate is None]
    return _choices(whole, concept, _added(parts))


def _choices(entries: Sequence[Entry], concept: Concept, more: Sequence[Sum] = ()) -> list[Sum]:
    """What the labels of a concept claim, the plainest and last first, then what was added up."""
    claimed = [
        Sum(entry.amount.value, entry.amount, entry.strength)
        for entry in reversed(entries)
        if entry.concept is concept and entry.amount
    ]
    plainest = sorted(claimed, key=lambda choice: -choice.strength)
    return [*plainest[:_MAX_CHOICES], *more]


def _retentions(entries: Sequence[Entry]) -> list[Sum]:
    """Retentions as positive amounts, however they are printed; the balance may turn the sign again."""
    choices = _choices(entries, Concept.RETENTION)
    return [Sum(abs(choice.value), choice.number, choice.strength) for choice in choices]


def _first(choices: Sequence[Sum]) -> Sum | None:
    return choices[0] if choices else None


Quartet = tuple[Sum | None, Sum | None, Sum | None, Sum | None]


def _balanced(
    bases: Sequence[Sum], vats: Sequence[Sum], retentions: Sequence[Sum], totals: Sequence[Sum], extra: Decimal
) -> Quartet | None:
    """The first choice that adds up, the plainest labels tried first; a retention that is named is not passed over lightly."""
    for base, total, vat, retention in product(bases, totals, _or_none(vats), _or_none(_signed(retentions))):
        if _adds_up(base, vat, retention, total, extra) and not (vat is None and vats and vats[0].value):
            return base, vat, retention, total
    return None


def _or_none(choices: Sequence[Sum]) -> list[Sum | None]:
    return [*choices, None]


def _signed(choices: Sequence[Sum]) -> list[Sum]:
    """Each retention as it is, then with the other sign, as a rectifying invoice has it."""
    return [*choices, *(Sum(-choice.value, choice.number, choice.strength) for choice in choices)]


def _adds_up(base: Sum | None, vat: Sum | None, retention: Sum | None, total: Sum | None, extra: Decimal) -> bool:
    if base is None or total is None:
        return False
    due = base.value + (vat.value if vat else 0) - (retention.value if retention else 0)
    return any(abs(due + more - total.value) <= _TOLERANCE for more in (Decimal(0), extra))


def _completed(taxes: Sequence[Tax], base: Sum | None, vat: Sum | None) -> list[Tax]:
    """With one rate, the base and the VAT are its own; with no rate named, a legal one may fit exactly."""
    if len(taxes) == 1:
        only = taxes[0]
        own_base = only.base if only.base is not None else base.value if base else None
        own_amount = only.amount if only.amount is not None else vat.value if vat else None
        return [Tax(only.rate, own_base, own_amount, only.number)]
    if not taxes and base and vat and base.value:
        fitting = (rate for rate in _LEGAL_RATES if agrees(base.value, rate, vat.value))
        return [Tax(rate, base.value, vat.value) for rate in fitting][:1]
    return [_with_base(tax) for tax in taxes]


def _with_base(tax: Tax) -> Tax:
    """The base of one rate among several, worked out when only its share is printed."""
    if tax.base is not None or not tax.amount or not tax.rate:
        return tax
    return Tax(tax.rate, _rounded(tax.amount * 100 / tax.rate), tax.amount, tax.number)


def _worked_out(taxes: Sequence[Tax], base: Sum | None, retention: Sum | None, total: Sum | None) -> Sum | None:
    """The VAT when only its rate is printed, if it makes the sums balance."""
    if len(taxes) != 1 or base is None or total is None:
        return None
    vat = Sum(_rounded(base.value * taxes[0].rate / 100))
    return vat if _adds_up(base, vat, retention, total, Decimal(0)) else None


def _implied_base(taxes: Sequence[Tax], vat: Sum | None, retention: Sum | None, total: Sum | None) -> Sum | None:
    """The base that no label names, where the VAT is exactly its rate's part of what is left of the total."""
    if len(taxes) != 1 or vat is None or total is None:
        return None
    base = total.value - vat.value + (retention.value if retention else 0)
    return Sum(base) if agrees(base, taxes[0].rate, vat.value) else None


def _rounded(value: Decimal) -> Decimal:
    return value.quantize(_CENT, ROUND_HALF_UP)
