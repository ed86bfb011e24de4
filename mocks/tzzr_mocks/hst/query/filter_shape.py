"""A filter as JSON: what its shape must be, and which fields it names.

`parse_filter` brings the short forms to the long one, `check_values` holds the values of the operators to their
shapes, `check_keys` finds operators where a field should stand. None of them knows a collection.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from tzzr_mocks.hst.errors import invalid_query

LOGIC = ("_and", "_or")
LISTS = ("_in", "_nin", "_between", "_nbetween")
SWITCHES = ("_null", "_nnull", "_empty", "_nempty")
RELATIONS = ("_some", "_none")
GEOMETRY = ("_intersects", "_nintersects", "_intersects_bbox", "_nintersects_bbox")
MAX_DEPTH = 10

_WORDS = {"true": True, "false": False, "null": None}


def parse_filter(value: Any) -> Any:
    """The filter in its long form, ``{"ref": "ES"}`` as ``{"ref": {"_eq": "ES"}}``; None when there is none.

    Raises:
        Refusal: 400, no JSON, or a part that cannot be a filter.
    """
    if value is None or value == "":
        return None
    if isinstance(value, str):
        try:
            value = _DECODER.decode(value)
        except ValueError:
            raise invalid_query("Invalid JSON for filter object") from None
        if value is None:
            raise invalid_query('"filter" must be of type object')
    tree = _long(value)
    return tree if isinstance(tree, dict) and tree else None


def _refuse_constant(name: str) -> None:
    raise ValueError(name)


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant)


def _long(value: Any) -> Any:
    if isinstance(value, list):
        value = {str(place): item for place, item in enumerate(value)}
    if not isinstance(value, dict):
        return {"_eq": plain(value)}
    return {key.strip(): _long_part(key.strip(), item) for key, item in value.items()}


def _long_part(key: str, item: Any) -> Any:
    if key in LOGIC:
        if not isinstance(item, list) or None in item:
            raise invalid_query("Invalid filter object")
        return [_long(part) for part in item]
    if key == "_json":
        return long_json(item)
    if key in GEOMETRY:
        return _geometry(key, item)
    if key.startswith("_") and key not in RELATIONS:
        return long_operand(key, item)
    if item is None:
        raise invalid_query("Invalid filter object")
    return _long(item)


def long_json(item: Any) -> Any:
    """The value of ``_json``: an object of objects, the operators' values as they are worked with."""
    if not isinstance(item, dict):
        if isinstance(item, str) or item is None:
            raise invalid_query("Invalid filter object")
        return {}
    return {key: _json_part(key, part) for key, part in item.items()}


def _json_part(key: str, part: Any) -> Any:
    if key in LOGIC and isinstance(part, list):
        return [long_json(inner) for inner in part]
    if key.startswith("_"):
        raise invalid_query(f'"_json" inner filter for path "{key}" must be an object')
    if not isinstance(part, dict):
        raise invalid_query("Invalid filter object")
    return {name: long_operand(name, value) for name, value in part.items()}


def _geometry(key: str, item: Any) -> Any:
    if isinstance(item, str):
        try:
            item = json.loads(item)
        except ValueError:
            raise invalid_query("Invalid filter object") from None
    if not isinstance(item, dict):
        raise invalid_query(f'"{key}" has to be a valid GeoJSON object')
    return "geometry"


def long_operand(operator: str, item: Any) -> Any:
    """An operator's value as it is worked with: lists for those that take several, texts for what they stand for."""
    if operator in LISTS:
        return [_element(part) for part in _listed(item)]
    if isinstance(item, list):
        return [plain(part) for part in item]
    return item if isinstance(item, dict) else plain(item)


def _element(part: Any) -> Any:
    return json.dumps(part) if isinstance(part, dict | list) else plain(part)


def _listed(item: Any) -> list[Any]:
    if isinstance(item, str):
        return item.split(",")
    if isinstance(item, dict):
        return list(item.values())
    return item if isinstance(item, list) else [item]


def plain(value: Any) -> Any:
    """What a text from a URL stands for: ``true``, ``false`` and ``null`` are themselves."""
    return _WORDS.get(value, value) if isinstance(value, str) else value


def check_values(tree: dict[str, Any]) -> None:
    """Hold every operator's value to its shape.

    Raises:
        Refusal: 400, naming the first operator whose value it cannot take.
    """
    for key, value in tree.items():
        if key in LOGIC:
            for part in value:
                check_values(part)
        elif key == "_json":
            continue
        elif key.startswith("_") and key not in RELATIONS:
            check_operand(key, value)
        else:
            check_values(value)


def check_keys(tree: dict[str, Any], collection: str) -> None:
    """Refuse operators where a field should stand, and fields nested too deep; ``collection`` is only named.

    Raises:
        Refusal: 400, naming the key.
    """
    for key, value in tree.items():
        if key in LOGIC:
            for part in value:
                check_keys(part, collection)
        elif key.startswith("$FOLLOW") or (key.startswith("_") and key not in RELATIONS):
            raise invalid_query(f'Invalid filter key "{key}" on "{collection}"')
    if depth(tree) > MAX_DEPTH:
        raise invalid_query("Max relational depth exceeded")


def check_operand(operator: str, value: Any) -> None:
    """Hold one operator's value to its shape.

    Raises:
        Refusal: 400, it cannot take the value.
    """
    if operator in LISTS:
        if not value:
            raise invalid_query(f'"{operator}" has to be an array of values')
    elif operator in SWITCHES:
        if value not in ("", None) and not isinstance(value, bool):
            raise invalid_query(f'"{operator}" has to be a boolean')
    elif isinstance(value, dict | list):
        raise invalid_query(f'The filter value for "{operator}" has to be a string, number, or boolean')
    elif value == "":
        use = 'Use "_empty" or "_nempty" instead'
        raise invalid_query(f'You can\'t filter for an empty string in "{operator}". {use}')


def named_fields(tree: Any) -> list[str]:
    """Every field that a filter names, in the order in which Directus names them in a refusal: last pushed, first named."""
    names: list[str] = []
    waiting: list[tuple[tuple[str, ...], Any]] = [((), tree)]
    while waiting:
        path, node = waiting.pop()
        children = list(_children(node))
        if not children:
            names.extend(name for name in path if name not in names)
        for key, child in children:
            waiting.append((path if key.startswith("_") else (*path, key), child))
    return names


def _children(node: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(node, list):
        for part in node:
            yield "_and", part
    elif isinstance(node, dict):
        for key, value in node.items():
            yield key, value if key in LOGIC or key in RELATIONS or not key.startswith("_") else None


def depth(tree: Any) -> int:
    """How many fields are nested in one another."""
    own = [depth(child) + (not key.startswith("_")) for key, child in _children(tree)]
    return max(own, default=0)
