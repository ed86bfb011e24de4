"""What a tool returns, split in two: plain text for the model, structured parts for the screen (seed 2, CONTRACT §5).

Tables, charts and links go to the user interface and never enter a model's context. The notice is shown to the user
as a message of its own. Every result declares its source.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

ColumnType = Literal["text", "integer", "number", "date", "boolean"]
ChartKind = Literal["line", "bar", "area", "pie"]
SourceKind = Literal["service", "dataset", "computation"]
NoticeLevel = Literal["info", "warning", "error"]
Cell = str | int | float | bool | None


class OutputError(ValueError):
    """A tool's result contradicts itself: the message names the part and the mend."""


@dataclass(frozen=True)
class Source:
    """Where a result comes from. ``retrieved_at`` is aware and in UTC; ``simulated`` is true when a fake answered."""

    name: str
    kind: SourceKind
    retrieved_at: datetime
    simulated: bool = False
    url: str | None = None
    license: str | None = None

    def as_json(self) -> dict[str, Any]:
        """The wire form; what is not known is left out."""
        instant = self.retrieved_at.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        known = {"name": self.name, "kind": self.kind, "url": self.url, "license": self.license}
        return {**_present(known), "retrieved_at": instant, "simulated": self.simulated}


@dataclass(frozen=True)
class Column:
    """One column of a table; ``key`` is what charts refer to."""

    key: str
    title: str
    type: ColumnType = "text"
    unit: str | None = None

    def as_json(self) -> dict[str, Any]:
        """The wire form."""
        return _present({"key": self.key, "title": self.title, "type": self.type, "unit": self.unit})


@dataclass(frozen=True)
class Table:
    """Rows of cells, one cell per column.

    Raises:
        OutputError: a row has more or fewer cells than there are columns, or two columns share a key.
    """

    id: str
    title: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]

    def __post_init__(self) -> None:
        keys = [column.key for column in self.columns]
        if len(set(keys)) != len(keys):
            raise OutputError(f"table {self.id!r} has two columns with one key: {keys}; give each its own")
        for number, row in enumerate(self.rows):
            if len(row) != len(keys):
                raise OutputError(f"table {self.id!r}, row {number}: {len(row)} cells for {len(keys)} columns")

    def as_json(self) -> dict[str, Any]:
        """The wire form."""
        columns = [column.as_json() for column in self.columns]
        return {"id": self.id, "title": self.title, "columns": columns, "rows": [list(row) for row in self.rows]}


@dataclass(frozen=True)
class Chart:
    """A drawing of columns of one table; it holds no numbers of its own."""

    id: str
    title: str
    table: str
    kind: ChartKind
    x: str
    y: Sequence[str]
    stacked: bool = False

    def as_json(self) -> dict[str, Any]:
        """The wire form."""
        drawing = {"id": self.id, "title": self.title, "table": self.table, "kind": self.kind}
        return {**drawing, "x": self.x, "y": list(self.y), "stacked": self.stacked}


@dataclass(frozen=True)
class Link:
    """A way from the answer to the data behind it."""

    title: str
    uri: str
    media_type: str | None = None

    def as_json(self) -> dict[str, Any]:
        """The wire form."""
        return _present({"title": self.title, "uri": self.uri, "media_type": self.media_type})


@dataclass(frozen=True)
class Notice:
    """The force message (seed 2): shown to the user above the model, never sent to the model."""

    level: NoticeLevel
    text: str

    def as_json(self) -> dict[str, Any]:
        """The wire form."""
        return {"level": self.level, "text": self.text}


@dataclass(frozen=True)
class ToolOutput:
    """One tool's result.

    ``text`` is a plain summary for the model, ``data`` a JSON object that fits the tool's data schema, ``meta`` what
    the core passes on in ``_meta`` under the prefix ``tzzr/``: ``attempts``, ``simulated``, ``invented``, ``cached``.

    Raises:
        OutputError: a chart names a table or a column that is not there.
    """

    text: str
    data: Mapping[str, Any]
    source: Source
    tables: Sequence[Table] = ()
    charts: Sequence[Chart] = ()
    links: Sequence[Link] = ()
    notice: Notice | None = None
    meta: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        columns = {table.id: {column.key for column in table.columns} for table in self.tables}
        for chart in self.charts:
            if chart.table not in columns:
                raise OutputError(f"chart {chart.id!r} draws table {chart.table!r}; there are {sorted(columns)}")
            if missing := {chart.x, *chart.y} - columns[chart.table]:
                known = sorted(columns[chart.table])
                raise OutputError(f"chart {chart.id!r} draws columns {sorted(missing)}; table has {known}")

    def structured(self) -> dict[str, Any]:
        """The wire form of ``structuredContent``: always an object, empty parts left out."""
        parts: dict[str, Any] = {"source": self.source.as_json(), "data": dict(self.data)}
        for name in ("tables", "charts", "links"):
            if items := getattr(self, name):
                parts[name] = [item.as_json() for item in items]
        if self.notice is not None:
            parts["notice"] = self.notice.as_json()
        return parts


def _present(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def _object(required: Mapping[str, Any], optional: Mapping[str, Any]) -> dict[str, Any]:
    properties = {**required, **optional}
    return {"type": "object", "properties": properties, "required": list(required)}


_TEXT = {"type": "string"}
_SOURCE = _object(
    {
        "name": _TEXT,
        "kind": {"enum": ["service", "dataset", "computation"]},
        "retrieved_at": {"type": "string", "format": "date-time"},
        "simulated": {"type": "boolean"},
    },
    {"url": _TEXT, "license": _TEXT},
)
_COLUMN = _object(
    {"key": _TEXT, "title": _TEXT, "type": {"enum": ["text", "integer", "number", "date", "boolean"]}},
    {"unit": _TEXT},
)
_ROW = {"type": "array", "items": {"type": ["string", "number", "boolean", "null"]}}
_TABLE = _object(
    {
        "id": _TEXT,
        "title": _TEXT,
        "columns": {"type": "array", "items": _COLUMN},
        "rows": {"type": "array", "items": _ROW},
    },
    {},
)
_CHART = _object(
    {
        "id": _TEXT,
        "title": _TEXT,
        "table": _TEXT,
        "kind": {"enum": ["line", "bar", "area", "pie"]},
        "x": _TEXT,
        "y": {"type": "array", "items": _TEXT, "minItems": 1},
    },
    {"stacked": {"type": "boolean"}},
)
_LINK = _object({"title": _TEXT, "uri": _TEXT}, {"media_type": _TEXT})
_NOTICE = _object({"level": {"enum": ["info", "warning", "error"]}, "text": _TEXT}, {})


def output_schema(data_schema: Mapping[str, Any]) -> dict[str, Any]:
    """The JSON Schema of a tool's ``structuredContent`` whose ``data`` fits ``data_schema`` (CONTRACT §5)."""
    return _object(
        {"source": _SOURCE, "data": dict(data_schema)},
        {
            "tables": {"type": "array", "items": _TABLE},
            "charts": {"type": "array", "items": _CHART},
            "links": {"type": "array", "items": _LINK},
            "notice": _NOTICE,
        },
    )
