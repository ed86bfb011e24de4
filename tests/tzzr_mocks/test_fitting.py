"""Schemas as compiled code, against the library that walks them."""

from __future__ import annotations

from typing import Any

import pytest
from jsonschema import Draft202012Validator

from tzzr_mocks.fitting import fitting, is_fit

_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "kind": {"const": "a"},
        "size": {"type": "integer", "minimum": 1},
        "when": {"type": "string", "format": "date-time"},
        "rows": {"type": "array", "items": {"type": ["string", "null"]}, "minItems": 1},
    },
    "required": ["kind"],
    "additionalProperties": False,
    "if": {"properties": {"size": {"const": 3}}, "required": ["size"]},
    "then": {"required": ["rows"]},
}


@pytest.mark.parametrize(
    "document",
    [
        {"kind": "a"},
        {"kind": "b"},
        {"kind": "a", "size": 0},
        {"kind": "a", "size": 2.0},
        {"kind": "a", "size": 3},
        {"kind": "a", "size": 3, "rows": [None, "x"]},
        {"kind": "a", "rows": []},
        {"kind": "a", "rows": [1]},
        {"kind": "a", "when": "whenever"},
        {"kind": "a", "other": 1},
        {},
        [],
        None,
    ],
)
def test_compiled_code_says_what_the_walk_of_the_schema_says(document: Any) -> None:
    assert fitting(_SCHEMA)(document) is Draft202012Validator(_SCHEMA).is_valid(document)


def _where(path: str, words: list[str], then: dict[str, Any]) -> dict[str, Any]:
    name, _, rest = path.partition(".")
    inner = _where(rest, words, {})["if"] if rest else {"enum": words}
    return {"if": {"type": "object", "required": [name], "properties": {name: inner}}, "then": then}


_RULES: dict[str, Any] = {
    "type": "object",
    "allOf": [
        _where("to.name", ["a", "b"], {"required": ["size"]}),
        _where("to.name", ["c"], {"properties": {"size": {"$ref": "#/$defs/Small"}}}),
        {"if": {"required": ["size"]}, "then": {"properties": {"size": {"type": "integer"}}}},
    ],
    "$defs": {"Small": {"maximum": 3}},
}


@pytest.mark.parametrize("name", ["a", "b", "c", "d", None, 1, ["a"], {}])
@pytest.mark.parametrize("size", [{}, {"size": 1}, {"size": 9}, {"size": "1"}])
def test_a_rule_about_words_at_one_place_strikes_those_documents_and_no_others(name: Any, size: dict[str, Any]) -> None:
    fits = fitting(_RULES)
    for document in ({"to": {"name": name}, **size}, {"to": name, **size}, {**size}):
        assert fits(document) is Draft202012Validator(_RULES).is_valid(document)


def test_a_schema_of_keywords_that_never_changed_may_be_compiled() -> None:
    assert is_fit(_SCHEMA)


@pytest.mark.parametrize(
    "inner",
    [{"prefixItems": [{}]}, {"$ref": "#"}, {"unevaluatedProperties": False}, {"dependentRequired": {"a": ["b"]}}],
)
def test_a_keyword_that_draft_7_does_not_know_is_left_to_the_walk(inner: dict[str, Any]) -> None:
    assert not is_fit({"properties": {"a": {"anyOf": [{"items": inner}, True]}}})
