"""Writing items, as the admin may: create, update, delete, each whole or not at all."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from tzzr_mocks.hst.accounts import Account
from tzzr_mocks.hst.errors import (
    Refusal,
    Unexpected,
    failed_validation,
    forbidden,
    forbidden_action,
    forbidden_collection,
    invalid_payload,
    not_unique,
)
from tzzr_mocks.hst.instants import NOT_A_DATE, milliseconds, read_instant
from tzzr_mocks.hst.items import Items
from tzzr_mocks.hst.javascript import to_number
from tzzr_mocks.hst.schemas import Collection, Field, FieldType
from tzzr_mocks.hst.store import Store

_UNIQUE = re.compile(r"UNIQUE constraint failed: (\w+)\.(\w+)")


class _BadValue(ValueError):
    """What the database says to a value of the wrong type."""


class Writes:
    """Changes the items of a store."""

    def __init__(self, store: Store, items: Items, now: Callable[[], datetime]) -> None:
        self._store = store
        self._items = items
        self._now = now
        self._taken = 0

    def create(self, name: str, rows: Sequence[Any], account: Account) -> list[int]:
        """Insert the rows and return their keys.

        Raises:
            Refusal: 403, not allowed; 400, a value missing, NULL or taken.
        """
        if not rows:
            self._items.collection(name)
            return []
        collection = self._allowed(name, account)
        self._taken = 0
        try:
            with self._store.transaction():
                return [self._insert(collection, row) for row in rows]
        except Refusal:
            if self._store.dialect.burns_ids and self._taken:
                self._store.skip_ids(name, self._taken)
            raise

    def update(self, name: str, keys: Sequence[Any], values: Mapping[str, Any], account: Account) -> list[int]:
        """Change the rows with these keys; unknown keys are no mistake, the primary key never changes.

        Raises:
            Refusal: as `create`.
        """
        numbers = [_key(key) for key in keys]
        if not account.admin and not keys:
            raise forbidden_action("update", name)
        collection = self._allowed(name, account)
        with self._store.transaction():
            for number in numbers:
                self._change(collection, number, values)
        return numbers

    def update_each(self, name: str, rows: Sequence[Any], account: Account) -> list[int]:
        """Change each row that is named by its own primary key.

        Raises:
            Refusal: 400, a row without it; else as `create`.
        """
        if not rows:
            self._items.collection(name)
            return []
        collection = self._allowed(name, account)
        if any(not isinstance(row, dict) or row.get("id") is None for row in rows):
            raise invalid_payload("Item in update misses primary key")
        with self._store.transaction():
            for row in rows:
                self._change(collection, _key(row["id"]), row)
        return [_key(row["id"]) for row in rows]

    def delete(self, name: str, keys: Sequence[Any], account: Account) -> None:
        """Delete the rows with these keys; unknown ones are no mistake.

        Raises:
            Refusal: 403, not allowed, or a key that is none.
        """
        collection = self._items.collection(name)
        numbers = [_key(key) for key in keys]
        if not account.admin:
            raise forbidden_collection(name) if keys else forbidden_action("delete", name)
        with self._store.transaction():
            for number in numbers:
                key = self._store.dialect.key(number, collection)
                self._store.change(f'DELETE FROM "{collection.name}" WHERE id = ?', (key,))  # noqa: S608

    def _allowed(self, name: str, account: Account) -> Collection:
        collection = self._items.collection(name)
        if not account.admin:
            raise forbidden_collection(name)
        return collection

    def _insert(self, collection: Collection, row: Any) -> int:
        if row is None:
            raise Unexpected("Cannot read properties of null (reading 'id')")
        given = row if isinstance(row, dict) else {}
        if "id" in given and given["id"] is None:
            raise failed_validation("id", "nnull", "Value can't be null")
        for field in collection.fields:
            if field.required and field.name not in given:
                raise failed_validation(field.name, "required", "Value is required")
        dated = {**given, "date_created": given.get("date_created")}
        try:
            values = self._values(collection, dated, created=True)
        except _BadValue as error:
            raise Unexpected(f"{_insert_text(collection, dated)} - {error}") from None
        if "id" in values and (number := _key(values["id"])):
            values["id"] = self._store.dialect.key(number, collection)
        else:
            values.pop("id", None)
            self._taken += 1
        names = ", ".join(f'"{name}"' for name in values)
        text = f'INSERT INTO "{collection.name}" ({names}) VALUES ({", ".join("?" * len(values))})'  # noqa: S608
        return int(self._run(collection, text, values, given).lastrowid or 0)

    def _change(self, collection: Collection, number: int, row: Mapping[str, Any]) -> None:
        try:
            values = self._values(collection, {**row, "date_updated": None}, created=False)
        except _BadValue as error:
            raise Unexpected(str(error)) from None
        values.pop("id", None)
        changes = ", ".join(f'"{name}" = ?' for name in values)
        text = f'UPDATE "{collection.name}" SET {changes} WHERE id = ?'  # noqa: S608
        self._run(collection, text, {**values, "key": self._store.dialect.key(number, collection)}, row)

    def _values(self, collection: Collection, row: Mapping[str, Any], *, created: bool) -> dict[str, Any]:
        """The columns to write, unknown fields left out."""
        stamp = "date-created" if created else "date-updated"
        found: dict[str, Any] = {}
        for field in collection.fields:
            if field.name in row and not (field.primary and row[field.name] is None):
                found[field.name] = self._value(collection, field, row[field.name], stamp)
        return found

    def _value(self, collection: Collection, field: Field, value: Any, stamp: str) -> Any:
        if value is None and field.required:
            raise failed_validation(field.name, "nnull", "Value can't be null")
        if field.type is FieldType.TIMESTAMP:
            return self._instant(value, stamped=stamp in field.special)
        if field.primary:
            return value
        try:
            return self._store.dialect.stored(value, field, collection.name)
        except ValueError as error:
            raise _BadValue(str(error)) from None

    def _instant(self, value: Any, *, stamped: bool) -> Any:
        """A given date must be one, even where the present instant takes its place."""
        if isinstance(value, bool | list | dict):
            raise Unexpected("value.toISOString is not a function")
        found = value if value in (None, "") else read_instant(value, self._now)
        if found == NOT_A_DATE:
            raise Unexpected("Invalid time value")
        return milliseconds(self._now()) if stamped else found

    def _run(
        self, collection: Collection, text: str, values: Mapping[str, Any], given: Mapping[str, Any]
    ) -> sqlite3.Cursor:
        try:
            return self._store.change(text, tuple(values.values()))
        except sqlite3.IntegrityError as error:
            raise _refused(error, collection, given) from None


def _insert_text(collection: Collection, row: Mapping[str, Any]) -> str:
    """The statement as PostgreSQL's driver repeats it."""
    names = sorted(name for name in collection.by_name if name in row)
    columns = ", ".join(f'"{name}"' for name in names)
    marks = ", ".join(f"${place}" for place in range(1, len(names) + 1))
    return f'insert into "{collection.name}" ({columns}) values ({marks}) returning "id"'  # noqa: S608 - told, not run


def _refused(error: sqlite3.IntegrityError, collection: Collection, values: Mapping[str, Any]) -> Refusal:
    found = _UNIQUE.search(str(error))
    return not_unique(collection.name, found[2], values[found[2]]) if found else Unexpected(str(error))


def _key(value: Any) -> int:
    number = to_number(value)
    if not isinstance(number, int):
        raise forbidden()
    return number
