"""The quick check of schemas agrees with the specification's own."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator, SchemaError

from tzzr_mcp.server.schemas import schema_problems

RIGHT: dict[str, Any] = {
    "type": "object",
    "title": "Todo",
    "properties": {
        "a": {"type": ["string", "null"], "minLength": 1, "maxLength": 9, "pattern": "^a", "description": "d"},
        "b": {"type": "integer", "minimum": 0, "maximum": 9.5, "multipleOf": 2, "default": 4},
        "c": {"type": "array", "items": {"enum": [1, "x"]}, "minItems": 0, "uniqueItems": True},
        "d": {"not": {"const": 3}, "x-mine": object},
    },
    "required": ["a"],
    "$defs": {"e": True},
    "oneOf": [{"required": ["a"]}, {"required": ["b"]}],
    "if": {"required": ["a"]},
    "then": {"required": ["b"]},
    "additionalProperties": False,
}


def places(schema: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The path of every value within ``schema``."""
    items: Any = schema.items() if isinstance(schema, dict) else enumerate(schema) if isinstance(schema, list) else ()
    return [path, *(place for key, value in items for place in places(value, (*path, key)))]


def refused(schema: Any) -> bool:
    """Whether the specification's own schema refuses ``schema``."""
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError:
        return True
    return False


def test_a_right_schema_has_no_problem() -> None:
    assert list(schema_problems(RIGHT)) == []
    assert list(schema_problems({"multipleOf": 0.5})) == []


@given(st.data())
def test_what_the_specification_refuses_is_refused_with_its_place(data: st.DataObject) -> None:
    schema = copy.deepcopy(RIGHT)
    del schema["properties"]["d"]["x-mine"]
    *way, last = data.draw(st.sampled_from([place for place in places(schema) if place]))
    holder: Any = schema
    for step in way:
        holder = holder[step]
    holder[last] = data.draw(st.sampled_from([None, 3, -1, 0, "x", "[", True, [], [3], ["a", "a"], {}, {"type": 3}]))
    if refused(schema):
        problems = list(schema_problems(schema))
        assert problems
        assert all(problem.startswith("#") for problem in problems)


@pytest.mark.parametrize(
    ("schema", "told"),
    [
        ({"type": []}, "types are array, boolean"),
        ({"enum": "x"}, "#/enum is 'x'; it must be a list"),
        ({"required": ["a", "a"]}, "a list of different names"),
        ({"required": "a"}, "a list of different names"),
        ({"minimum": True}, "must be a number"),
        ({"multipleOf": 0}, "above zero"),
        ({"multipleOf": True}, "above zero"),
        ({"multipleOf": "2"}, "above zero"),
        ({"minLength": -1}, "not negative"),
        ({"minLength": True}, "not negative"),
        ({"uniqueItems": "yes"}, "true or false"),
        ({"title": 3}, "must be a string"),
        ({"pattern": "["}, "regular expression"),
        ({"pattern": 3}, "regular expression"),
        ({"properties": []}, "an object of schemas"),
        ({"properties": {"a": 3}}, "#/properties/a is int"),
        ({"oneOf": []}, "a list of schemas"),
        ({"allOf": [3]}, "#/allOf/0 is int"),
        ({"items": {"type": "text"}}, "#/items/type is 'text'"),
    ],
)
def test_each_mistake_is_told_with_its_place(schema: Any, told: str) -> None:
    (problem,) = schema_problems(schema)
    assert told in problem


def test_a_required_name_that_is_no_property_is_told_only_where_nothing_else_is_allowed() -> None:
    schema = {"properties": {"a": {}}, "required": ["b"]}
    assert list(schema_problems(schema)) == []
    assert list(schema_problems({**schema, "additionalProperties": False})) == [
        "#/required names 'b', which is no property"
    ]
    assert list(schema_problems({"required": ["b"], "additionalProperties": False})) == []
