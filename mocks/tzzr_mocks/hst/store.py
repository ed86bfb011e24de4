"""The rows: one SQLite database in memory. It knows SQL and collections, nothing of HTTP."""

from __future__ import annotations

import sqlite3
import weakref
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from tzzr_mocks.hst.dialects import Dialect
from tzzr_mocks.hst.instants import read_instant
from tzzr_mocks.hst.query.sql import Sql
from tzzr_mocks.hst.schemas import TAG_COLLECTIONS, Collection, Field, FieldType

_COLUMN_TYPES = {
    FieldType.INTEGER: "integer",
    FieldType.STRING: "varchar(255)",
    FieldType.TEXT: "text",
    FieldType.BOOLEAN: "boolean",
    FieldType.JSON: "json",
    FieldType.TIMESTAMP: "datetime",
}
"""The column types that Directus declares on SQLite; their affinities decide what a wrong value becomes."""


class Store:
    """Collections and their rows."""

    def __init__(self, dialect: Dialect) -> None:
        self.dialect = dialect
        self.collections: dict[str, Collection] = {collection.name: collection for collection in TAG_COLLECTIONS}
        self._connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        dialect.prepare(self._connection)
        # Worlds come and go without a farewell; a database that is left open is a warning from Python 3.13 on.
        weakref.finalize(self, self._connection.close)

    def fill(self, rows: Mapping[str, Iterable[Mapping[str, Any]]]) -> None:
        """Make every collection anew with these rows."""
        self.collections = {collection.name: collection for collection in TAG_COLLECTIONS}
        for name, collection in self.collections.items():
            self._connection.execute(f'DROP TABLE IF EXISTS "{name}"')
            self._connection.execute(_create_table(collection))
            with self.transaction():
                self._load(collection, rows.get(name, ()))

    def copy(self, other: Store) -> None:
        """Become the same as another store: its rows, its collections."""
        self.collections = dict(other.collections)
        other._connection.backup(self._connection)

    def _load(self, collection: Collection, rows: Iterable[Mapping[str, Any]]) -> None:
        names = [field.name for field in collection.fields]
        columns = ", ".join(f'"{name}"' for name in names)
        insert = f'INSERT INTO "{collection.name}" ({columns}) VALUES ({", ".join("?" * len(names))})'  # noqa: S608
        self._connection.executemany(insert, (self._values(collection, row) for row in rows))

    def _values(self, collection: Collection, row: Mapping[str, Any]) -> list[Any]:
        return [self._kept(field, row.get(field.name), collection.name) for field in collection.fields]

    def _kept(self, field: Field, value: Any, collection: str) -> Any:
        if field.type is FieldType.TIMESTAMP and value is not None:
            return read_instant(value, _no_clock)
        return self.dialect.stored(value, field, collection)

    def rows(self, statement: Sql) -> list[tuple[Any, ...]]:
        """Every row of a SELECT.

        Raises:
            sqlite3.Error: what SQLite says.
        """
        return self._connection.execute(statement.text, statement.values).fetchall()

    def number(self, statement: Sql) -> int:
        """The one number that a SELECT yields."""
        return int(self.rows(statement)[0][0])

    def change(self, text: str, values: Sequence[Any] = ()) -> sqlite3.Cursor:
        """Run an INSERT, UPDATE or DELETE.

        Raises:
            sqlite3.IntegrityError: a constraint holds.
        """
        return self._connection.execute(text, values)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All of what happens inside, or nothing."""
        self._connection.execute("BEGIN")
        try:
            yield
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")

    def skip_ids(self, collection: str, count: int) -> None:
        """Let the next automatic ids be further on."""
        (last,) = self._connection.execute(
            "SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = ?", (collection,)
        ).fetchone()
        self._connection.execute("DELETE FROM sqlite_sequence WHERE name = ?", (collection,))
        self._connection.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", (collection, last + count))

    def rename_field(self, collection: str, old: str, new: str) -> None:
        """What somebody with rights on the schema may do at any time."""
        self._connection.execute(f'ALTER TABLE "{collection}" RENAME COLUMN "{old}" TO "{new}"')
        self.collections[collection] = self.collections[collection].renamed(old, new)


def _no_clock() -> Any:
    raise ValueError("a stored timestamp is an instant, not $NOW")


def _create_table(collection: Collection) -> str:
    columns = ", ".join(_column(field) for field in collection.fields)
    return f'CREATE TABLE "{collection.name}" ({columns})'


def _column(field: Field) -> str:
    if field.primary:
        return f'"{field.name}" integer NOT NULL PRIMARY KEY AUTOINCREMENT'
    null = "NOT NULL" if field.required else "NULL"
    return f'"{field.name}" {_COLUMN_TYPES[field.type]} {null}{" UNIQUE" if field.unique else ""}'
