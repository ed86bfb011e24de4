"""SQL values as JSON values: booleans, JSON columns, timestamps, field functions."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from tzzr_mocks.hst.dialects import Dialect
from tzzr_mocks.hst.query.instants import instant, written
from tzzr_mocks.hst.query.javascript import whole
from tzzr_mocks.hst.query.model import FieldRef
from tzzr_mocks.hst.schemas import Collection, FieldType

Convert = Callable[[Any], Any]

_BOOLEANS = {1: True, 0: False, "1": True, "0": False, "": None}


def boolean(value: Any) -> Any:
    """What Directus' ``cast-boolean`` makes of a stored value; what it does not know stays."""
    return _BOOLEANS.get(value, value)


def document(value: Any) -> Any:
    """A stored JSON value; a text that is no JSON stays a text."""
    if not isinstance(value, str):
        return _number(value)
    try:
        return json.loads(value, parse_float=lambda digits: whole(float(digits)))
    except ValueError:
        return value


def timestamp(value: Any) -> Any:
    """Milliseconds as ISO 8601; anything else stays."""
    return written(instant(value)) if isinstance(value, int | float) else value


def _number(value: Any) -> Any:
    return whole(value) if isinstance(value, float) else value


_CONVERTERS: dict[FieldType, Convert] = {
    FieldType.BOOLEAN: boolean,
    FieldType.JSON: document,
    FieldType.TIMESTAMP: timestamp,
}


def converter(ref: FieldRef, collection: Collection, dialect: Dialect) -> Convert:
    """The function that turns one column's SQL values into JSON values."""
    if ref.function == "json":
        return document
    if ref.function is not None:
        function = ref.function
        return lambda value: dialect.computed(function, value)
    return type_converter(collection.by_name[ref.name].type)


def type_converter(kind: FieldType) -> Convert:
    """The same for a plain column of a type."""
    return _CONVERTERS.get(kind, _number)
