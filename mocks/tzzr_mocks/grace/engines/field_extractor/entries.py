"""Reading the summary of an invoice: each amount with the label that claims it, whatever the layout."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import takewhile

from .concepts import Concept, Label, heads_items, is_filler, labels_of
from .numbers import Kind, Number
from .page import Line, Page

__all__ = ["Entry", "agrees", "entries_of"]

_CENT = Decimal("0.01")
_RATES = frozenset(
    map(Decimal, ("0", "2", "3", "4", "5", "7", "7.5", "9.5", "10", "12", "13.5", "15", "19", "20", "21"))
)
_MAX_TABLE_ROWS = 8
_WHOLE = 100
_MAX_FACTORS = 10


@dataclass(frozen=True, slots=True)
class Entry:
    """An amount of the summary. For VAT and retention also the rate and, where it is given, what it applies to."""

    concept: Concept
    strength: int
    amount: Number | None
    rate: Number | None = None
    base: Number | None = None


def agrees(base: Decimal, rate: Decimal, amount: Decimal) -> bool:
    """Whether ``amount`` is ``rate`` per cent of ``base``, to within two cents of rounding."""
    return abs(base * rate / 100 - amount) <= 2 * _CENT


def entries_of(page: Page, numbers: Sequence[Number]) -> list[Entry]:
    """All entries of the page, in reading order."""
    by_line: dict[int, list[Number]] = {}
    for number in numbers:
        by_line.setdefault(number.line, []).append(number)
    rows = [_Row(line, labels_of(page, line), by_line.get(line.number, [])) for line in page.lines]
    entries: list[Entry] = []
    place = 0
    while place < len(rows):
        found, used = _read(page, rows, place)
        entries.extend(found)
        place += used
    return entries


@dataclass(frozen=True, slots=True)
class _Row:
    line: Line
    labels: list[Label]
    numbers: list[Number]

    @property
    def amounts(self) -> list[Number]:
        """Its numbers but for percentages."""
        return [number for number in self.numbers if number.kind is not Kind.PERCENT]


def _read(page: Page, rows: Sequence[_Row], place: int) -> tuple[list[Entry], int]:
    """The entries that begin at a row, and how many rows they take."""
    row = rows[place]
    if heads_items(page, row.line) and not row.amounts:
        return [], 1
    if not row.labels:
        return _bare_tax(page, row), 1
    inline = list(_inline(page, row))
    if inline or row.amounts:
        return inline, 1
    return _below(page, rows, place)


def _inline(page: Page, row: _Row) -> Iterator[Entry]:
    """Entries whose amount follows its label on the line."""
    for place, label in enumerate(row.labels):
        stop = row.labels[place + 1].start if place + 1 < len(row.labels) else row.line.end
        if label.concept is Concept.BASE and place + 1 < len(row.labels):
            stop = _past_rate_name(row, place, stop)
        mine = [number for number in row.numbers if label.end <= number.start < stop]
        if mine and is_filler(_between(page, label.end, mine)):
            before = [
                number for number in row.numbers if number.kind is Kind.PERCENT and 0 <= label.start - number.end <= 4
            ]
            entry = _entry(label, before + mine)
            if entry:
                yield entry


def _past_rate_name(row: _Row, place: int, stop: int) -> int:
    """Where the reach of a base's label ends: in ``Base IVA 21 %: 100,00`` the VAT only says which base is meant."""
    following = row.labels[place + 1]
    own = [number for number in row.amounts if row.labels[place].end <= number.start < stop]
    if own or following.concept not in {Concept.VAT, Concept.RATE}:
        return stop
    return row.labels[place + 2].start if place + 2 < len(row.labels) else row.line.end


def _between(page: Page, start: int, numbers: Sequence[Number]) -> str:
    """The text from ``start`` to the last of the numbers, without the numbers."""
    pieces = []
    for number in numbers:
        pieces.append(page.folded[start : number.start])
        start = number.end
    return " ".join(pieces)


def _entry(label: Label, numbers: Sequence[Number]) -> Entry | None:
    """A label and the numbers behind it; None when there is no amount and no rate among them."""
    money = [number for number in numbers if number.kind is Kind.MONEY]
    plain = [number for number in numbers if number.kind is Kind.PLAIN]
    rate = next((number for number in numbers if number.kind is Kind.PERCENT), None)
    if rate is None and plain and label.concept in {Concept.VAT, Concept.RETENTION} and (money or len(plain) > 1):
        rate = next((number for number in plain if number.value in _RATES), None)
    amounts = money or [number for number in plain if number is not rate]
    if label.concept is Concept.OTHER or not amounts or label.concept is Concept.RATE:
        return None
    if label.concept in {Concept.BASE, Concept.TOTAL}:
        return Entry(label.concept, label.strength, amounts[0] if label.concept is Concept.BASE else amounts[-1], rate)
    base, amount = _base_and_amount(amounts, rate)
    return Entry(label.concept, label.strength, amount, rate, base)


