"""A tool's result, split (seed 1): its text for the model, everything else for the screen, unchanged.

Two rules are held here too, whatever the server thought of them. A result without its source is refused: nothing of it
is shown, and the model is told why. A text that repeats the rows of a table is kept from the model, and the person is
told so; the table is shown as ever.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from mcp import types as t

from tzzr_mcp.checks.summary import MOST_ROWS, repeated_rows
from tzzr_mcp.gateway.events import (
    ROWS,
    Chart,
    ChartEvent,
    Event,
    Link,
    LinksEvent,
    Notice,
    NoticeEvent,
    RowsEvent,
    Source,
    Table,
    TableEvent,
)
from tzzr_mcp.gateway.formodel import ForModel, from_gateway, from_result


@dataclass(frozen=True)
class Outcome:
    """What became of a call. ``shown`` are the events about it, after ``tool`` finished."""

    text: ForModel
    ok: bool
    source: Source | None = None
    trace_id: str | None = None
    shown: tuple[Event, ...] = ()


def failed(text: str) -> Outcome:
    """A call that gave no result, and the gateway's sentence about it."""
    return Outcome(from_gateway(text), ok=False)


def outcome(result: t.CallToolResult, call: str, title: str, limit: int) -> Outcome:
    """The result of the call ``call``; the model gets at most ``limit`` characters of its text."""
    text, trace_id = from_result(result, limit), _trace_id(result)
    if result.is_error:
        return Outcome(text if text.text else from_gateway(_SILENT.format(title=title)), ok=False, trace_id=trace_id)
    structured = result.structured_content
    if not isinstance(structured, Mapping) or "source" not in structured:
        return Outcome(from_gateway(_SOURCELESS.format(title=title)), ok=False, trace_id=trace_id)
    try:
        source = Source.model_validate(structured["source"])
        shown = tuple(_shown(structured, result, call))
    except (ValueError, TypeError, LookupError):
        return Outcome(from_gateway(_MALFORMED.format(title=title)), ok=False, trace_id=trace_id)
    if title_of_repeated := _repeated(text.text, structured):
        told = _REPEATED.format(title=title, table=title_of_repeated)
        return Outcome(
            from_gateway(told), ok=True, source=source, trace_id=trace_id, shown=(_warning(call, told), *shown)
        )
    return Outcome(text, ok=True, source=source, trace_id=trace_id, shown=shown)


def _repeated(text: str, structured: Mapping[str, Any]) -> str | None:
    """The title of a table that the text is another form of."""
    tables = structured.get("tables", ())
    return next((table["title"] for table in tables if repeated_rows(text, table["rows"]) > MOST_ROWS), None)


def _warning(call: str, text: str) -> NoticeEvent:
    return NoticeEvent(call=call, notice=Notice(level="warning", text=text))


def _trace_id(result: t.CallToolResult) -> str | None:
    given = (result.meta or {}).get("tzzr/traceId")
    return str(given) if given else None


def _shown(structured: Mapping[str, Any], result: t.CallToolResult, call: str) -> Iterator[Event]:
    if notice := structured.get("notice"):
        yield NoticeEvent(call=call, notice=Notice.model_validate(notice))
    for table in structured.get("tables", ()):
        yield from _table(table, call)
    for chart in structured.get("charts", ()):
        yield ChartEvent(call=call, chart=Chart.model_validate(chart))
    links = [Link.model_validate(link) for link in structured.get("links", ())]
    links += [_link(block) for block in result.content if isinstance(block, t.ResourceLink)]
    if links:
        yield LinksEvent(call=call, links=tuple(links))


def _table(table: Mapping[str, Any], call: str) -> Iterator[Event]:
    """The table in slices: the lists of cells are the server's own, never copied into one text."""
    rows = table["rows"]
    if any(len(row) != len(table["columns"]) for row in rows):
        raise ValueError("a row has more or fewer cells than there are columns")
    yield TableEvent(call=call, table=Table.model_validate({**table, "rows": rows[:ROWS], "total": len(rows)}))
    for start in range(ROWS, len(rows), ROWS):
        yield RowsEvent(call=call, table_id=table["id"], start=start, rows=rows[start : start + ROWS])


def _link(block: t.ResourceLink) -> Link:
    return Link(title=block.title or block.name, uri=str(block.uri), media_type=block.mime_type)


_SILENT = "La herramienta «{title}» falló y no dijo por qué."
_SOURCELESS = (
    "El resultado de «{title}» no se muestra porque no declara de dónde procede. Avise a quien mantiene la herramienta."
)
_REPEATED = "El texto de «{title}» no se entrega al modelo porque repite las filas de la tabla «{table}», que se muestra en pantalla."
_MALFORMED = (
    "El resultado de «{title}» no se muestra porque no tiene la forma acordada. Avise a quien mantiene la herramienta."
)
