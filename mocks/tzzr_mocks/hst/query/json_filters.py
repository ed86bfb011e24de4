"""``_json``: conditions on what lies inside a JSON column (Directus 12)."""

from __future__ import annotations

from typing import Any

from tzzr_mocks.hst.query.model import AllOf, Condition, FieldRef, Filter


def build_json(ref: FieldRef, tree: Any) -> Filter:
    """``{"color": {"_eq": "rojo"}}`` on ``metadatos`` as conditions on ``json(metadatos, color)``."""
    if not isinstance(tree, dict):
        return AllOf()
    return AllOf(tuple(part for key, value in tree.items() for part in _inner(ref, key, value)))


def _inner(ref: FieldRef, path: str, tree: Any) -> list[Filter]:
    if not isinstance(tree, dict):
        return [Condition(FieldRef(ref.name, "json", path), "_eq", tree)]
    found: list[Filter] = []
    for key, value in tree.items():
        if key.startswith("_"):
            found.append(Condition(FieldRef(ref.name, "json", path), key, value))
        else:
            found.extend(_inner(ref, f"{path}.{key}", value))
    return found
