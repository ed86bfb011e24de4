"""What layouts are made of: rows of columns, and lines that are left out when there is nothing to say."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

__all__ = ["beside", "joined", "ruled", "table"]


def joined(*lines: str | None) -> str:
    """Lines one below the other; None is no line, an empty string a blank one."""
    return "\n".join(line for line in lines if line is not None) + "\n"


def table(widths: Sequence[int], *rows: Sequence[str]) -> str:
    """Rows of cells; a negative width puts a cell to the right; two blanks at least part the cells."""
    return "\n".join(
        "  ".join(
            f"{cell:<{width}}" if width > 0 else f"{cell:>{-width}}" for cell, width in zip(row, widths, strict=True)
        ).rstrip()
        for row in rows
    )


def ruled(*rows: Sequence[str]) -> str:
    """Rows of cells between bars, each column as wide as its widest cell."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join("| " + " | ".join(f"{c:<{w}}" for c, w in zip(row, widths, strict=True)) + " |" for row in rows)


def beside(left: Iterable[str], right: Iterable[str], width: int) -> str:
    """Two blocks side by side, the right one beginning at the column ``width``."""
    pairs = _filled(list(left), list(right))
    return "\n".join(f"{one:<{width}}{other}".rstrip() for one, other in pairs)


def _filled(left: list[str], right: list[str]) -> Iterable[tuple[str, str]]:
    rows = max(len(left), len(right))
    return zip(left + [""] * (rows - len(left)), right + [""] * (rows - len(right)), strict=True)