def _base_and_amount(amounts: Sequence[Number], rate: Number | None) -> tuple[Number | None, Number]:
    """Which of the amounts is the share and which what it is a share of."""
    for base in amounts[:_MAX_FACTORS]:
        for amount in amounts[:_MAX_FACTORS]:
            if (
                rate
                and base is not amount
                and agrees(base.value, rate.value, amount.value)
                and abs(base.value) > abs(amount.value)
            ):
                return base, amount
    return None, amounts[-1]


def _bare_tax(page: Page, row: _Row) -> list[Entry]:
    """A line of rate, base and share that needs no label, as in a table of taxes."""
    rate = next((number for number in row.numbers if number.kind is Kind.PERCENT), None)
    if rate is None or len(row.amounts) < 2 or not is_filler(_between(page, row.line.start, row.numbers)):
        return []
    base, amount = _base_and_amount(row.amounts, rate)
    return [Entry(Concept.VAT, 3, amount, rate, base)] if base else []


def _below(page: Page, rows: Sequence[_Row], place: int) -> tuple[list[Entry], int]:
    """Labels whose amounts stand on the lines below: a table under a heading, or a column of labels and one of amounts."""
    headings = list(takewhile(lambda row: row.labels and not row.amounts, rows[place:]))
    start = place + len(headings)
    values = list(takewhile(lambda row: _only_numbers(page, row), rows[start : start + _MAX_TABLE_ROWS]))
    if not values:
        return [], 1
    if len(headings) == 1 and (len(headings[0].line.cells) > 1 or len(values[0].numbers) > 1):
        return [entry for row in values for entry in _columns(headings[0], row)], 1 + len(values)
    if len(headings) <= len(values) and all(len(row.amounts) == 1 for row in values[: len(headings)]):
        pairs = zip(headings, values, strict=False)
        found = [_entry(heading.labels[0], [*heading.numbers, *row.numbers]) for heading, row in pairs]
        return [entry for entry in found if entry], 2 * len(headings)
    return [], 1


def _only_numbers(page: Page, row: _Row) -> bool:
    return bool(row.amounts) and not row.labels and is_filler(_tail(page, row))


def _tail(page: Page, row: _Row) -> str:
    last = row.numbers[-1]
    return _between(page, row.line.start, row.numbers) + " " + page.folded[last.end : row.line.end]


def _columns(heading: _Row, row: _Row) -> Iterator[Entry]:
    """One row of a table, each number given to the label above it; nothing, when a rate is no rate: the heading was misread."""
    pairs = sorted(_pairs(heading, row), key=lambda pair: pair[1].kind is not Kind.MONEY)
    claimed = {label.concept: (label, number) for label, number in reversed(pairs)}
    rate = claimed.get(Concept.RATE, (None, None))[1]
    if rate is None and _is_money(claimed.get(Concept.VAT)):
        rate = next(
            (
                one
                for label, one in pairs
                if label.concept is Concept.VAT and one.value in _RATES and one.kind is not Kind.MONEY
            ),
            None,
        )
    if rate is None:
        rate = next((number for number in [*row.numbers, *heading.numbers] if number.kind is Kind.PERCENT), None)
    if rate is not None and not 0 <= rate.value < _WHOLE:
        return
    base = claimed.get(Concept.BASE, (None, None))[1]
    for concept, (label, number) in claimed.items():
        is_rate = number.kind is Kind.PERCENT or number is rate or concept in {Concept.RATE, Concept.OTHER}
        if not is_rate:
            entry = Entry(concept, label.strength, number)
            share = concept in {Concept.VAT, Concept.RETENTION, Concept.EXTRA}
            own = replace(entry, rate=rate) if concept is Concept.BASE else entry
            yield replace(entry, rate=_own_rate(concept, rate, base, number), base=base) if share else own


def _is_money(claim: tuple[Label, Number] | None) -> bool:
    return claim is not None and claim[1].kind is Kind.MONEY


def _own_rate(concept: Concept, rate: Number | None, base: Number | None, amount: Number) -> Number | None:
    """The row's rate, where it is this amount's: VAT's by right, a retention's only if it agrees."""
    if rate is None or concept is Concept.VAT:
        return rate
    return rate if base and agrees(base.value, rate.value, abs(amount.value)) else None


def _pairs(heading: _Row, row: _Row) -> Iterator[tuple[Label, Number]]:
    if len(row.numbers) == len(heading.labels):
        yield from zip(heading.labels, row.numbers, strict=True)
        return
    if len(row.numbers) == len(heading.line.cells):
        for cell, number in zip(heading.line.cells, row.numbers, strict=True):
            label = next((label for label in heading.labels if cell.start <= label.start < cell.end), None)
            if label:
                yield label, number
        return
    for number in row.numbers:
        middle = (number.start + number.end) / 2 - row.line.start
        yield min(heading.labels, key=lambda label: abs(label.middle - heading.line.start - middle)), number
