"""SQLite, as Directus uses it."""

from __future__ import annotations

import json
import math
import sqlite3
from typing import Any

from tzzr_mocks.hst.javascript import whole
from tzzr_mocks.hst.schemas import Collection, Field, FieldType

_FORMATS = {
    "year": "%Y", "month": "%m", "week": "%W", "day": "%d", "weekday": "%w", "hour": "%H", "minute": "%M", "second": "%S",
}  # fmt: skip
_DECLARED = {
    FieldType.INTEGER: "integer",
    FieldType.STRING: "varchar",
    FieldType.TEXT: "text",
    FieldType.BOOLEAN: "boolean",
    FieldType.JSON: "json",
    FieldType.TIMESTAMP: "datetime",
}
_INT32 = 2**31
_LARGEST = 10**308

FIGURES = {
    "count": "COUNT({})",
    "countDistinct": "COUNT(DISTINCT {})",
    "sum": "SUM({})",
    "sumDistinct": "SUM(DISTINCT {})",
    "avg": "AVG({})",
    "avgDistinct": "AVG(DISTINCT {})",
    "min": "MIN({})",
    "max": "MAX({})",
}
"""The figures that Directus knows, but for ``countAll``."""


def number(value: float) -> int | float:
    """How a number is bound: as an integer while it has 32 bits, as Node's driver does."""
    if isinstance(value, int) and -_INT32 <= value < _INT32:
        return value
    return float(value) if abs(value) < _LARGEST else math.copysign(math.inf, value)


class Sqlite:
    """NULLs first, code-point order, ASCII case folding: what SQLite does by itself."""

    name = "sqlite"
    client = "sqlite3"
    burns_ids = False

    def prepare(self, connection: sqlite3.Connection) -> None:
        """Nothing: the SQL is SQLite's own."""

    def function(self, name: str) -> str:
        """``strftime`` of the milliseconds, or the length of a JSON array."""
        if name == "count":
            return "json_array_length({})"
        return f"CAST(strftime('{_FORMATS[name]}', {{}} / 1000, 'unixepoch') AS INTEGER)"

    def bind(self, value: Any, operator: str, kind: FieldType) -> Any:
        """Booleans are numbers, numbers keep the driver's width."""
        if isinstance(value, bool):
            return int(value)
        return number(value) if isinstance(value, int | float) else value

    def check(self, operator: str, text: str, kind: FieldType) -> None:
        """SQLite compares anything with anything."""

    def sort_key(self, expression: str, kind: FieldType, *, descending: bool) -> str:
        """SQLite's own order."""
        return f"{expression} {'DESC' if descending else 'ASC'}"

    def figure(self, function: str, value: Any, kind: FieldType) -> Any:
        """Numbers as JavaScript prints them."""
        return whole(value) if isinstance(value, float) else value

    def check_figure(self, function: str, kind: FieldType) -> None:
        """SQLite computes anything."""

    def computed(self, function: str, value: Any) -> Any:
        """The number itself."""
        return value

    def figure_sql(self, function: str, kind: FieldType) -> str:
        """SQLite's own aggregates."""
        return FIGURES[function]

    def key(self, number: int, collection: Collection) -> Any:
        """The number itself, in range or not."""
        return number if abs(number) < 2**63 else float(number)

    def stored(self, value: Any, field: Field, collection: str) -> Any:
        """Anything goes into any column; objects and lists are kept as text."""
        if isinstance(value, dict | list):
            return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        return self.bind(value, "", field.type)

    def describe(self, field: Field, collection: str) -> dict[str, Any]:
        """The column as SQLite's table info has it."""
        return {
            "name": field.name,
            "table": collection,
            "data_type": _DECLARED[field.type],
            "default_value": None,
            "max_length": 255 if field.type is FieldType.STRING else None,
            "numeric_precision": None,
            "numeric_scale": None,
            "is_generated": False,
            "generation_expression": None,
            "is_nullable": not (field.required or field.primary),
            "is_unique": field.unique,
            "is_indexed": False,
            "is_primary_key": field.primary,
            "has_auto_increment": field.primary,
            "foreign_key_column": None,
            "foreign_key_table": None,
        }
