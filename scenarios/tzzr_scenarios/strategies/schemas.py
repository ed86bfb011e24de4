"""Values that a JSON Schema accepts, and values that it just refuses: for arguments and parameters of any tool.

The part of JSON Schema 2020-12 that tools use: ``enum``, ``const``, and the types string, integer, number, boolean,
array and object with their limits. ValueError for a schema that says more.
"""

from __future__ import annotations

import base64
import json
import math
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from tzzr_mcp.contract.catalogue import LANG_OR_AUTO_PATTERN, LANG_PATTERN, TEXT_PATTERN
from tzzr_scenarios.strategies.values import Json, langs, langs_or_auto, texts

Schema = Mapping[str, Any]

MOST_CHARACTERS = 60
MOST_ITEMS = 6


def accepted(schema: Schema) -> st.SearchStrategy[Json]:
    """Values that ``schema`` accepts, short: at most 60 characters and 6 items where it allows more.

    ValueError when the schema has neither ``enum`` nor ``const`` nor a known ``type``.
    """
    if "const" in schema:
        return st.just(schema["const"])
    if "enum" in schema:
        return st.sampled_from(list(schema["enum"]))
    return _known(_ACCEPTED, schema)(schema)


def refused(schema: Schema) -> st.SearchStrategy[Json]:
    """Values that ``schema`` refuses and hardly: one beyond a limit, of another type, misspelt, repeated.

    Nothing is drawn (an empty strategy) for a schema that refuses nothing.
    """
    is_valid = Draft202012Validator(dict(schema)).is_valid
    if "const" in schema or "enum" in schema:
        near = _not_among(list(schema.get("enum", [schema.get("const")])))
    else:
        near = _known(_REFUSED, schema)(schema)
    return near.filter(lambda value: not is_valid(value))


Make = Callable[[Schema], st.SearchStrategy[Json]]


def _known(table: Mapping[str, Make], schema: Schema) -> Make:
    kind = schema.get("type")
    if not isinstance(kind, str) or kind not in table:
        told = json.dumps(dict(schema))[:200]
        raise ValueError(f"{told}: no enum, and type is {kind!r}, not one of {', '.join(table)}")
    return table[kind]


def _strings(schema: Schema) -> st.SearchStrategy[str]:
    least, most = schema.get("minLength", 0), min(schema.get("maxLength", math.inf), MOST_CHARACTERS)
    if schema.get("contentEncoding") == "base64":
        return st.binary(min_size=1, max_size=40).map(lambda octets: base64.b64encode(octets).decode())
    if "pattern" in schema:
        return _matching(schema["pattern"], int(most)).filter(lambda text: least <= len(text) <= most)
    sendable = texts(int(most)).filter(lambda text: len(text) >= least)
    return sendable | st.text(st.characters(), min_size=least, max_size=int(most))


def _matching(pattern: str, most: int) -> st.SearchStrategy[str]:
    if pattern in {LANG_PATTERN, LANG_OR_AUTO_PATTERN}:
        return langs() if pattern == LANG_PATTERN else langs_or_auto()
    return texts(most) if pattern == TEXT_PATTERN else st.from_regex(re.compile(pattern), fullmatch=True)


def _bounds(schema: Schema) -> tuple[Any, Any]:
    return schema.get("minimum", schema.get("exclusiveMinimum")), schema.get("maximum", schema.get("exclusiveMaximum"))


def _integers(schema: Schema) -> st.SearchStrategy[int | float]:
    low, high = _bounds(schema)
    whole = st.integers(
        low + ("exclusiveMinimum" in schema) if low is not None else None,
        high - ("exclusiveMaximum" in schema) if high is not None else None,
    )
    safe = whole.filter(lambda number: abs(number) < 2**53)
    return safe | safe.map(float)


def _numbers(schema: Schema) -> st.SearchStrategy[float]:
    low, high = _bounds(schema)
    return st.floats(
        low,
        high,
        exclude_min="exclusiveMinimum" in schema,
        exclude_max="exclusiveMaximum" in schema,
        allow_nan=False,
        allow_infinity=False,
    )


