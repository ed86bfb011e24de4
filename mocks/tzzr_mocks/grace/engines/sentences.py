"""Cutting Spanish (or English) text into sentences: abbreviations, decimals and list lines are respected."""

from __future__ import annotations

import re

from .lexicon import words
from .words import is_upper_first

__all__ = ["split"]

_LONGEST_ABBREVIATION = 8
_END = re.compile(r"[.!?…]+[\"'»”’)\]]*(?=\s|$)")
_LAST_WORD = re.compile(r"([^\W\d_]+[ªº]?)$")
_BLANK = re.compile(r"\n[ \t]*\n+")
_BULLET = re.compile(r"^\s*(?:[-*•·–—]|\d{1,3}[.)])\s+")


def split(text: str) -> list[str]:
    """The sentences of ``text`` in order, each on one line; a heading or a list line is a sentence of its own."""
    normal = text.replace("\r\n", "\n").replace("\r", "\n")
    pieces = (piece for block in _BLANK.split(normal) for line in _joined_lines(block) for piece in _cut(line))
    return [clean for piece in pieces if (clean := " ".join(piece.split())) and any(mark.isalnum() for mark in clean)]


def _joined_lines(block: str) -> list[str]:
    """Lines that only wrap a sentence are put together; the others stay apart."""
    groups: list[list[str]] = []
    widest = max((len(line) for line in block.split("\n")), default=0)
    previous_length = 0
    for line in block.split("\n"):
        wraps = bool(groups) and not _BULLET.match(line) and _goes_on(line, previous_length, widest)
        previous_length = len(line)
        if wraps:
            groups[-1].append(line.strip())
        else:
            groups.append([_BULLET.sub("", line).strip()])
    return [" ".join(group) for group in groups]


def _goes_on(line: str, previous_length: int, widest: int) -> bool:
    begins_new = is_upper_first(line) or line.lstrip()[:1] in "¿¡«“\"'"
    return not begins_new or (previous_length > 60 and previous_length > 0.7 * widest)


def _cut(line: str) -> list[str]:
    sentences, start = [], 0
    for end in _END.finditer(line):
        if _ends_sentence(line, start, end):
            sentences.append(line[start : end.end()])
            start = end.end()
    return [*sentences, line[start:]]


def _ends_sentence(line: str, start: int, end: re.Match[str]) -> bool:
    rest = line[end.end() :].lstrip()
    if rest and not (is_upper_first(rest[:2]) or rest[0] in "¿¡«“\"'([-–—"):
        return False
    word = _LAST_WORD.search(line, max(start, end.start() - _LONGEST_ABBREVIATION), end.start())
    return not (end.group().startswith(".") and rest and word and word.group(1).casefold() in words("abbreviations"))
