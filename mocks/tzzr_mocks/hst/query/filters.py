"""Second stage: a filter as JSON becomes a typed tree over one collection's fields.

What Directus drops without narrowing (a field inside a plain field, ``_some``, ``_between`` without two ends) becomes
an empty `AllOf`.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from tzzr_mocks.hst.errors import Refusal, invalid_query
from tzzr_mocks.hst.instants import is_now, read_instant, read_now
from tzzr_mocks.hst.javascript import to_number
from tzzr_mocks.hst.query.filter_shape import LISTS, LOGIC, RELATIONS
from tzzr_mocks.hst.query.functions import check_filter_function, parse_ref, result_type
from tzzr_mocks.hst.query.json_filters import build_json
from tzzr_mocks.hst.query.model import AllOf, AnyOf, Condition, FieldRef, Filter
from tzzr_mocks.hst.query.operators import OPERATORS
from tzzr_mocks.hst.schemas import Collection, FieldType

NOTHING = AllOf()
"""Narrows nothing."""

_OPPOSITE = {"_null": "_nnull", "_nnull": "_null", "_empty": "_nempty", "_nempty": "_empty"}


def build(tree: dict[str, Any] | None, collection: Collection, now: Callable[[], datetime]) -> Filter:
    """Give types to a filter whose names are already known to exist.

    Raises:
        Refusal: 400, an operator or function that the field's type does not take, or a value that is no number.
    """
    if not tree:
        return NOTHING
    builder = _Builder(collection, now)
    try:
        return builder.group(tree)
    except Refusal:
        builder.refuse_outermost(tree)
        raise


class _Builder:
    def __init__(self, collection: Collection, now: Callable[[], datetime]) -> None:
        self.collection = collection
        self.now = now

    def group(self, tree: dict[str, Any]) -> Filter:
        """A mapping of fields and logic: all of its parts hold."""
        parts = tuple(self.part(key, value) for key, value in tree.items())
        return parts[0] if len(parts) == 1 else AllOf(parts)

    def refuse_outermost(self, tree: dict[str, Any]) -> None:
        """Of several mistakes the one least deep in ``_and`` and ``_or`` is named.

        Raises:
            Refusal: that one.
        """
        waiting = [tree]
        for group in waiting:
            for key, value in group.items():
                if key in LOGIC:
                    waiting.extend(value)
                else:
                    self.part(key, value)

    def part(self, key: str, value: Any) -> Filter:
        """One key: logic over groups, or a field with its operators; a relation narrows nothing."""
        if key in LOGIC:
            if key == "_or" and {} in value:
                return NOTHING
            return _joined(key, tuple(self.group(part) for part in value))
        if key in RELATIONS:
            return NOTHING
        ref = parse_ref(key)
        check_filter_function(ref, key, self.collection)
        return self.operators(ref, value)

    def operators(self, ref: FieldRef, tree: dict[str, Any]) -> Filter:
        """What is asked of one field: all of it holds."""
        parts = tuple(self.operation(ref, key, value) for key, value in tree.items())
        return parts[0] if len(parts) == 1 else AllOf(parts)

    def operation(self, ref: FieldRef, key: str, value: Any) -> Filter:
        """One operator of a field, or logic over several.

        Raises:
            Refusal: 400, the field's type does not take the operator.
        """
        if key in LOGIC:
            return _joined(key, tuple(self.operators(ref, part) for part in value))
        if not key.startswith("_") or key in RELATIONS:
            return NOTHING
        kind = result_type(ref, self.collection)
        if key not in OPERATORS[kind]:
            raise invalid_query(f'"{kind}" field type does not contain the "{key}" filter operator')
        if key == "_json":
            return build_json(ref, value)
        return self.condition(ref, kind, key, value)

    def condition(self, ref: FieldRef, kind: FieldType, operator: str, value: Any) -> Filter:
        """An operator with its operands typed; what is asked of ``null``, or turned round by ``false``, by its own name."""
        if operator in _OPPOSITE:
            return Condition(ref, _OPPOSITE[operator] if value is False else operator, None)
        if value is None and operator in ("_eq", "_neq"):
            return Condition(ref, "_null" if operator == "_eq" else "_nnull", None)
        if operator not in LISTS:
            return Condition(ref, operator, self.operand(kind, value))
        operands = tuple(self.operand(kind, item) for item in value)
        if operator in ("_between", "_nbetween") and len(value) != 2:
            return NOTHING
        return Condition(ref, operator, operands)

    def operand(self, kind: FieldType, value: Any) -> Any:
        """A value as the column holds it.

        Raises:
            Refusal: 400, no number where one must be.
        """
        if kind is FieldType.INTEGER:
            number = read_now(value, self.now) if is_now(value) else to_number(value)
            if number is None:
                raise invalid_query("Invalid numeric value")
            return number
        if value is None:
            return None
        return read_instant(value, self.now) if kind is FieldType.TIMESTAMP else value


def _joined(key: str, parts: tuple[Filter, ...]) -> Filter:
    """Parts that narrow nothing are left out, of an ``_or`` too."""
    narrowing = tuple(part for part in parts if part != NOTHING)
    return AnyOf(narrowing) if key == "_or" and narrowing else AllOf(narrowing)
