"""Finding the numbers of a page: amounts of money, percentages and plain numbers, in Spanish or English notation."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum

from .page import Line, Page

__all__ = ["Kind", "Number", "as_amount", "numbers_of"]

_CURRENCY = r"(?:€|\$|£|eur(?:os?)?\b|usd\b|gbp\b|chf\b)"
_FIGURES = (
    r"\d{1,3}(?:\.\d{3})+,\d{1,10}|\d{1,3}(?:,\d{3})+\.\d{1,10}|\d{1,3}(?:[.,'’]\d{3})+(?![.,]?\d)|"
    r"\d{1,3}(?:['’]\d{3})+[.,]\d{1,2}|\d+(?:[.,]\d{1,10})?"
)
_NUMBER = re.compile(
    rf"(?<![\w.,/'])(?P<open>\()?(?P<minus>[-−–])?(?:(?P<before>{_CURRENCY})\s?(?P<inner>[-−–])?)?"
    rf"(?P<figures>{_FIGURES})(?P<trailing>-(?!\w))?(?P<close>\))?"
    rf"(?:\s?(?P<percent>%)|\s?(?P<after>{_CURRENCY})|(?=(?:h|hs|ud|uds|u|x|kg|m2)\b)|(?![\w/'%]|[.,]\d|-\w))"
)
_GROUPED_BY_SPACE = re.compile(rf"(?:^|[:=(€$£-]\s?)(\d{{1,3}}(?: \d{{3}})+[.,]\d{{2}})(?=\s?{_CURRENCY}\s*$)")
_HARD_BLANK = re.compile("(?<=\\d)[\u00a0\u202f\u2009](?=\\d{3})")
_COMMA_CENTS = re.compile(r"\d,\d{2}(?!\d)")
_POINT_CENTS = re.compile(r"(?<![\d.])\d+(?:,\d{3})*\.\d{2}(?![\d.])")
_CENT = Decimal("0.01")


class Kind(Enum):
    """What a number is, as far as its own form tells."""

    MONEY = "money"
    PERCENT = "percent"
    PLAIN = "plain"


@dataclass(frozen=True, slots=True)
class Number:
    """A number of the page; the span covers sign and figures, not the currency (but the sign of a percentage)."""

    value: Decimal
    start: int
    end: int
    line: int
    kind: Kind
    has_currency: bool = False


def as_amount(value: Decimal) -> str:
    """An amount as the contract writes it: a decimal string with two digits, never a negative zero."""
    rounded = value.quantize(_CENT)
    return str(rounded or _CENT * 0)


def numbers_of(page: Page, taken: Iterable[tuple[int, int]]) -> list[Number]:
    """Every number outside the ``taken`` spans (dates, account and identity numbers), in reading order."""
    blocked = set[int]()
    for start, end in taken:
        blocked.update(range(start, end))
    comma = _decimal_is_comma(page.folded)
    found: list[Number] = []
    for line in page.lines:
        for match in _NUMBER.finditer(_regrouped(page, line)):
            number = _number(match, line.start, line.number, comma=comma)
            if number.start not in blocked and number.end - 1 not in blocked:
                found.append(number)
    return found


def _decimal_is_comma(folded: str) -> bool:
    return len(_COMMA_CENTS.findall(folded)) >= len(_POINT_CENTS.findall(folded))


def _regrouped(page: Page, line: Line) -> str:
    """The line with the blanks inside a number made apostrophes: hard ones, and plain ones where an amount ends a cell."""
    text = _HARD_BLANK.sub("'", page.text[line.start : line.end])
    text = "".join(
        mark if mark == "'" else plain for mark, plain in zip(text, page.folded[line.start : line.end], strict=True)
    )
    for cell in line.cells:
        left, right = cell.start - line.start, cell.end - line.start
        if match := _GROUPED_BY_SPACE.search(text[left:right]):
            grouped = match.group(1).replace(" ", "'")
            text = text[: left + match.start(1)] + grouped + text[left + match.end(1) :]
    return text


def _number(match: re.Match[str], offset: int, line: int, *, comma: bool) -> Number:
    figures = match["figures"]
    negative = bool(match["minus"] or match["inner"] or match["trailing"] or (match["open"] and match["close"]))
    signed = match["minus"] is not None and match["before"] is None
    start = match.start("minus") if signed else match.start("figures")
    end = (
        match.end("percent")
        if match["percent"]
        else match.end("trailing")
        if match["trailing"]
        else match.end("figures")
    )
    value = Decimal(_plain(figures, comma=comma))
    has_currency = bool(match["before"] or match["after"])
    return Number(-value if negative else value, offset + start, offset + end, line, _kind(match), has_currency)


def _kind(match: re.Match[str]) -> Kind:
    if match["percent"]:
        return Kind.PERCENT
    cents = len(re.split(r"[.,]", match["figures"])[-1]) == 2 and re.search(r"[.,]\d\d$", match["figures"])
    return Kind.MONEY if cents or match["before"] or match["after"] else Kind.PLAIN


def _plain(figures: str, *, comma: bool) -> str:
    """The figures as ``Decimal`` reads them."""
    bare = re.sub(r"['’]", "", figures)
    marks = re.findall(r"[.,]", bare)
    if not marks:
        return bare
    last = marks[-1]
    tail = bare.rpartition(last)[2]
    is_decimal = len(set(marks)) > 1 or (len(marks) == 1 and (len(tail) != 3 or last == ("," if comma else ".")))
    whole, _, decimals = bare.rpartition(last) if is_decimal else (bare, "", "")
    digits = re.sub(r"[.,]", "", whole)
    return f"{digits}.{decimals}" if is_decimal else digits
