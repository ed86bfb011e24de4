"""A story drawn as a sequence diagram: columns for who takes part, virtual time downwards, faults as red marks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from tzzr_scenarios.story import Line

COLUMN, ROW, TOP, LEFT = 300, 26, 44, 130
"""Pixels between two columns, between two lines, above the first line, and left of the first column."""
NOTE = 430
"""Pixels kept for a note at the last column."""
_ORDER = ("client", "gateway", "llm", "server", "grace", "hst", "context")
_WIDEST = 56
_MOST = 400


def svg(lines: Sequence[Line]) -> str:
    """The diagram as one SVG element; colours are classes that the page's style gives."""
    shown = lines[:_MOST]
    columns = _columns(shown)
    width = LEFT + COLUMN * (len(columns) - 1) + NOTE
    height = TOP + ROW * (len(shown) + 1)
    parts = [*_heads(columns, height), *(part for row, line in enumerate(shown) for part in _row(row, line, columns))]
    if len(lines) > _MOST:
        parts.append(_text(LEFT, height - 6, f"… {len(lines) - _MOST} more lines", "note"))
    label = f'role="img" aria-label="sequence diagram of {len(lines)} lines"'
    inside = "\n".join(parts)
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" class="diagram" {label}>{inside}</svg>'


def _columns(lines: Sequence[Line]) -> dict[str, int]:
    present = {who for line in lines for who in (line.source, line.target) if who}
    named = [who for who in _ORDER if who in present or who in ("client", "server")]
    strangers = sorted(present - set(named))
    return {who: LEFT + COLUMN * number for number, who in enumerate([*named, *strangers])}


def _heads(columns: dict[str, int], height: int) -> Iterator[str]:
    for who, x in columns.items():
        yield f'<line x1="{x}" y1="{TOP - 14}" x2="{x}" y2="{height - ROW}" class="life"/>'
        yield _text(x, TOP - 22, who, "who", anchor="middle")


def _row(row: int, line: Line, columns: dict[str, int]) -> Iterator[str]:
    y = TOP + ROW * row + 10
    yield _text(8, y + 4, f"{line.at:.3f} s", "at")
    mark = f" {line.mark}" if line.mark else ""
    if line.target is None:
        x = columns[line.source]
        yield f'<circle cx="{x}" cy="{y}" r="4" class="dot{mark}"/>'
        yield _text(x + 10, y + 4, _cut(line), f"note{mark}")
        return
    begin, end = columns[line.source], columns[line.target]
    yield f'<line x1="{begin}" y1="{y}" x2="{end}" y2="{y}" class="arrow{mark}"/>'
    way = 1 if end > begin else -1
    yield f'<path d="M{end} {y} l{-7 * way} -4 v8 z" class="head{mark}"/>'
    yield _text(min(begin, end) + 8, y - 4, _cut(line), f"says{mark}")


def _cut(line: Line) -> str:
    text = f"{line.text}{f' ×{line.times}' if line.times > 1 else ''}"
    return text if len(text) <= _WIDEST else f"{text[: _WIDEST - 1]}…"


def _text(x: int, y: int, text: str, kind: str, anchor: str = "start") -> str:
    return f'<text x="{x}" y="{y}" class="{kind}" text-anchor="{anchor}">{escape(text)}</text>'
