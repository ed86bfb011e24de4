"""JSON Schemas as Python code: what fits one is told so thirty times sooner than by walking it.

Compiled code says yes or no. What is wrong, and where, is told by who walks the schema.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Any, Final

import fastjsonschema

Fits = Callable[[Any], bool]

_SAME: Final = frozenset({
    "$schema", "$id", "$defs", "$comment", "title", "description", "examples", "default", "deprecated", "format",
    "type", "enum", "const", "properties", "required", "additionalProperties", "minProperties", "maxProperties",
    "items", "minItems", "maxItems", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "pattern",
    "minLength", "maxLength", "allOf", "anyOf", "oneOf", "not", "if", "then", "else",
})  # fmt: skip
"""Keywords that mean the same in draft 7, which is compiled, and in 2020-12."""


def fitting(schema: Mapping[str, Any]) -> Fits:
    """Whether a document fits ``schema``. Formats are not looked at, as in 2020-12.

    Its rules about documents with certain words at one place (``if`` routing.module is one of these, ``then`` …) are
    compiled when the first such document comes: as a part of the whole each costs an exception where it does not apply.
    """
    rules: list[Any] = list(schema.get("allOf", ()))
    whole = _compiled({**schema, "allOf": [rule for rule in rules if not _condition(rule)]})
    cases: dict[tuple[str, ...], dict[str | None, list[_Case]]] = {}
    for path, words, then in filter(None, map(_condition, rules)):
        case = _Case({**then, "$defs": schema.get("$defs", {})})
        for word in words:
            cases.setdefault(path, {}).setdefault(word, []).append(case)

    def fits(document: Any) -> bool:
        if not whole(document):
            return False
        met = (of_word.get(_word_at(document, path), ()) for path, of_word in cases.items())
        return all(case.fits(document) for those in met for case in those)

    return fits


def _compiled(schema: Mapping[str, Any]) -> Fits:
    # With the details of exceptions, an `if` that does not hold would cost as much again as all the rest.
    bare: dict[str, Any] = {"use_default": False, "use_formats": False, "detailed_exceptions": False}
    check: Callable[[Any], Any] = fastjsonschema.compile(_without_const(schema), **bare)

    def fits(document: Any) -> bool:
        try:
            check(document)
        except fastjsonschema.JsonSchemaValueException:
            return False
        return True

    return fits


class _Case:
    """What documents with certain words at one place must fit."""

    def __init__(self, schema: Mapping[str, Any]) -> None:
        self._schema = schema

    @cached_property
    def fits(self) -> Fits:
        """Whether a document does."""
        return _compiled(self._schema)


def _word_at(document: Any, path: tuple[str, ...]) -> str | None:
    """The word at a place of ``document``; None where there is none."""
    for name in path:
        document = document.get(name) if isinstance(document, dict) else None
    return document if isinstance(document, str) else None


def _condition(rule: Any) -> tuple[tuple[str, ...], list[str], Mapping[str, Any]] | None:
    """The place that a rule's ``if`` looks at, the words it looks for, and its ``then``; None when it is any other rule."""
    if not isinstance(rule, Mapping) or set(rule) != {"if", "then"}:
        return None
    path: tuple[str, ...] = ()
    asked = rule["if"]
    while isinstance(asked, Mapping) and set(asked) == {"type", "required", "properties"}:
        fields = asked["properties"]
        if asked["type"] != "object" or len(fields) != 1 or asked["required"] != list(fields):
            return None
        [(name, asked)] = fields.items()
        path = (*path, name)
    words = asked.get("enum") if path and isinstance(asked, Mapping) and set(asked) == {"enum"} else None
    return (path, words, rule["then"]) if words and all(isinstance(word, str) for word in words) else None


def is_fit(schema: Mapping[str, Any]) -> bool:
    """Whether ``schema`` means the same compiled: it keeps to keywords that never changed."""
    return all(keyword in _SAME for part in _parts(schema) for keyword in part)


def _parts(schema: Any) -> Iterator[Mapping[str, Any]]:
    """Every schema in ``schema``, itself first."""
    if not isinstance(schema, Mapping):
        return
    yield schema
    for keyword, value in schema.items():
        named = value.values() if keyword in {"properties", "$defs"} else ()
        listed = value if keyword in {"allOf", "anyOf", "oneOf"} else ()
        alone = [value] if keyword in {"items", "additionalProperties", "not", "if", "then", "else"} else []
        for inner in (*named, *listed, *alone):
            yield from _parts(inner)


def _without_const(schema: Any) -> Any:
    """``const`` as an ``enum`` of one: the compiler cannot write the former without details (fastjsonschema 2.22)."""
    if isinstance(schema, list):
        return [_without_const(item) for item in schema]
    if not isinstance(schema, Mapping):
        return schema
    plain = {name: _without_const(item) for name, item in schema.items() if name != "const"}
    return {**plain, "enum": [schema["const"]]} if "const" in schema else plain
