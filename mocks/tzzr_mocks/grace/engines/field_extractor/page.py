"""The text of an invoice as a page: lines, cells, and a folded twin of the same length to match labels in."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cached_property, lru_cache

from .blanks import surplus_blanks
from .furniture import furniture
from .mending import mended

__all__ = ["Cell", "Line", "Page"]

_LINE = re.compile(r"[^\r\n\v\f\u2028\u2029]+")
_BREAK = re.compile(r"[\r\n\v\f\u2028\u2029]")
_CELL = re.compile(r"[^\s|│¦](?:[^\t|│¦\n]*?[^\s|│¦])??(?=\s{2,}|\t|\s*[|│¦]|\s*$)")
_LEADER = re.compile(r"\.{3,}|_{3,}|(?:\. ){3,}")
_SPACES = frozenset("\u00a0\u202f\u2007\u2009")
_LETTER_SIGNS = frozenset("ºª")


@dataclass(frozen=True, slots=True)
class Cell:
    """A run of text on one line, set off by two spaces, a tab or a bar; ``column`` is its distance from the margin."""

    start: int
    end: int
    line: int
    column: int

    @property
    def middle(self) -> float:
        """Where the cell's centre is, in characters from the margin."""
        return self.column + (self.end - self.start) / 2


@dataclass(frozen=True, slots=True)
class Line:
    """A line that is not blank: its place in the text and its cells."""

    number: int
    start: int
    end: int
    cells: tuple[Cell, ...]
    after_blank: bool


class Page:
    """A text in composed form, with offsets that lead back to the text as it was sent.

    ``text`` and ``folded`` have the same length; spans over them are turned into spans of the original,
    in code points, by :meth:`original`.
    """

    def __init__(self, original: str) -> None:
        self.source = original
        self.text, self._offsets = _once_blank(*_composed(original))
        folded = _LEADER.sub(lambda dots: " " * len(dots.group()), "".join(map(_folded, self.text)))
        self.folded = _LINE.sub(_without_furniture, mended(folded))

    def original(self, start: int, end: int) -> tuple[int, int]:
        """The half-open span of the original text that ``[start, end)`` of this page stands for."""
        return (start, end) if self._offsets is None else (self._offsets[start], self._offsets[end])

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """The lines that hold a letter or a digit, top to bottom; rules and blank lines only part them.

        What every page repeats (its number, the firm's entry in the register) is not among them.
        """
        lines: list[Line] = []
        previous_end, parted = 0, False
        for match in _LINE.finditer(self.text):
            if not any(map(str.isalnum, match.group())):
                continue
            gap = self.text[previous_end : match.start()].replace("\r\n", "\n").replace("\n\f", "\n")
            parted = parted or len(_BREAK.findall(gap)) > 1
            previous_end = match.end()
            start, end = match.start(), match.start() + len(self.folded[match.start() : match.end()].rstrip())
            if end > start:
                lines.append(Line(len(lines), start, end, self._cells(start, end, len(lines)), parted))
                parted = False
        return tuple(lines)

    def _cells(self, start: int, end: int, number: int) -> tuple[Cell, ...]:
        cells = _CELL.finditer(self.folded, start, end)
        return tuple(Cell(cell.start(), cell.end(), number, cell.start() - start) for cell in cells)


def _once_blank(text: str, offsets: list[int] | None) -> tuple[str, list[int] | None]:
    """Without the blanks that are one too many."""
    surplus = surplus_blanks(text)
    if not surplus:
        return text, offsets
    kept = [place for place in range(len(text)) if place not in surplus]
    return "".join(text[place] for place in kept), [
        offsets[place] if offsets else place for place in [*kept, len(text)]
    ]


def _without_furniture(line: re.Match[str]) -> str:
    kept = len(line.group()) - furniture(line.group())
    return line.group()[:kept] + " " * (len(line.group()) - kept)


def _composed(text: str) -> tuple[str, list[int] | None]:
    """``text`` in NFC, and for each of its characters (and the end) the offset in ``text``; None when they are equal."""
    if unicodedata.is_normalized("NFC", text):
        return text, None
    characters, offsets, start = list[str](), list[int](), 0
    for end in range(1, len(text) + 1):
        if end == len(text) or not unicodedata.combining(text[end]):
            cluster = unicodedata.normalize("NFC", text[start:end])
            characters.extend(cluster)
            offsets.extend([start] * len(cluster))
            start = end
    return "".join(characters), [*offsets, len(text)]


@lru_cache(maxsize=4096)
def _folded(mark: str) -> str:
    """One character for one: lower case, no accent, every kind of blank a space."""
    if mark in _SPACES:
        return " "
    if not mark.isalpha() or mark in _LETTER_SIGNS:
        return mark
    lower = unicodedata.normalize("NFD", mark.lower())
    return lower[0]
