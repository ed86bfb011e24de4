"""Reading items: from a query and an asker to rows, figures and counts. The pipeline of `tzzr_mocks.hst.query`."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any

from tzzr_mocks.hst.accounts import Account
from tzzr_mocks.hst.dialects import DIALECTS, Dialect
from tzzr_mocks.hst.errors import Unexpected, forbidden, forbidden_collection
from tzzr_mocks.hst.javascript import to_number
from tzzr_mocks.hst.query.filters import build
from tzzr_mocks.hst.query.functions import parse_ref
from tzzr_mocks.hst.query.model import AllOf, AnyOf, Condition, FieldRef, Filter, Query
from tzzr_mocks.hst.query.names import check_existing, check_names
from tzzr_mocks.hst.query.outputs import Output, asked_fields, outputs
from tzzr_mocks.hst.query.sql import Compiler, Sql, always
from tzzr_mocks.hst.query.statement import figures, select_count, select_figures, select_rows, shown
from tzzr_mocks.hst.rows import RowShape, converter, type_converter
from tzzr_mocks.hst.schemas import SYSTEM_COLLECTIONS, Collection, FieldType
from tzzr_mocks.hst.store import Store

Json = Any


@dataclass(frozen=True)
class Found:
    """What a query yields: rows (or bare keys, or groups) and the counts that ``meta`` asked for."""

    rows: list[Json]
    meta: dict[str, int] | None = None


class Items:
    """Reads the items of a store."""

    def __init__(self, store: Store, now: Callable[[], datetime]) -> None:
        self._store = store
        self._now = now

    def collection(self, name: str) -> Collection:
        """The collection called ``name``.

        Raises:
            Refusal: 403, there is none; Directus' own tables are refused with the short form.
        """
        if name in SYSTEM_COLLECTIONS:
            raise forbidden()
        if name not in self._store.collections:
            raise forbidden_collection(name)
        return self._store.collections[name]

    def read(self, name: str, query: Query, account: Account) -> Found:
        """The answer to a list query.

        Raises:
            Refusal: 403, the collection or a field may not be seen; 400, an operator or function that does not fit.
        """
        reading = self._reading(name, query, account)
        rows = reading.figures() if query.aggregated else reading.rows()
        return Found(rows, reading.meta() if query.meta else None)

    def read_keys(self, name: str, keys: list[Any], query: Query, account: Account) -> Found:
        """The rows among ``keys`` that fit the query, in its order; the counts know nothing of the keys."""
        reading = self._reading(name, query, account)
        meta = reading.meta() if query.meta else None
        numbers = tuple(self._key(key, self.collection(name)) for key in keys)
        reading.narrow(Condition(FieldRef("id"), "_in", numbers))
        return Found(reading.figures() if query.aggregated else reading.rows(), meta)

    def _key(self, key: Any, collection: Collection) -> Any:
        number = to_number(key)
        if not isinstance(number, int):
            raise forbidden()
        return self._store.dialect.key(number, collection)

    def _reading(self, name: str, query: Query, account: Account) -> _Reading:
        collection = self.collection(name)
        others = check_existing(query, collection)
        visible = account.visible(collection)
        check_names(query, others, collection, visible)
        granted = build(dict(account.grant(name).rows or {}), collection, self._now)
        asked = build(query.filter, collection, self._now)
        compiler = Compiler(collection, self._store.dialect)
        columns = _columns(
            asked_fields(query), tuple(query.alias.items()), collection, visible, self._store.dialect.name
        )
        searched = search_filter(query.search, collection, visible)
        return _Reading(self._store, compiler, query, granted, (asked, searched), columns)


class _Columns:
    """The columns of an answer: their SQL, and how they lie in a row; ``bare`` where the answer is keys alone."""

    def __init__(self, columns: Sequence[Output], collection: Collection, dialect: Dialect) -> None:
        self.bare = not columns
        self.sql = shown(columns, dialect)
        self.shape = RowShape((output.key, converter(output.ref, collection, dialect)) for output in columns)


@lru_cache(maxsize=64)  # a client asks for the same fields again and again
def _columns(
    asked: tuple[str, ...],
    aliases: tuple[tuple[str, str], ...],
    collection: Collection,
    visible: frozenset[str],
    dialect: str,
) -> _Columns:
    return _Columns(outputs(asked, dict(aliases), collection, visible), collection, DIALECTS[dialect]())


class _Reading:
    """One query, compiled and run."""

    def __init__(
        self,
        store: Store,
        compiler: Compiler,
        query: Query,
        granted: Filter,
        narrowed: tuple[Filter, ...],
        columns: _Columns,
    ) -> None:
        self._store = store
        self._compiler = compiler
        self._query = query
        self._granted = granted
        self._where = _both(granted, *narrowed)
        self._columns = columns

    def narrow(self, condition: Filter) -> None:
        """Read only the rows that fit this condition too."""
        self._where = _both(self._where, condition)

    def rows(self) -> list[Json]:
        """The rows, as an answer shows them; keys alone where no column was asked for.

        Raises:
            Unexpected: the database refuses the statement.
        """
        found = self._run(select_rows(self._compiler, self._query, self._where, self._columns.sql))
        if self._columns.bare:
            return [row[0] for row in found]
        return [self._columns.shape.row(row[1:]) for row in found]

    def meta(self) -> dict[str, int]:
        """The counts, in the order in which they were asked for."""
        where = {"total_count": self._granted, "filter_count": self._where}
        return {word: self._store.number(select_count(self._compiler, where[word])) for word in self._query.meta}

    def figures(self) -> list[Json]:
        """One row per group of what was aggregated.

        Raises:
            Unexpected: the database refuses the statement.
        """
        found = self._run(select_figures(self._compiler, self._query, self._where))
        shape = _FigureShape(self._query, self._compiler.collection, self._store)
        return [shape.row(values) for values in found]

    def _run(self, statement: Sql) -> list[tuple[Any, ...]]:
        try:
            return self._store.rows(statement)
        except sqlite3.Error as error:
            raise Unexpected(str(error)) from error


class _FigureShape:
    """How groups and figures lie in an answer's row."""

    def __init__(self, query: Query, collection: Collection, store: Store) -> None:
        self._dialect = store.dialect
        groups = [parse_ref(name) for name in query.group or ()]
        self._count = len(groups)
        self._groups = RowShape((ref.key, converter(ref, collection, store.dialect)) for ref in groups)
        self._collection = collection
        self._figures = figures(query)

    def row(self, values: tuple[Any, ...]) -> dict[str, Any]:
        """A row of the database as an answer shows it: groups first, then ``{function: {field: figure}}``."""
        row = self._groups.row(values)
        for (function, name), value in zip(self._figures, values[self._count :], strict=False):
            if name == "*":
                row[function] = self._dialect.figure(function, value, FieldType.INTEGER)
            else:
                row.setdefault(function, {})[name] = self._shown(function, name.strip(), value)
        return row

    def _shown(self, function: str, name: str, value: Any) -> Any:
        kind = self._collection.by_name[name].type
        figure = value if function in ("min", "max") else self._dialect.figure(function, value, kind)
        convert = type_converter(kind)
        return figure if convert is None else convert(figure)


def _both(*filters: Filter) -> Filter:
    parts = tuple(part for part in filters if not always(part))
    return parts[0] if len(parts) == 1 else AllOf(parts)


def search_filter(text: str | None, collection: Collection, visible: Any) -> Filter:
    """``search``: the phrase in any text field, or the number in any integer field."""
    if text is None:
        return AllOf()
    number = to_number(text)
    whole = isinstance(number, int) and str(number) == text
    parts: list[Filter] = []
    for field in collection.fields:
        if field.name not in visible:
            continue
        if field.type in (FieldType.STRING, FieldType.TEXT):
            parts.append(Condition(FieldRef(field.name), "_icontains", text))
        elif field.type is FieldType.INTEGER and whole:
            parts.append(Condition(FieldRef(field.name), "_eq", number))
    return AnyOf(tuple(parts))
