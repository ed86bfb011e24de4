"""Comparing what was read with what is true: per field, how much of what came is right, and how much of what is true came."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import Any, Final

from tzzr_mcp.contract.catalogue import AMOUNT_FIELDS, FIELDS
from tzzr_scenarios.quality.invoices.invoice import Invoice

__all__ = ["MEASURED", "Miss", "Score", "came_of", "compare", "truth_of"]

MEASURED: Final = (*FIELDS, "taxes", "lines")
"""What is measured of an invoice: the fourteen fields, the rates and the rows."""

_IDS: Final = ("emisor_nif", "receptor_nif", "iban")
_NAMES: Final = ("emisor_nombre", "receptor_nombre")

Items = Mapping[str, Counter[Hashable]]


@dataclass(frozen=True, slots=True)
class Miss:
    """One thing that was not read as it is: in which sample, what is true, what came."""

    sample: str
    what: str
    true: str
    came: str


@dataclass(slots=True)
class Score:
    """Counts of one field: right values, wrong or invented ones, and true ones that did not come."""

    right: int = 0
    wrong: int = 0
    missed: int = 0
    misses: list[Miss] = field(default_factory=list)

    @property
    def precision(self) -> float:
        """The share of what came that is true; 1 when nothing came."""
        came = self.right + self.wrong
        return self.right / came if came else 1.0

    @property
    def recall(self) -> float:
        """The share of what is true that came; 1 when there is nothing to read."""
        true = self.right + self.missed
        return self.right / true if true else 1.0

    def __iadd__(self, other: Score) -> Score:
        self.right, self.wrong, self.missed = (
            self.right + other.right,
            self.wrong + other.wrong,
            self.missed + other.missed,
        )
        self.misses += other.misses
        return self


def compare(sample: str, truth: Items, came: Items) -> dict[str, Score]:
    """A score for each measured thing; a wrong value in the place of a true one counts as both wrong and missed."""
    return {what: _score(sample, what, truth[what], came[what]) for what in MEASURED}


def _score(sample: str, what: str, true: Counter[Hashable], came: Counter[Hashable]) -> Score:
    right = true & came
    missed, wrong = true - right, came - right
    told = [Miss(sample, what, _told(missed), _told(wrong))] if missed or wrong else []
    return Score(right.total(), wrong.total(), missed.total(), told)


def _told(items: Counter[Hashable]) -> str:
    told = [" ".join(map(_plain, item)) if isinstance(item, tuple) else _plain(item) for item in items.elements()]
    return "; ".join(told) or "nothing"


def _plain(value: object) -> str:
    return f"{value:f}" if isinstance(value, Decimal) else str(value)


def truth_of(invoice: Invoice) -> Items:
    """What stands on an invoice."""
    fields = {name: value for name, value in invoice.fields().items() if value is not None}
    taxes = [(tax.base, tax.rate, tax.amount) for tax in invoice.taxes]
    rows = [(row.description, row.quantity, row.price, row.amount) for row in invoice.rows]
    return _items(fields, taxes, rows)


def came_of(result: Mapping[str, Any]) -> Items:
    """What a service read (the result of FIELD_EXTRACTOR, contract §4); whatever has not its form is as good as not there."""
    fields = {one["name"]: one.get("value") for one in _objects(result, "fields") if isinstance(one.get("name"), str)}
    taxes = [(one.get("base"), one.get("rate"), one.get("amount")) for one in _objects(result, "taxes")]
    rows = [
        (one.get("description"), one.get("quantity"), one.get("unit_price"), one.get("amount"))
        for one in _objects(result, "lines")
    ]
    return _items({name: value for name, value in fields.items() if value is not None}, taxes, rows)


def _objects(result: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    listed = result.get(name)
    return [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []


def _items(fields: Mapping[str, Any], taxes: Iterable[tuple[Any, ...]], rows: Iterable[tuple[Any, ...]]) -> Items:
    items: dict[str, Counter[Hashable]] = {what: Counter() for what in MEASURED}
    for name, value in fields.items():
        if name in items:
            items[name][_same(name, value)] += 1
    items["taxes"].update(tuple(map(_number, tax)) for tax in taxes)
    items["lines"].update((_words(str(words)), *map(_number, figures)) for words, *figures in rows)
    return items


def _same(name: str, value: Any) -> Hashable:
    """A form in which values that say the same are equal: case, blanks, a last point, the ``ES`` before a Spanish number."""
    if name in AMOUNT_FIELDS:
        return _number(value)
    text = str(value)
    if name in _IDS:
        compact = "".join(mark for mark in text.upper() if mark.isalnum())
        return compact[2:] if compact.startswith("ES") and len(compact) == 11 else compact
    return _words(text) if name in _NAMES else text.strip().casefold()


def _words(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(" .,;:")


def _number(value: Any) -> Hashable:
    try:
        return Decimal(str(value)).normalize() if value is not None else None
    except InvalidOperation:
        return str(value)
