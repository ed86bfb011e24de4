"""The text of an invoice as a page: lines, cells, and a folded twin of the same length to match labels in."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cached_property, lru_cache

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
        self.text, self._offsets = _composed(original)
        self.folded = _LEADER.sub(lambda dots: " " * len(dots.group()), "".join(map(_folded, self.text)))

    def original(self, start: int, end: int) -> tuple[int, int]:
        """The half-open span of the original text that ``[start, end)`` of this page stands for."""
        return (start, end) if self._offsets is None else (self._offsets[start], self._offsets[end])

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """The lines that hold a letter or a digit, top to bottom; rules and blank lines only part them."""
        lines: list[Line] = []
        previous_end = 0
        for match in _LINE.finditer(self.text):
            if any(mark.isalnum() for mark in match.group()):
                number = len(lines)
                gap = self.text[previous_end : match.start()].replace("\r\n", "\n")
                parted = len(_BREAK.findall(gap)) > 1
                lines.append(Line(number, match.start(), match.end(), self._cells(match, number), parted))
                previous_end = match.end()
        return tuple(lines)

    def _cells(self, match: re.Match[str], number: int) -> tuple[Cell, ...]:
        cells = _CELL.finditer(self.folded, match.start(), match.end())
        return tuple(Cell(cell.start(), cell.end(), number, cell.start() - match.start()) for cell in cells)


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