def _arrays(schema: Schema, least: int = 0) -> st.SearchStrategy[list[Json]]:
    least = max(least, schema.get("minItems", 0))
    most = max(least, min(schema.get("maxItems", MOST_ITEMS), MOST_ITEMS))
    items = accepted(schema["items"])
    unique_by: Any = _identity if schema.get("uniqueItems") else None
    return st.lists(items, min_size=least, max_size=most, unique_by=unique_by)


def _identity(value: Json) -> Json:
    """What JSON Schema compares: 1 and 1.0 are one number, containers by their content."""
    return value if isinstance(value, str | int | float) else json.dumps(value, sort_keys=True)


def _objects(schema: Schema) -> st.SearchStrategy[dict[str, Json]]:
    properties: Mapping[str, Schema] = schema.get("properties", {})
    required = [name for name in properties if name in schema.get("required", ())]
    return st.fixed_dictionaries(
        {name: accepted(properties[name]) for name in required},
        optional={name: accepted(each) for name, each in properties.items() if name not in required},
    )


_ACCEPTED: Mapping[str, Make] = {
    "string": _strings,
    "integer": _integers,
    "number": _numbers,
    "boolean": lambda _: st.booleans(),
    "array": _arrays,
    "object": _objects,
}


# --- what is refused -----------------------------------------------------------------------------------------------


def _of_other_types(*given: Json) -> st.SearchStrategy[Json]:
    return st.sampled_from([None, True, 0, "0", [], {}, *given])


def _not_among(values: list[Json]) -> st.SearchStrategy[Json]:
    misspelt = [near for value in values if isinstance(value, str) for near in (value[:-1], value.upper(), f"{value} ")]
    return _of_other_types(*misspelt, [values[0]])


def _bad_strings(schema: Schema) -> st.SearchStrategy[Json]:
    near: list[Json] = [""]
    if schema.get("maxLength", math.inf) <= 10_000:
        near.append("x" * (schema["maxLength"] + 1))
    if "pattern" in schema:
        near += [" ", "\n", "ES", "es\n", "e", "español", "\x00"]
    return st.sampled_from(near) | _of_other_types(["texto"])


def _bad_numbers(schema: Schema) -> st.SearchStrategy[Json]:
    low, high = _bounds(schema)
    edges = [limit + step for limit, step in ((low, -1), (high, 1), (low, 0), (high, 0)) if limit is not None]
    halves = [(low or 0) + 0.5] if schema["type"] == "integer" else []
    return st.sampled_from([*edges, *halves, *map(str, edges), 10**400]) | _of_other_types()


def _bad_arrays(schema: Schema) -> st.SearchStrategy[Json]:
    good = _arrays(schema)
    kinds = [_of_other_types(), st.tuples(good, refused(schema["items"])).map(lambda pair: [*pair[0], pair[1]])]
    if schema.get("minItems", 0) > 0:
        kinds.append(good.map(lambda items: items[: schema["minItems"] - 1]))
    if schema.get("uniqueItems"):
        kinds.append(_arrays(schema, least=1).map(lambda items: [*items, items[0]]))
    return st.one_of(kinds)


@st.composite
def _bad_objects(draw: st.DrawFn, schema: Schema) -> Json:
    value = draw(_objects(schema))
    ways = list(_ways_to_spoil(schema, value))
    kind, name = draw(st.sampled_from(ways))
    if kind == "missing":
        return {key: each for key, each in value.items() if key != name}
    if kind == "strange":
        return {**value, name: 1}
    return {**value, name: draw(refused(schema["properties"][name]))}


def _ways_to_spoil(schema: Schema, value: Mapping[str, Json]) -> Iterable[tuple[str, str]]:
    properties = schema.get("properties", {})
    yield from (("missing", name) for name in schema.get("required", ()))
    yield from (("spoilt", name) for name in properties)
    if schema.get("additionalProperties") is False:
        strangers = ["desconocido", *(f"{name}s" for name in properties), *(name[:-1] for name in properties)]
        yield from (("strange", name) for name in strangers if name not in properties and name not in value)


_REFUSED: Mapping[str, Make] = {
    "string": _bad_strings,
    "integer": _bad_numbers,
    "number": _bad_numbers,
    "boolean": lambda _: _of_other_types("true", 1),
    "array": _bad_arrays,
    "object": _bad_objects,
}
