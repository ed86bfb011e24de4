"""The invoice's number: what stands behind its label, beside it or below it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .found import Found
from .page import Cell, Line, Page

__all__ = ["invoice_number"]

_ORDINAL = r"(?:n\s?\.?\s?[ºo°]\.?|n[uú]m(?:ero)?\.?|num\b\.?|nro\b\.?|no\.|nr\.?|number|#)"
_INVOICE = r"(?:factura|fra\b\.?|fact\b\.?|invoice|abono|fattura|facture)(?!-[\da-z]*\d)"
_KIND = r"(?:\s+(?:rectificativa|simplificada|ordinaria|completa|recapitulativa|proforma|de\s+(?:venta|abono|electricidad|alquiler|servicios)))?"
_LABELS = (
    (re.compile(rf"{_ORDINAL}\s*(?:de\s+)?(?:la\s+)?{_INVOICE}{_KIND}"), 0.97),
    (re.compile(rf"{_INVOICE}{_KIND}\s*(?:/\s*invoice)?\s*,?\s*{_ORDINAL}"), 0.97),
    (re.compile(rf"{_INVOICE}{_KIND}(?:\s*/\s*invoice)?"), 0.9),
    (re.compile(rf"(?:(?<=\s)|^){_ORDINAL}(?:\s*documento)?(?=\s*:|\s|\s*$)", re.MULTILINE), 0.8),
    (re.compile(r"(?:documento|referencia|ref\.)(?=\s*:)"), 0.6),
)
_VALUE = re.compile(
    r"\s*(?:[:.#=-]\s*)*(?:serie\s+)?([a-z0-9](?:[a-z0-9]|[/._-](?=[a-z0-9]))*(?: (?=[0-9/-])[a-z0-9/._-]*[a-z0-9]){0,2})(?![a-z0-9]|[.,]\d|\s?(?:€|eur\b))"
)
_NOT_OURS = re.compile(
    r"rectifica(?:\s|da|n)|\btotal\b|\bimporte\b|\bbase\b|sustituye|anula|original|corregida|(?:a|de|sobre|la|su|esta|dicha|por)\s+(?:la\s+)?$|pedido|albaran|cuenta|cliente|presupuesto|"
    r"contrato|telefono|tel\.|registro|expediente|calle|c/|avda|avenida|plaza|poliza|referencia"
)
_NEW_SUBJECT = re.compile(r"[→⇒;]|->")
_DATE = re.compile(r"\d{1,2}[/.-]\d{1,2}[/.-](?:\d{4}|\d{2})|\d{4}-\d{2}-\d{2}")
_AMOUNT = re.compile(r"\d+[.,]\d{2}")
_CONFUSED = re.compile(r"(?<=\d)[lOo](?=\d)|(?<=\d)l(?![a-z])|(?<![A-Za-z])l(?=\d)")
_MAX_LENGTH = 30


def invoice_number(page: Page, taken: set[int]) -> Found | None:
    """The number under the plainest label that has one; ``taken`` are offsets of dates, tax numbers and accounts."""
    for label, confidence in _LABELS:
        for match in label.finditer(page.folded):
            if _is_ours(page, match):
                span = next(_values(page, match, taken), None)
                if span:
                    return Found(_CONFUSED.sub(_as_figure, page.text[slice(*span)]), span, confidence)
    return None


def _as_figure(match: re.Match[str]) -> str:
    """An l or an O among figures is a 1 or a nought: nobody numbers invoices like that."""
    return "1" if match.group() == "l" else "0"


def _is_ours(page: Page, match: re.Match[str]) -> bool:
    """Whether the label means this invoice, not one that it mentions, and is a word of its own."""
    line = _line_of(page, match.start())
    cell = _cell_of(line, match.start())
    before = _NEW_SUBJECT.split(page.folded[cell.start : match.start()])[-1]
    letter_before = page.folded[match.start() - 1 : match.start()].isalnum()
    return (
        not letter_before
        and not _NOT_OURS.search(before)
        and not _NOT_OURS.match(page.folded[match.end() : match.end() + 14].lstrip())
    )


def _values(page: Page, match: re.Match[str], taken: set[int]) -> Iterator[tuple[int, int]]:
    """Spans that may hold the number: the rest of the cell, the next cell, the cell below."""
    line = _line_of(page, match.start())
    cell = _cell_of(line, match.start())
    places = [(match.end(), cell.end)]
    index = line.cells.index(cell)
    if not page.folded[match.end() : cell.end].strip(" :.#-"):
        places += [(after.start, after.end) for after in line.cells[index + 1 : index + 2]]
        places += [(below.start, below.end) for below in _below(page, line, index)]
    for start, end in places:
        span = _value(page.folded, start, end)
        if span and not taken.intersection(range(*span)):
            yield span


def _below(page: Page, line: Line, index: int) -> list[Cell]:
    if line.number + 1 >= len(page.lines):
        return []
    cells = page.lines[line.number + 1].cells
    if len(cells) == len(line.cells):
        return [cells[index]]
    return [min(cells, key=lambda cell: abs(cell.column - line.cells[index].column))]


def _value(folded: str, start: int, end: int) -> tuple[int, int] | None:
    match = _VALUE.match(folded, start, end)
    if not match:
        return None
    first, last = match.span(1)
    text = folded[first:last]
    if " " in text and _DATE.search(text):
        last = first + text.index(" ")
        text = folded[first:last]
    looks_right = any(mark.isdigit() for mark in text) and len(text) <= _MAX_LENGTH
    return (first, last) if looks_right and not _DATE.fullmatch(text) and not _AMOUNT.fullmatch(text) else None


def _line_of(page: Page, place: int) -> Line:
    return next(line for line in page.lines if line.start <= place < line.end)


def _cell_of(line: Line, place: int) -> Cell:
    return next((cell for cell in reversed(line.cells) if cell.start <= place), line.cells[0])
