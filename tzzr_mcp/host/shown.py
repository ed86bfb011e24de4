"""What a person sees of tools and results: plain lines, safe for any terminal."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mcp import types as t

MOST_ROWS = 12
"""A longer table shows its first and last rows."""


def printable(text: object) -> str:
    """``text`` without the control characters that a server could steer a terminal with; line breaks stay."""
    return "".join(c if c.isprintable() or c == "\n" else "\N{REPLACEMENT CHARACTER}" for c in str(text))


def tool_lines(tool: t.Tool) -> Iterator[str]:
    """A tool's name and title, and one line per argument."""
    yield printable(f"{tool.name}  {tool.title or ''}").rstrip()
    required = tool.input_schema.get("required", ())
    for name, field in tool.input_schema.get("properties", {}).items():
        need = "required" if name in required else "optional"
        yield printable(f"  {name} ({kind_of(field)}, {need})  {field.get('description', '')}").rstrip()


def kind_of(field: Mapping[str, Any]) -> str:
    """What a field takes: its choices, or its JSON type."""
    if "enum" in field:
        return " | ".join(str(choice) for choice in field["enum"])
    kind = field.get("type", "any JSON")
    return " or ".join(kind) if isinstance(kind, list) else str(kind)


def arguments_line(arguments: Mapping[str, Any]) -> str:
    """The arguments as JSON."""
    return printable(json.dumps(dict(arguments), ensure_ascii=False))


def result_lines(result: t.CallToolResult) -> Iterator[str]:
    """A result: notice first, then the text, the tables and the source."""
    structured = result.structured_content if isinstance(result.structured_content, dict) else {}
    if notice := structured.get("notice"):
        yield printable(f"[{notice.get('level')}] {notice.get('text')}")
    for block in result.content:
        yield printable(block.text if isinstance(block, t.TextContent) else f"[{block.type}]")
    for table in structured.get("tables", ()):
        yield ""
        yield from table_lines(table)
    if source := structured.get("source"):
        yield ""
        simulated = ", simulated" if source.get("simulated") else ""
        yield printable(f"source: {source.get('name')} ({source.get('kind')}{simulated})")


def table_lines(table: Mapping[str, Any]) -> Iterator[str]:
    """A table in columns, long ones shortened in the middle."""
    columns: Sequence[Mapping[str, Any]] = table["columns"]
    rows = [[_cell(cell) for cell in row] for row in table["rows"]]
    left_out = len(rows) - MOST_ROWS
    if left_out > 0:
        rows = [*rows[: MOST_ROWS - 3], ["…"] * len(columns), *rows[-3:]]
    titles = [printable(column["title"]) for column in columns]
    widths = [max(len(row[index]) for row in [titles, *rows]) for index in range(len(columns))]
    yield printable(f"{table['title']} ({len(table['rows'])} rows)")
    for row in [titles, *rows]:
        yield "  ".join(_aligned(*each) for each in zip(row, columns, widths, strict=True)).rstrip()


def _aligned(cell: str, column: Mapping[str, Any], width: int) -> str:
    return cell.rjust(width) if column["type"] in {"number", "integer"} else cell.ljust(width)


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:,.2f}"
    return "" if value is None else printable(value).replace("\n", " ")
