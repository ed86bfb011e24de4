"""SQL values as JSON values: booleans, JSON columns, timestamps, field functions."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from functools import lru_cache, partial
from typing import Any

from tzzr_mocks.hst.dialects import Dialect
from tzzr_mocks.hst.instants import written_far
from tzzr_mocks.hst.javascript import key_order, whole
from tzzr_mocks.hst.query.model import FieldRef
from tzzr_mocks.hst.schemas import Collection, FieldType

Convert = Callable[[Any], Any]
"""One SQL value to one JSON value."""

_DECODER = json.JSONDecoder(
    parse_float=lambda digits: whole(float(digits)), object_pairs_hook=lambda pairs: key_order(dict(pairs))
)
"""JavaScript's numbers and its order of keys."""
_BOOLEANS = {1: True, 0: False, "1": True, "0": False, "": None}


def boolean(value: Any) -> Any:
    """What Directus' ``cast-boolean`` makes of a stored value; what it does not know stays."""
    return _BOOLEANS.get(value, value)


def document(value: Any) -> Any:
    """A stored JSON value; a text that is no JSON stays a text."""
    if not isinstance(value, str):
        return whole(value)
    try:
        return _DECODER.decode(value)
    except ValueError:
        return value


@lru_cache(maxsize=8192)
def timestamp(value: Any) -> Any:
    """Milliseconds as ISO 8601; zero and anything that is no number stays."""
    return written_far(value) if isinstance(value, int | float) and value else value


_CONVERTERS: dict[FieldType, Convert] = {
    FieldType.INTEGER: whole,
    FieldType.BOOLEAN: boolean,
    FieldType.JSON: document,
    FieldType.TIMESTAMP: timestamp,
}


def converter(ref: FieldRef, collection: Collection, dialect: Dialect) -> Convert | None:
    """The function that turns one column's SQL values into JSON values; None where they are the same."""
    if ref.function == "json":
        return document
    if ref.function is not None:
        return partial(dialect.computed, ref.function)
    return type_converter(collection.by_name[ref.name].type)


def type_converter(kind: FieldType) -> Convert | None:
    """The same for a plain column of a type."""
    return _CONVERTERS.get(kind)


class RowShape:
    """The keys of a row, and the few of them whose values must be converted."""

    def __init__(self, columns: Iterable[tuple[str, Convert | None]]) -> None:
        pairs = list(columns)
        self._keys = [key for key, _ in pairs]
        self._converted = [(key, convert) for key, convert in pairs if convert is not None]

    def row(self, values: Iterable[Any]) -> dict[str, Any]:
        """The row as an object; values beyond the keys are left out."""
        row = dict(zip(self._keys, values, strict=False))
        for key, convert in self._converted:
            row[key] = convert(row[key])
        return row
