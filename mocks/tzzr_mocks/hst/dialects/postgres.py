"""PostgreSQL 15 with en_US.utf8, imitated on SQLite (directus.md §8)."""

from __future__ import annotations

import sqlite3
from typing import Any

from tzzr_mocks.hst.dialects import pg_functions, pg_values
from tzzr_mocks.hst.dialects.sqlite import Sqlite
from tzzr_mocks.hst.errors import Unexpected
from tzzr_mocks.hst.schemas import Collection, Field, FieldType

_TEXTS = (FieldType.STRING, FieldType.TEXT)
_DATA_TYPES = {
    FieldType.INTEGER: "integer",
    FieldType.STRING: "character varying",
    FieldType.TEXT: "text",
    FieldType.BOOLEAN: "boolean",
    FieldType.JSON: "json",
    FieldType.TIMESTAMP: "timestamp with time zone",
}


class Postgres(Sqlite):
    """NULLs last, the collation's order, exact case, texts for counts, and failures where types do not fit."""

    name = "postgres"
    client = "pg"
    burns_ids = True

    def prepare(self, connection: sqlite3.Connection) -> None:
        """PostgreSQL's LIKE, LOWER and collation."""
        pg_functions.install(connection)

    def function(self, name: str) -> str:
        """ISO weeks; an array's length fails on an object."""
        own = {"count": "pg_array_length({})", "week": "pg_week({})"}
        return own.get(name) or super().function(name)

    def bind(self, value: Any, operator: str, kind: FieldType) -> Any:
        """Exact types."""
        return None if value is None else pg_values.operand(value, kind)

    def check(self, operator: str, text: str, kind: FieldType) -> None:
        """Patterns and empty texts are for texts alone, and hold no NUL."""
        pg_values.checked_text(text)
        if kind is FieldType.TIMESTAMP and operator not in ("_null", "_nnull"):
            raise Unexpected("operator does not exist: timestamp with time zone ~~ unknown")

    def sort_key(self, expression: str, kind: FieldType, *, descending: bool) -> str:
        """NULLs last ascending, first descending; JSON has no order."""
        if kind is FieldType.JSON:
            raise Unexpected("could not identify an ordering operator for type json")
        collation = f" COLLATE {pg_functions.COLLATION}" if kind in _TEXTS else ""
        return f"{expression}{collation} {'DESC NULLS FIRST' if descending else 'ASC NULLS LAST'}"

    def figure_sql(self, function: str, kind: FieldType) -> str:
        """Averages are exact; the least text is the collation's."""
        if function in ("avg", "avgDistinct"):
            return "pg_avg(DISTINCT {})" if function == "avgDistinct" else "pg_avg({})"
        if function in ("min", "max") and kind in _TEXTS:
            return f"{function.upper()}({{}} COLLATE {pg_functions.COLLATION})"
        return super().figure_sql(function, kind)

    def figure(self, function: str, value: Any, kind: FieldType) -> Any:
        """Counts, sums and averages are texts."""
        return None if value is None else str(value)

    def check_figure(self, function: str, kind: FieldType) -> None:
        """Sums are of numbers; JSON and booleans have no least, and JSON cannot be grouped or told apart."""
        base = function.removesuffix("Distinct")
        fails = (
            (base in ("sum", "avg") and kind is not FieldType.INTEGER)
            or (base in ("min", "max") and kind in (FieldType.BOOLEAN, FieldType.JSON))
            or (function in ("group", "countDistinct") and kind is FieldType.JSON)
        )
        if fails:
            raise Unexpected(f"function {base}({_DATA_TYPES[kind]}) does not exist")

    def computed(self, function: str, value: Any) -> Any:
        """Parts of a date are texts, seconds with six decimals."""
        if function == "count" or value is None:
            return value
        return f"{value}.000000" if function == "second" else str(value)

    def key(self, number: int, collection: Collection) -> Any:
        """A primary key has 32 bits; the refusal tells the admin the whole statement."""
        try:
            return pg_values.integer(number)
        except OverflowError as error:
            name = collection.name
            columns = ", ".join(f'"{name}"."{field.name}"' for field in collection.fields)
            ending = f'where "{name}"."id" = $1 order by "{name}"."id" asc limit $2'
            raise Unexpected(f'select {columns} from "{name}" {ending} - {error}') from None  # noqa: S608 - told, not run

    def stored(self, value: Any, field: Field, collection: str) -> Any:
        """Exact types."""
        return pg_values.stored(value, field, collection)

    def describe(self, field: Field, collection: str) -> dict[str, Any]:
        """The column as PostgreSQL's information schema has it."""
        whole = field.type is FieldType.INTEGER
        return {
            "name": field.name,
            "table": collection,
            "data_type": _DATA_TYPES[field.type],
            "default_value": f"nextval('{collection}_id_seq'::regclass)" if field.primary else None,
            "generation_expression": None,
            "max_length": pg_values.VARCHAR if field.type is FieldType.STRING else None,
            "numeric_precision": 32 if whole else None,
            "numeric_scale": 0 if whole else None,
            "is_generated": False,
            "is_nullable": not (field.required or field.primary),
            "is_unique": field.unique or field.primary,
            "is_indexed": False,
            "is_primary_key": field.primary,
            "has_auto_increment": field.primary,
            "foreign_key_schema": None,
            "foreign_key_table": None,
            "foreign_key_column": None,
            "comment": None,
        }
