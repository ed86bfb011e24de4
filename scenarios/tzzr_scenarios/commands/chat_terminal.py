"""An answer of the chat gateway on a terminal: the words as they come, then the data with its source."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from rich.console import Console
from rich.table import Table as Drawn
from rich.text import Text

from tzzr_mcp.gateway.events import (
    Cell,
    ChartEvent,
    Column,
    DoneEvent,
    ErrorEvent,
    Event,
    LinksEvent,
    NoticeEvent,
    RowsEvent,
    Source,
    Table,
    TableEvent,
    TextEvent,
    ToolEvent,
    as_json,
)
from tzzr_mcp.host.shown import printable

MOST_ROWS = 12
"""A longer table shows its first rows; all of them are in the page, and with --json."""
_LEVELS: Mapping[str, str] = {"info": "Aviso", "warning": "Atención", "error": "Error"}
_STYLES: Mapping[str, str] = {"info": "cyan", "warning": "yellow", "error": "red"}


@dataclass
class Terminal:
    """Takes the events of one answer. With ``as_json`` each is a line of JSON."""

    as_json: bool = False
    console: Console = field(default_factory=lambda: Console(highlight=False))
    answered: bool = False
    _speaking: bool = False
    _apart: bool = False
    _shown: list[Text | Drawn] = field(default_factory=list)

    def take(self, event: Event) -> None:
        """Show one event, or keep it until the words are said."""
        if isinstance(event, DoneEvent):
            self.answered = event.stopped == "answer"
        if self.as_json:
            print(as_json(event))
        elif isinstance(event, TextEvent):
            self._say(event.delta)
        elif isinstance(event, (ToolEvent, NoticeEvent, ErrorEvent)):
            self._tell(event)
        else:
            self._shown.extend(_data(event))

    def end(self) -> None:
        """Show the data."""
        self._break()
        for part in self._shown:
            self.console.print()
            self.console.print(part, soft_wrap=isinstance(part, Text))

    def _say(self, text: str) -> None:
        if self._apart:
            self.console.print()
        self.console.print(printable(text), end="", markup=False, soft_wrap=True)
        self._speaking, self._apart = True, False

    def _tell(self, event: ToolEvent | NoticeEvent | ErrorEvent) -> None:
        line = _line(event)
        if line is None:
            return
        self._break()
        self.console.print(line, soft_wrap=True)
        self._apart = isinstance(event, ToolEvent)
        if isinstance(event, ToolEvent) and event.source is not None:
            self._shown.append(_cited(event.title, event.source))

    def _break(self) -> None:
        if self._speaking:
            self.console.print()
        self._speaking = False


def _line(event: ToolEvent | NoticeEvent | ErrorEvent) -> Text | None:
    if isinstance(event, NoticeEvent):
        return _labelled(event.notice.level, event.notice.text)
    if isinstance(event, ErrorEvent):
        return _labelled("error", event.message)
    if event.phase == "started":
        return None
    mark = "✓" if event.outcome == "ok" else "✗"
    took = f" · {event.duration_ms} ms" if event.duration_ms is not None else ""
    return Text(printable(f"{mark} {event.title}{took}"), style="dim")


def _labelled(level: str, text: str) -> Text:
    return Text.assemble((f"{_LEVELS[level]}: ", f"bold {_STYLES[level]}"), printable(text))


def _cited(title: str, source: Source) -> Text:
    told = [source.name, f"{source.retrieved_at:%Y-%m-%d %H:%M} UTC", source.url, source.license]
    simulated = " · datos simulados" if source.simulated else ""
    return Text(printable(f"{title} · fuente: {' · '.join(part for part in told if part)}{simulated}"), style="dim")


def _data(event: Event) -> Iterator[Text | Drawn]:
    if isinstance(event, TableEvent):
        yield _table(event.table)
    elif isinstance(event, ChartEvent):
        yield Text(printable(f"gráfico en la página: {event.chart.title}"), style="dim")
    elif isinstance(event, LinksEvent):
        yield Text(printable("\n".join(f"{link.title}: {link.uri}" for link in event.links)), style="dim")
    elif isinstance(event, RowsEvent):
        return


def _table(table: Table) -> Drawn:
    drawn = Drawn(title=Text(printable(table.title)), title_justify="left", show_edge=False, pad_edge=False)
    for column in table.columns:
        unit = f" ({column.unit})" if column.unit else ""
        right = column.type in ("number", "integer")
        drawn.add_column(Text(printable(f"{column.title}{unit}")), justify="right" if right else "left")
    for row in table.rows[:MOST_ROWS]:
        drawn.add_row(*(Text(_cell(cell, column)) for cell, column in zip(row, table.columns, strict=True)))
    if table.total > MOST_ROWS:
        drawn.caption = Text(f"las {MOST_ROWS} primeras de {table.total} filas")
        drawn.caption_justify = "left"
    return drawn


def _cell(cell: Cell, column: Column) -> str:
    """A cell in Spanish; no number is rounded."""
    if cell is None:
        return "—"
    if isinstance(cell, bool):
        return "sí" if cell else "no"
    if isinstance(cell, float) and "e" not in repr(cell):
        return f"{repr(cell).removesuffix('.0')}".replace(".", ",")
    return printable(cell)
