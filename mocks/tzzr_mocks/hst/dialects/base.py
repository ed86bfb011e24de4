"""The questions that the compiler asks of a database."""

from __future__ import annotations

import sqlite3
from typing import Any, Protocol

from tzzr_mocks.hst.schemas import Collection, Field, FieldType


class Dialect(Protocol):
    """One database's ways. Stateless."""

    name: str
    client: str
    """What Directus calls the database in its health report."""
    burns_ids: bool
    """Whether an insert that fails uses up an id."""

    def prepare(self, connection: sqlite3.Connection) -> None:
        """Give the connection the functions and collations that the SQL relies on."""

    def function(self, name: str) -> str:
        """The SQL of a field function, with ``{}`` for the column."""

    def bind(self, value: Any, operator: str, kind: FieldType) -> Any:
        """A JSON value as a value for SQLite to compare a column of this type with.

        Raises:
            Refusal: 500, where the real database fails.
        """

    def check(self, operator: str, text: str, kind: FieldType) -> None:
        """Look at an operand of a pattern or of a state.

        Raises:
            Refusal: 500, where the real database fails.
        """

    def sort_key(self, expression: str, kind: FieldType, *, descending: bool) -> str:
        """One key of an ORDER BY.

        Raises:
            Refusal: 500, where the real database cannot order such a column.
        """

    def figure(self, function: str, value: Any, kind: FieldType) -> Any:
        """A figure (count, sum …) as the API shows it."""

    def check_figure(self, function: str, kind: FieldType) -> None:
        """Look at a figure before it is computed.

        Raises:
            Refusal: 500, where the real database cannot compute it.
        """

    def computed(self, function: str, value: Any) -> Any:
        """The value of a field function as the API shows it."""

    def figure_sql(self, function: str, kind: FieldType) -> str:
        """The SQL of a figure of a column of this type, with ``{}`` for the column."""

    def key(self, number: int, collection: Collection) -> Any:
        """A primary key from a path, as a value to bind.

        Raises:
            Refusal: 500, more than the column holds.
        """

    def stored(self, value: Any, field: Field, collection: str) -> Any:
        """A JSON value of a write as what the column keeps.

        Raises:
            Refusal: 400, what the database says to a value that the column does not take.
            ValueError: the same, where Directus answers 500 with the database's words.
        """

    def describe(self, field: Field, collection: str) -> dict[str, Any]:
        """The column, as ``/fields`` shows it."""
