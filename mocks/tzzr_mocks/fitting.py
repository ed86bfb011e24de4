"""JSON Schemas as Python code: what fits one is told so thirty times sooner than by walking it.

Compiled code says yes or no. What is wrong, and where, is told by who walks the schema.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
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
    """Whether a document fits ``schema``. Formats are not looked at, as in 2020-12."""
    # Each `if` that does not hold is an exception inside; with its details it would cost as much again.
    bare = {"use_default": False, "use_formats": False, "detailed_exceptions": False}
    check: Callable[[Any], Any] = fastjsonschema.compile(_without_const(schema), **bare)

    def fits(document: Any) -> bool:
        try:
            check(document)
        except fastjsonschema.JsonSchemaValueException:
            return False
        return True

    return fits


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
