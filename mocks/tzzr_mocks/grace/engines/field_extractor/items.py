"""The rows of the invoice: description, quantity, unit price and amount."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from .concepts import Concept, heads_items, labels_of
from .numbers import Kind, Number
from .page import Line, Page

__all__ = ["Item", "items_of"]

_CENT = Decimal("0.01")
_MAX_FACTORS = 10
_UNIT_LETTERS = 12
_AMOUNT_WORD = re.compile(r"\b(?:importe|total|amount|precio|subtotal|neto)\b")
_EDGES = re.compile(r"^[\s\-–•*·:|=×@.,]+|(?:[\s\-–:|=×@(,]|(?<=\s)(?:x|a|€))+$")
_LEADING_UNIT = re.compile(r"^\s*(?:uds?\b\.?|unidad(?:es)?\b|h\b\.?|horas?\b|x\b|×)\s+(?:de\s+)?")
_TRAILING_RATE = re.compile(r"\s+\d{1,2}(?:[.,]\d{1,2})?\s?%$")
_NOISE = re.compile(r"^\s*(?:concepto|descripción|detalle)\s*:|\.{3,}|_{3,}", re.IGNORECASE)
_CODE = re.compile(r"^(?=[A-Z0-9./-]*\d)[A-Z0-9./-]{2,14}\s{2,}")
_COUNTER = re.compile(r"^\d{1,3}(?:[.)]\s+|\s{2,})")


@dataclass(frozen=True, slots=True)
class Item:
    """A row; quantity and price are None where the row is not their product."""

    description: str
    quantity: Decimal | None
    price: Decimal | None
    amount: Decimal


def items_of(page: Page, numbers: Sequence[Number], sums: Collection[Decimal]) -> list[Item]:
    """The rows between the heading of the table and the summary, else every line that multiplies out.

    ``sums`` are what the summary gives as base, subtotal or total (a receipt's rows include the tax): rows without a
    heading that do not multiply out must add up to one of them to be believed.
    """
    by_line: dict[int, list[Number]] = {}
    for number in numbers:
        by_line.setdefault(number.line, []).append(number)
    table = _table(page, by_line)
    if table is not None:
        return _items(page, _rows(table, by_line), strict=False)
    rows = _rows([line for line in page.lines if not _sums_up(page, line)], by_line)
    loose = _items(page, rows, strict=False)
    return loose if loose and sum(item.amount for item in loose) in sums else _items(page, rows, strict=True)


Row = tuple[Line, list[Number]]


def _rows(lines: Sequence[Line], by_line: dict[int, list[Number]]) -> list[Row]:
    return [(line, by_line.get(line.number, [])) for line in lines]


def _items(page: Page, rows: Sequence[Row], *, strict: bool) -> list[Item]:
    """The items of rows, each on a line or on two."""
    items: list[Item] = []
    place = 0
    while place < len(rows):
        line, own = rows[place]
        two = (
            _on_two_lines(page, rows[place], rows[place + 1])
            if place + 1 < len(rows) and not _multiplies(own)
            else None
        )
        item = two or _item(page, line, own, strict=strict)
        items += [item] if item else []
        place += 2 if two else 1
    return items


def _on_two_lines(page: Page, above: Row, below: Row) -> Item | None:
    """An item whose figures stand on the next line, all of them or the quantity and price that make its amount."""
    (line, own), (next_line, figures) = above, below
    if next_line.number != line.number + 1 or not figures or _words_in(page, next_line) > _UNIT_LETTERS:
        return None
    if _item(page, next_line, figures, strict=True):
        return None
    factors = _factors_of(own, figures) or _product([*own, *figures])
    description = _description(page, line, own, [number for number in factors or () if number in own])
    if factors is None or not description:
        return None
    quantity, price, amount = factors
    return Item(description, quantity.value, price.value, amount.value)


def _words_in(page: Page, line: Line) -> int:
    return sum(mark.isalpha() for mark in page.text[line.start : line.end])


def _factors_of(own: Sequence[Number], figures: Sequence[Number]) -> tuple[Number, Number, Number] | None:
    amount = next((number for number in reversed(own) if number.kind is Kind.MONEY), None)
    if amount is None or len(figures) != 2:
        return None
    quantity, price = figures
    return (quantity, price, amount) if _is_product(quantity, price, amount, Decimal(1)) else None


def _sums_up(page: Page, line: Line) -> bool:
    return any(label.concept is not Concept.OTHER for label in labels_of(page, line))


def _table(page: Page, by_line: dict[int, list[Number]]) -> list[Line] | None:
    """The lines below the heading of the items, up to the first that begins the summary."""
    for line in page.lines:
        words = page.folded[line.start : line.end]
        if (
            heads_items(page, line)
            and _AMOUNT_WORD.search(words)
            and len(line.cells) > 1
            and not by_line.get(line.number)
        ):
            return list(_body(page, line.number + 1, by_line))
    return None


def _body(page: Page, first: int, by_line: dict[int, list[Number]]) -> Iterator[Line]:
    for line in page.lines[first:]:
        summary = any(label.strength > 1 or label.start == line.cells[0].start for label in labels_of(page, line))
        if summary and not _multiplies(by_line.get(line.number, [])):
            return
        yield line


def _multiplies(numbers: Sequence[Number]) -> bool:
    return _product(numbers) is not None


def _item(page: Page, line: Line, numbers: Sequence[Number], *, strict: bool) -> Item | None:
    """The item of a line; ``strict`` demands that it multiplies out."""
    factors = _product(numbers)
    money = [number for number in numbers if number.kind is Kind.MONEY]
    if factors is None and (strict or not money):
        return None
    one = None if factors else _single(page, line, numbers, money[-1])
    used = list(factors) if factors else [one, money[-1]] if one else [money[-1]]
    description = _description(page, line, numbers, used)
    if not description:
        return None
    if factors is None:
        return Item(description, one.value if one else None, money[-1].value if one else None, money[-1].value)
    quantity, price, amount = factors
    return Item(description, quantity.value, price.value, amount.value)


def _single(page: Page, line: Line, numbers: Sequence[Number], amount: Number) -> Number | None:
    """The ``1`` that a line begins with, when its amount is the only other number: one piece at that price.

    A number that is a part of a word, as in ``KR-6``, does not count.
    """
    words = [number for number in numbers if number.start == line.start or page.text[number.start - 1].isspace()]
    plain = [number for number in words if number.kind is not Kind.PERCENT]
    if len(plain) != 2 or plain[1] is not amount or plain[0].kind is Kind.MONEY:
        return None
    return plain[0] if plain[0].value == 1 and plain[0].start == line.cells[0].start else None


def _product(numbers: Sequence[Number]) -> tuple[Number, Number, Number] | None:
    """Quantity, price and amount, the last ones of the line that multiply out, with a discount if there is one.

    Three factors (a power, days and a price, say) are no quantity and price: the factors must be all the numbers
    before the amount but rates, discounts and what is part of the description.
    """
    plain = [number for number in numbers if number.kind is not Kind.PERCENT][-_MAX_FACTORS:]
    for amount in reversed(plain):
        before = [number for number in plain if number.end <= amount.start]
        latest_first = before[::-1]
        for price in sorted(latest_first, key=lambda number: number.kind is not Kind.MONEY):
            for quantity in (number for number in reversed(before) if number.end <= price.start):
                if any(_is_product(quantity, price, amount, kept) for kept in _kept(numbers, price, amount)):
                    return quantity, price, amount
    return None


def _kept(numbers: Sequence[Number], price: Number, amount: Number) -> Iterator[Decimal]:
    """What may be left of a price: all of it, or less a discount that stands between price and amount."""
    yield Decimal(1)
    for number in numbers:
        if price.end <= number.start < amount.start and 0 < number.value < 100:
            yield 1 - number.value / 100


def _is_product(quantity: Number, price: Number, amount: Number, kept: Decimal) -> bool:
    product = quantity.value * price.value * kept
    return amount.kind is Kind.MONEY and bool(amount.value) and abs(product - amount.value) <= _CENT


def _description(page: Page, line: Line, numbers: Sequence[Number], used: Sequence[Number]) -> str:
    """The longest run of words between the numbers that count and those that stand in a cell of their own."""
    alone = {(cell.start, cell.end) for cell in line.cells}
    cuts = [number for number in numbers if number in used or (number.start, number.end) in alone]
    pieces, start = list[str](), line.start
    for number in cuts:
        pieces.append(page.text[start : number.start])
        start = number.end
    pieces.append(page.text[start : line.end])
    cleaned = [_cleaned(pieces[0]), *(_cleaned(_LEADING_UNIT.sub("", piece)) for piece in pieces[1:])]
    return max(cleaned, key=lambda piece: sum(mark.isalpha() for mark in piece), default="")


def _cleaned(piece: str) -> str:
    text = _COUNTER.sub("", _CODE.sub("", _NOISE.sub("", piece).strip()))
    cells = re.split(r"\s{2,}|\s*[|│]\s*|\t", text)
    text = max(cells, key=lambda cell: sum(mark.isalpha() for mark in cell), default="")
    text = _TRAILING_RATE.sub("", _EDGES.sub("", text))
    if text.count("(") > text.count(")"):
        text = text.rpartition("(")[0].rstrip()
    letters = sum(mark.isalpha() for mark in text)
    return text if letters >= 2 else ""
