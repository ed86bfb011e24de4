"""``_json``: conditions on what lies inside a JSON column (Directus 12)."""

from __future__ import annotations

from typing import Any

from tzzr_mocks.hst.errors import Unexpected, invalid_query
from tzzr_mocks.hst.query.filter_shape import LISTS, LOGIC, SWITCHES, check_operand
from tzzr_mocks.hst.query.json_paths import steps
from tzzr_mocks.hst.query.model import AllOf, AnyOf, Condition, FieldRef, Filter
from tzzr_mocks.hst.query.operators import OPERATORS
from tzzr_mocks.hst.schemas import FieldType

NOTHING = AllOf()

_TAKEN = OPERATORS[FieldType.STRING] | OPERATORS[FieldType.INTEGER]
_OPPOSITE = {"_null": "_nnull", "_nnull": "_null", "_empty": "_nempty", "_nempty": "_empty"}


def build_json(ref: FieldRef, tree: dict[str, Any]) -> Filter:
    """``{"color": {"_eq": "rojo"}}`` on ``metadatos`` as conditions on ``json(metadatos, color)``.

    Raises:
        Refusal: 400, a path or a value that cannot be; 500 for a path without an operator, as recorded.
    """
    parts: list[Filter] = []
    for key, value in tree.items():
        if key in LOGIC:
            inner = tuple(build_json(ref, part) for part in value)
            parts.append(AnyOf(inner) if key == "_or" and inner else AllOf(inner))
        else:
            parts.extend(_conditions(FieldRef(ref.name, "json", key), value))
    return AllOf(tuple(part for part in parts if part != NOTHING))


def _conditions(ref: FieldRef, operators: dict[str, Any]) -> list[Filter]:
    path = ref.path or ""
    for name in operators:
        if not name.startswith("_"):
            use = f'use a single flat path like "{path}.{name}"'
            raise invalid_query(f'"_json" path "{path}" cannot contain a nested path "{name}"; {use}')
    steps(path)
    if not operators:
        raise Unexpected("Cannot read properties of undefined")
    return [_condition(ref, operator, value) for operator, value in operators.items()]


def _condition(ref: FieldRef, operator: str, operand: Any) -> Filter:
    if operator not in _TAKEN:
        return NOTHING
    check_operand(operator, operand)
    if operand is None and operator in ("_eq", "_neq"):
        return Condition(ref, "_null" if operator == "_eq" else "_nnull", None)
    if operator in ("_between", "_nbetween") and len(operand) != 2:
        return NOTHING
    if operator in SWITCHES:
        return Condition(ref, _OPPOSITE[operator] if operand is False else operator, None)
    return Condition(ref, operator, tuple(operand) if operator in LISTS else operand)
