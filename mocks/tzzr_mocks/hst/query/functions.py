"""Functions of fields: ``year(date_created)``, ``count(metadatos)``, ``json(metadatos, color)``."""

from __future__ import annotations

import re
from functools import lru_cache

from tzzr_mocks.hst.errors import invalid_query
from tzzr_mocks.hst.query.json_paths import steps
from tzzr_mocks.hst.query.model import FieldRef
from tzzr_mocks.hst.schemas import Collection, FieldType

DATE_PARTS = ("year", "month", "week", "day", "weekday", "hour", "minute", "second")

_CALL = re.compile(r"([^(]*)\((.*)\)", re.DOTALL)


@lru_cache(maxsize=1024)
def parse_ref(text: str) -> FieldRef:
    """``year(date_created)`` as a reference; a plain name as itself."""
    call = _CALL.fullmatch(text)
    if call is None:
        return FieldRef(text)
    name, comma, path = call[2].partition(",")
    if call[1] == "json" and comma:
        return FieldRef(name.strip(), "json", path.strip())
    return FieldRef(call[2], call[1])


def check_function(ref: FieldRef, collection: Collection) -> None:
    """Refuse a function that is unknown or does not fit the field's type.

    Raises:
        Refusal: 400, naming the function.
    """
    if ref.function is None:
        return
    kind = collection.by_name[ref.name].type
    fits = (kind is FieldType.TIMESTAMP and ref.function in DATE_PARTS) or (
        kind is FieldType.JSON and ref.function in ("count", "json")
    )
    if not fits:
        raise invalid_query(f'Invalid function specified "{ref.function}"')
    if ref.function == "json":
        _check_path(ref.path)


def _check_path(path: str | None) -> None:
    if path is None:
        raise invalid_query("Invalid json() syntax: requires json(field, path) format")
    if not path:
        raise invalid_query("Invalid json() syntax: missing path")
    steps(path)


def check_filter_function(ref: FieldRef, key: str, collection: Collection) -> None:
    """The same for a key of a filter, where a type without any function makes the whole key a bad one.

    Raises:
        Refusal: 400, naming the key or the function.
    """
    if ref.function is None:
        return
    if collection.by_name[ref.name].type not in (FieldType.TIMESTAMP, FieldType.JSON):
        raise invalid_query(f'Invalid filter key "{key}" on "{collection.name}"')
    check_function(ref, collection)


def result_type(ref: FieldRef, collection: Collection) -> FieldType:
    """The type of what a reference yields."""
    if ref.function is None:
        return collection.by_name[ref.name].type
    return FieldType.JSON if ref.function == "json" else FieldType.INTEGER
