"""``_json``: conditions on what lies inside a JSON column (Directus 12)."""

from __future__ import annotations

from typing import Any

from tzzr_mocks.hst.errors import invalid_query
from tzzr_mocks.hst.query.filter_shape import LISTS, SWITCHES, check_operand, long_operand
from tzzr_mocks.hst.query.model import AllOf, Condition, FieldRef, Filter
from tzzr_mocks.hst.query.operators import OPERATORS
from tzzr_mocks.hst.schemas import FieldType

_TAKEN = OPERATORS[FieldType.STRING] | OPERATORS[FieldType.INTEGER]


def build_json(ref: FieldRef, tree: Any) -> Filter:
    """``{"color": {"_eq": "rojo"}}`` on ``metadatos`` as conditions on ``json(metadatos, color)``.

    Raises:
        Refusal: 400, an unknown operator or a value that it does not take.
    """
    if not isinstance(tree, dict):
        return AllOf()
    return AllOf(tuple(part for key, value in tree.items() for part in _inner(ref, key, value)))


def _inner(ref: FieldRef, path: str, tree: Any) -> list[Filter]:
    if not isinstance(tree, dict):
        return [_condition(FieldRef(ref.name, "json", path), "_eq", tree)]
    found: list[Filter] = []
    for key, value in tree.items():
        if key.startswith("_"):
            found.append(_condition(FieldRef(ref.name, "json", path), key, value))
        else:
            found.extend(_inner(ref, f"{path}.{key}", value))
    return found


def _condition(ref: FieldRef, operator: str, value: Any) -> Filter:
    if operator not in _TAKEN:
        raise invalid_query(f'"json" field type does not contain the "{operator}" filter operator')
    operand = long_operand(operator, value)
    check_operand(operator, operand)
    if operator in ("_between", "_nbetween") and len(operand) != 2:
        return AllOf()
    if operator in SWITCHES:
        negative = {"_null": "_nnull", "_nnull": "_null", "_empty": "_nempty", "_nempty": "_empty"}
        return Condition(ref, negative[operator] if operand is False else operator, None)
    return Condition(ref, operator, tuple(operand) if operator in LISTS else operand)
