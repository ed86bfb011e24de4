"""Whether one schema takes all that another one takes: what the search over small schemas does not reach."""

from __future__ import annotations

from typing import Any

import pytest

from tzzr_mcp.contract.schemas import NAMES, load
from tzzr_scenarios.language.schema import scenario_schema
from tzzr_scenarios.surface.inclusion import refusals

TREE = {"$ref": "#/$defs/Node", "$defs": {"Node": {"properties": {"next": {"$ref": "#/$defs/Node"}}}}}
DEEPER = {
    "$ref": "#/$defs/Node",
    "$defs": {"Node": {"properties": {"next": {"$ref": "#/$defs/Node"}, "n": {"minimum": 1}}}},
}


def kinds(*names: str) -> Any:
    """An object of one of these kinds."""
    return {"oneOf": [{"type": "object", "properties": {"k": {"const": name}}, "required": ["k"]} for name in names]}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"type": "integer", "minimum": 2}, {"type": "number", "exclusiveMinimum": 1}),
        ({"const": 3}, {"type": "integer"}),
        ({"enum": ["a", "b"]}, {"pattern": "^[abc]$"}),
        ({"type": ["string", "null"]}, {"anyOf": [{"type": "null"}, {"type": "string"}]}),
        ({"multipleOf": 4}, {"multipleOf": 2}),
        (DEEPER, TREE),
        (kinds("a", "b"), kinds("a", "b", "c")),
        ({"properties": {"a": True}, "additionalProperties": False}, {"additionalProperties": True, "properties": {"b": False}}),
        ({"required": ["a"], "properties": {"a": False}, "type": "object"}, False),
        ({"allOf": [{"minLength": 3}], "type": "string"}, {"minLength": 2}),
    ],
)  # fmt: skip
def test_what_takes_all_of_another_refuses_nothing(old: Any, new: Any) -> None:
    assert refusals(old, new) == []


@pytest.mark.parametrize(
    ("old", "new", "where"),
    [
        ({"type": "number"}, {"type": "integer"}, "/type"),
        ({}, {"properties": {"a": {"type": "string"}}}, "/properties/a/type"),
        ({"properties": {"a": True}}, {"properties": {"a": True}, "additionalProperties": False}, "/additionalProperties"),
        (TREE, DEEPER, "/properties/n/minimum"),
        ({"type": "array"}, {"unevaluatedItems": False}, "/unevaluatedItems"),
        ({"pattern": "^a$"}, {"pattern": "^a"}, "/pattern"),
        ({"type": "object"}, {"if": {"required": ["a"]}, "then": {"required": ["b"]}}, "/then/required/b"),
    ],
)  # fmt: skip
def test_a_refusal_is_told_with_its_place(old: Any, new: Any, where: str) -> None:
    assert where in [refusal.where for refusal in refusals(old, new)]


@pytest.mark.parametrize("schema", [*map(load, NAMES), scenario_schema()], ids=[*NAMES, "scenario"])
def test_a_published_schema_takes_all_that_it_takes_when_it_cannot_be_recognised(schema: Any) -> None:
    again = {**schema, "allOf": [*schema.get("allOf", []), {}]}
    assert refusals(schema, again) == []


def test_a_reference_out_of_the_document_is_refused_with_its_mend() -> None:
    with pytest.raises(ValueError, match=r"points outside of its document; put what it means under \$defs"):
        refusals({}, {"properties": {"a": {"$ref": "other.json"}}})
