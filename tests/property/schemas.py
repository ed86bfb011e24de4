"""Small JSON Schemas, small edits of them, and a pool of small values to try them with."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

from hypothesis import strategies as st

Schema = Any

_WORDS = ("", "a", "b", "ab", "ba", "aab")
_NUMBERS = (-2, -1, 0, 1, 2, 3, 4, 0.5, 1.5, 2.5)
_SCALARS: tuple[Any, ...] = (None, True, False, *_NUMBERS, *_WORDS)
_NAMES = ("a", "b", "ab")
_PATTERNS = ("a", "^b", "^ab?$")


def _pool() -> Iterator[Any]:
    yield from _SCALARS
    inner = (None, True, 0, 1, 2.5, "", "a", "ab")
    yield []
    yield from ([value] for value in _SCALARS)
    yield from ([first, second] for first, second in product(inner, inner))
    yield from ([first, 1, "a"] for first in inner)
    yield {}
    yield from ({name: value} for name, value in product(_NAMES, _SCALARS))
    yield from ({"a": first, "b": second} for first, second in product(inner, inner))
    yield from ({"a": first, "ab": 1, "b": "a"} for first in inner)
    yield from ({"c": value} for value in inner)
    yield from ({"a": [value]} for value in inner)
    yield from ({"a": {"a": value}} for value in inner)
    yield from ([{"a": value}] for value in inner)


POOL: tuple[Any, ...] = tuple(_pool())
"""Some 300 values around the bounds that the schemas below set."""


def _some(**keywords: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({}, optional=keywords)


_little = st.integers(0, 3)
_bound = st.sampled_from(_NUMBERS)
_leaves = st.one_of(
    st.booleans(),
    st.sampled_from([{"type": kind} for kind in ("null", "boolean", "integer", "number", "string")]),
    st.just({"type": ["string", "null"]}),
    _some(enum=st.lists(st.sampled_from(_SCALARS), min_size=1, max_size=3, unique_by=repr)),
    _some(const=st.sampled_from(_SCALARS)),
    _some(
        type=st.sampled_from(["integer", "number"]), minimum=_bound, maximum=_bound, exclusiveMinimum=_bound,
        exclusiveMaximum=_bound, multipleOf=st.sampled_from([0.5, 1, 2]),
    ),
    _some(type=st.just("string"), minLength=_little, maxLength=_little, pattern=st.sampled_from(_PATTERNS)),
)  # fmt: skip


def _branches(inner: st.SearchStrategy[Schema]) -> st.SearchStrategy[Schema]:
    several = st.lists(inner, min_size=1, max_size=3)
    named = st.dictionaries(st.sampled_from(_NAMES), inner, max_size=2)
    names = st.lists(st.sampled_from(_NAMES), max_size=2, unique=True)
    array = _some(
        type=st.just("array"), items=inner, prefixItems=several, minItems=_little, maxItems=_little, uniqueItems=st.booleans()
    )  # fmt: skip
    thing = _some(
        type=st.just("object"), properties=named, required=names, additionalProperties=inner, minProperties=_little,
        maxProperties=_little, propertyNames=inner,
        patternProperties=st.dictionaries(st.sampled_from(_PATTERNS), inner, max_size=2),
    )  # fmt: skip
    joined = st.one_of(_some(anyOf=several), _some(oneOf=several), _some(allOf=several), _some(**{"not": inner}))
    ruled = _some(**{"if": inner, "then": inner, "else": inner})
    ref = st.fixed_dictionaries({"$ref": st.sampled_from(["#/$defs/A", "#/$defs/B"])})
    mixed = st.tuples(st.one_of(array, thing), joined).map(lambda pair: {**pair[0], **pair[1]})
    return st.one_of(array, thing, joined, ruled, ref, mixed)


def _whole(parts: tuple[Schema, Schema, Schema]) -> Schema:
    top, first, second = parts
    # What is defined refers to nothing: a reference around in a circle would be no schema.
    return {**(top if isinstance(top, dict) else {"not": {}}), "$defs": {"A": first, "B": second}}


schemas: st.SearchStrategy[Schema] = st.tuples(st.recursive(_leaves, _branches, max_leaves=6), _leaves, _leaves).map(
    _whole
)
"""A schema with two definitions."""


def _places(schema: Schema) -> list[dict[str, Any]]:
    """Every object in a schema: schemas, and maps of them."""
    if isinstance(schema, dict):
        return [schema, *(place for value in schema.values() for place in _places(value))]
    return [place for value in schema for place in _places(value)] if isinstance(schema, list) else []


@st.composite
def edited(draw: st.DrawFn, schema: Schema) -> Schema:
    """The schema with one to three small edits: a keyword less, another value, one more demand."""
    new = copy.deepcopy(schema)
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.sampled_from(_places(new)))
        edit = draw(st.sampled_from([_drop, _shift, _add]))
        edit(place, draw)
    return new


_MENDED = {"$defs", "$ref"}


def _drop(place: dict[str, Any], draw: Callable[..., Any]) -> None:
    if names := sorted(place.keys() - _MENDED - {"A", "B"}):
        del place[draw(st.sampled_from(names))]


def _shift(place: dict[str, Any], draw: Callable[..., Any]) -> None:
    for name in sorted(place.keys() - _MENDED):
        value = place[name]
        if isinstance(value, bool):
            place[name] = draw(st.booleans())
        elif isinstance(value, int) and name not in ("const", "multipleOf"):
            place[name] = max(0, value + draw(st.integers(-1, 1)))
        elif name in ("enum", "required"):
            place[name] = [*value[draw(st.integers(0, 1)) :], *draw(st.lists(st.sampled_from(_WORDS[1:4]), max_size=1))]
            place[name] = list(dict.fromkeys(place[name])) or ["a"]


def _add(place: dict[str, Any], draw: Callable[..., Any]) -> None:
    if place.keys() & {"A", "a", "b", "ab", *_PATTERNS}:
        place.update({name: draw(_leaves) for name in ("a",) if "A" not in place})
    else:
        more = draw(st.one_of(_leaves, _branches(_leaves)))
        place.update({key: value for key, value in more.items() if key not in place} if isinstance(more, dict) else {})
