"""Pieces of text that an OCR engine found on a page, put in the order in which a person reads them.

A detector reports boxes from top to bottom, so on a page that lies a little askew the amount at the right
comes before the words at its left. Here the tilt of the whole page is taken out first; then the pieces of one
height make one row, and a wide gap in a row is kept as two spaces, as a text layer would have it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

__all__ = ["Piece", "in_rows"]

_SAME_ROW = 0.5
"""Share of the lower piece's height that two middles of one row may differ by."""

_WIDE_GAP = 0.8
"""Share of a row's height from which a gap parts columns; below it the gap parts words."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A text and its four corners in pixels, clockwise from the upper left one."""

    corners: Sequence[tuple[float, float]]
    text: str


@dataclass(frozen=True, slots=True)
class _Levelled:
    left: float
    right: float
    middle: float
    height: float
    text: str


def in_rows(pieces: Sequence[Piece]) -> str:
    """The text of ``pieces``, a line for each row of the page; "" when there are none."""
    tilt = _tilt(pieces)
    rows: list[list[_Levelled]] = []
    for piece in sorted((_levelled(piece, tilt) for piece in pieces), key=lambda piece: piece.middle):
        if rows and _shares_row(rows[-1][-1], piece):
            rows[-1].append(piece)
        else:
            rows.append([piece])
    return "\n".join(_line(row) for row in rows)


def _tilt(pieces: Sequence[Piece]) -> float:
    """The angle of the upper edges in radians; long pieces, whose slope is surest, weigh the most."""
    across = sum(piece.corners[1][0] - piece.corners[0][0] for piece in pieces)
    down = sum(piece.corners[1][1] - piece.corners[0][1] for piece in pieces)
    return math.atan2(down, across) if across > 0 else 0.0


def _levelled(piece: Piece, tilt: float) -> _Levelled:
    cosine, sine = math.cos(tilt), math.sin(tilt)
    across = [x * cosine + y * sine for x, y in piece.corners]
    down = [y * cosine - x * sine for x, y in piece.corners]
    height = (down[2] + down[3] - down[0] - down[1]) / 2
    return _Levelled(min(across), max(across), sum(down) / len(down), max(height, 1.0), piece.text.strip())


def _shares_row(above: _Levelled, piece: _Levelled) -> bool:
    return piece.middle - above.middle < _SAME_ROW * min(above.height, piece.height)


def _line(row: Sequence[_Levelled]) -> str:
    ordered = sorted(row, key=lambda piece: piece.left)
    line = ordered[0].text
    for before, piece in pairwise(ordered):
        is_wide = piece.left - before.right > _WIDE_GAP * min(before.height, piece.height)
        line += ("  " if is_wide else " ") + piece.text
    return line
