"""Which operators each type of field takes (directus.md §4.3)."""

from __future__ import annotations

from tzzr_mocks.hst.schemas import FieldType

_NULLS = frozenset({"_null", "_nnull"})
_EMPTY = frozenset({"_empty", "_nempty"})
_EQUAL = frozenset({"_eq", "_neq"})
_MANY = frozenset({"_in", "_nin"})
_ORDER = frozenset({"_lt", "_lte", "_gt", "_gte", "_between", "_nbetween"})
_PATTERNS = frozenset(
    [
        "_contains",
        "_icontains",
        "_ncontains",
        "_starts_with",
        "_istarts_with",
        "_nstarts_with",
        "_nistarts_with",
        "_ends_with",
        "_iends_with",
        "_nends_with",
        "_niends_with",
    ]
)
_TEXT = _NULLS | _EMPTY | _EQUAL | _MANY | _PATTERNS

OPERATORS: dict[FieldType, frozenset[str]] = {
    FieldType.STRING: _TEXT,
    FieldType.TEXT: _TEXT,
    FieldType.INTEGER: _NULLS | _EQUAL | _MANY | _ORDER,
    FieldType.BOOLEAN: _NULLS | _EQUAL,
    FieldType.JSON: _NULLS | {"_json"},
    FieldType.TIMESTAMP: _NULLS | _EMPTY | _EQUAL | _MANY | _ORDER | {"_contains", "_ncontains"},
}
"""Operators by type; what is not here is refused with 400."""
