"""The invoice's dates: every date on the page, and which of them are of issue and of payment."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from .found import Found
from .page import Page

__all__ = ["DateOnPage", "dates_of", "due_date", "issue_date"]

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "enero ene january jan gener gen janeiro", "febrero feb february febrer fevereiro fev",
            "marzo mar march marc marco", "abril abr april apr", "mayo may maig maio", "junio jun june juny junho",
            "julio jul july juliol julho", "agosto ago august aug agost", "septiembre setiembre sep sept set september setembre",
            "octubre oct october outubro out", "noviembre nov november novembre novembro",
            "diciembre dic december dec desembre des dezembro dez",
        ),
        start=1,
    )
    for name in names.split()
}  # fmt: skip
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_DAY_FIRST = re.compile(r"(?<![\w/.,-])(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|\d{2})(?![\w/]|[.,-]\d)")
_YEAR_FIRST = re.compile(r"(?<![\w/.,-])(\d{4})([/.-])(\d{1,2})\2(\d{1,2})(?![\w/]|[.,-]\d)")
_NAMED = re.compile(
    rf"(?<!\w)(\d{{1,2}})(?:\s*º)?(?:\s+de\s+|\s+d'|\s*[-/. ]\s*)({_MONTH})\.?(?:\s+del?\s+|\s*[-/., ]\s*)(\d{{4}}|\d{{2}})(?!\w)"
)
_NAMED_FIRST = re.compile(rf"(?<!\w)({_MONTH})\.?\s+(\d{{1,2}}),?\s+(\d{{4}})(?!\w)")

_DUE = re.compile(
    r"vencimientos?|vto\b|\bvence\b|fecha\s+(?:de\s+|limite\s+(?:de\s+)?)pago|fecha\s+limite|pag(?:ar|o|adero|adera)\s+antes|"
    r"antes\s+del?\b|due(?:\s+date)?\b|plazo\s+de\s+pago|fecha\s+de\s+cargo|cargo\s+en\s+cuenta"
)
_STATED = re.compile(r"fecha\s+(?:de\s+)?(?:la\s+)?(?:factura|emision|expedicion|fra)|invoice\s+date|date\s+of\s+issue")
_ISSUE = re.compile(
    r"emision|expedicion|expedida|emitid[ao]|\bdia(?=\s*:)|"
    r"fecha(?!\s+(?:de\s+)?(?:\w+))|invoice\s+date|\bdate\b|\bdata\b"
)
_OF_ANOTHER = re.compile(r"(?:rectifica|sustituye|anula|pedido|albaran|contrato|presupuesto).*\bde(?:l|\s+fecha)?\s+$")
_OTHER = re.compile(
    r"pedido|albaran|entrega|operacion|devengo|periodo|desde|hasta|servicio|rectificad|original|contrato|prestacion|"
    r"presupuesto|inscrit|registro|nacimiento|realizacion|consumo|lectura|del\s+\d|alta\b"
)
_DAYS = re.compile(
    r"(?:vencimiento|vto\.?|plazo\s+de\s+pago|forma\s+de\s+pago|pago|pagadero|condiciones(?:\s+de\s+pago)?|transferencia|giro|"
    r"recibo|confirming|pagare)[^\n\d]{0,40}?(?P<term>(?P<days>\d{1,3})\s+dias)"
)
_DAYS_FROM_ISSUE = re.compile(
    r"(?P<term>(?P<days>\d{1,3})\s+dias)\s*(?:naturales\s*)?(?:desde|a\s+partir|de\s+la|,|-)?\s*(?:la\s+)?"
    r"(?:fecha|f\.?\s?f\.?\b|emision|de\s+(?:su\s+)?(?:fecha|emision))"
)


@dataclass(frozen=True, slots=True)
class DateOnPage:
    """A calendar day and where it is written."""

    day: date
    start: int
    end: int


def dates_of(page: Page) -> list[DateOnPage]:
    """Every possible date on the page, in reading order."""
    found: list[DateOnPage] = []
    for day, start, end in sorted(_candidates(page.folded), key=lambda hit: (hit[1], -hit[2])):
        if not found or start >= found[-1].end:
            found.append(DateOnPage(day, start, end))
    return found


def issue_date(page: Page, dates: list[DateOnPage]) -> Found | None:
    """The date of issue: the labelled one, else the first that no other label claims."""
    roles = [(when, _role(page, when, dates)) for when in dates]
    for wanted, confidence in (("stated", 0.98), ("issue", 0.96), ("none", 0.7)):
        for when, role in roles:
            if role == wanted:
                return Found(when.day.isoformat(), (when.start, when.end), confidence)
    return None


def due_date(page: Page, dates: list[DateOnPage]) -> Found | None:
    """The date of payment: the labelled one, else the date of issue plus the days that the page grants."""
    for when in dates:
        if _role(page, when, dates) == "due":
            return Found(when.day.isoformat(), (when.start, when.end), 0.97)
    issued = issue_date(page, dates)
    term = _DAYS.search(page.folded) or _DAYS_FROM_ISSUE.search(page.folded)
    if issued is None or issued.value is None or term is None:
        return None
    day = date.fromisoformat(issued.value) + timedelta(days=int(term["days"]))
    return Found(day.isoformat(), term.span("term"), 0.8)


def _candidates(folded: str) -> Iterator[tuple[date, int, int]]:
    for pattern, year, month, day in (
        (_DAY_FIRST, 4, 3, 1),
        (_YEAR_FIRST, 1, 3, 4),
        (_NAMED, 3, 2, 1),
        (_NAMED_FIRST, 3, 1, 2),
    ):
        for match in pattern.finditer(folded):
            number = _MONTHS.get(match[month]) if match[month].isalpha() else int(match[month])
            when = _day(int(match[year]), number, int(match[day]))
            if when:
                yield when, match.start(), match.end()


def _day(year: int, month: int | None, day: int) -> date | None:
    full = year + 2000 if year < 100 else year
    if month is None or not 1980 <= full <= 2099:
        return None
    try:
        return date(full, month, day)
    except ValueError:
        return None


def _role(page: Page, when: DateOnPage, dates: list[DateOnPage]) -> str:
    """What the nearest label says of a date: before it on its line, else above it in its column."""
    here = next(line for line in page.lines if line.start <= when.start < line.end)
    after = max((other.end for other in dates if here.start <= other.end <= when.start), default=here.start)
    label = _nearest(page.folded[after : when.start])
    if label == "none" and here.number:
        label = _above(page, here.number, when)
    return label


def _above(page: Page, line: int, when: DateOnPage) -> str:
    """The label in the cell above, up to three lines of values higher."""
    row = page.lines[line]
    index = next(place for place, cell in enumerate(row.cells) if cell.start <= when.start < cell.end)
    for header in reversed(page.lines[max(0, line - 3) : line]):
        if len(header.cells) == len(row.cells):
            cell = header.cells[index]
        elif header.cells:
            middle = (when.start + when.end) / 2 - row.start
            cell = min(header.cells, key=lambda cell: abs(cell.middle - middle))
        else:
            continue
        label = _nearest(page.folded[cell.start : cell.end])
        if label != "none" and not any(mark.isdigit() for mark in page.folded[cell.start : cell.end]):
            return label
        if not any(mark.isdigit() for mark in page.folded[header.start : header.end]):
            break
    return "none"


def _nearest(label: str) -> str:
    """Which kind of label ends last in the text before a date; "none" when there is no label."""
    if _OF_ANOTHER.search(label):
        return "other"
    ends = {
        kind: max((match.end() for match in pattern.finditer(label)), default=-1)
        for kind, pattern in (("due", _DUE), ("stated", _STATED), ("issue", _ISSUE), ("other", _OTHER))
    }
    kind = max(ends, key=lambda kind: ends[kind])
    return kind if ends[kind] >= 0 else "none"
