"""Blanks that stand twice where one was meant, told from those that part columns."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["surplus_blanks"]

_SMALL: Final = (
    r"(?:a|al|ante|con|da|de|del|do|e|el|en|i|la|las|los|o|para|por|que|se|sin|sobre|su|sus|u|un|una|y|of|the|to)"
)
_CERTAIN: Final = re.compile(
    rf"(?<![^\W\d_]){_SMALL}  (?=\w)|[\w.]  (?={_SMALL} +\w)|[,;]  (?=\w)|"
    r"(?<!\w)[^\W\d_]\.  (?=[^\W\d_])|\d  (?=(?:%|€|EUR\b))"
)
_BETWEEN_WORDS: Final = re.compile(r"(?<=[^\W\d_]|[.,&])  (?=[^\W\d_]|[&(]|\d+[^\W\d_])")
_COLUMN: Final = re.compile(r"(?<=\S)\s{2,}(?=\S)")
_OFTEN: Final = 2
_NEAR_LINES: Final = 3


def surplus_blanks(text: str) -> set[int]:
    """The offsets of blanks that are one too many.

    No column begins behind a preposition, a comma or an abbreviated letter, with a preposition, or with the sign of the
    figure before it: two blanks there are one. Two between
    other words are one where no column of a line nearby begins behind them, and where they are alone on their line or
    the text has doubled blanks in other places.
    """
    if "  " not in text:
        return set()
    certain = {match.end() - 1 for match in _CERTAIN.finditer(text)}
    lines = text.split("\n")
    surplus, start = set(certain), 0
    for number, line in enumerate(lines):
        gaps = list(_BETWEEN_WORDS.finditer(line))
        if gaps and (len(gaps) == 1 or len(certain) >= _OFTEN):
            columns = _columns(
                lines[max(0, number - _NEAR_LINES) : number] + lines[number + 1 : number + 1 + _NEAR_LINES]
            )
            surplus.update(start + gap.end() - 1 for gap in gaps if gap.end() not in columns)
        start += len(line) + 1
    return surplus


def _columns(lines: list[str]) -> set[int]:
    return {gap.end() for line in lines for gap in _COLUMN.finditer(line)}
