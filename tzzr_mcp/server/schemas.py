"""Whether a plugin's JSON Schema is one, told at start without importing a validator.

The compiled validator (`tzzr_mcp.server.arguments`) costs a tenth of the start and is needed at the first call only.
What is checked here is the shape of the keywords that the tools use; unknown keywords are legal in JSON Schema
2020-12 and pass.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

_TYPES = frozenset({"array", "boolean", "integer", "null", "number", "object", "string"})


def schema_problems(schema: object, where: str = "#") -> Iterator[str]:
    """One sentence per mistake, each with the JSON Pointer of its place."""
    if isinstance(schema, bool):
        return
    if not isinstance(schema, Mapping):
        yield f"{where} is {type(schema).__name__}; a schema is an object or a boolean"
        return
    for keyword, value in schema.items():
        yield from _KEYWORDS.get(keyword, _anything)(value, f"{where}/{keyword}")
    yield from _undeclared(schema, where)


def _undeclared(schema: Mapping[str, Any], where: str) -> Iterator[str]:
    required, properties = schema.get("required"), schema.get("properties")
    if schema.get("additionalProperties") is not False:
        return
    if isinstance(required, list | tuple) and isinstance(properties, Mapping):
        for name in required:
            if isinstance(name, str) and name not in properties:
                yield f"{where}/required names {name!r}, which is no property"


def _anything(value: object, where: str) -> Iterator[str]:
    yield from ()


def _type(value: object, where: str) -> Iterator[str]:
    names = value if isinstance(value, list | tuple) else [value]
    if not names or any(not isinstance(name, str) or name not in _TYPES for name in names):
        yield f"{where} is {value!r}; types are {', '.join(sorted(_TYPES))}"


def _list(value: object, where: str) -> Iterator[str]:
    if not isinstance(value, list | tuple):
        yield f"{where} is {value!r}; it must be a list"


def _names(value: object, where: str) -> Iterator[str]:
    fits = isinstance(value, list | tuple) and all(isinstance(name, str) for name in value)
    if not fits or len(set(value)) != len(value):  # type: ignore[call-overload, arg-type]  # fits says it is a list
        yield f"{where} is {value!r}; it must be a list of different names"


def _number(value: object, where: str) -> Iterator[str]:
    if isinstance(value, bool) or not isinstance(value, int | float):
        yield f"{where} is {value!r}; it must be a number"


def _divisor(value: object, where: str) -> Iterator[str]:
    if isinstance(value, bool) or not isinstance(value, int | float) or value <= 0:
        yield f"{where} is {value!r}; it must be a number above zero"


def _count(value: object, where: str) -> Iterator[str]:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        yield f"{where} is {value!r}; it must be a whole number, not negative"


def _boolean(value: object, where: str) -> Iterator[str]:
    if not isinstance(value, bool):
        yield f"{where} is {value!r}; it must be true or false"


def _string(value: object, where: str) -> Iterator[str]:
    if not isinstance(value, str):
        yield f"{where} is {value!r}; it must be a string"


def _pattern(value: object, where: str) -> Iterator[str]:
    try:
        re.compile(value)  # type: ignore[call-overload]  # what it refuses is the question
    except (re.error, TypeError):
        yield f"{where} is {value!r}; it must be a regular expression"


def _schema_map(value: object, where: str) -> Iterator[str]:
    if not isinstance(value, Mapping):
        yield f"{where} is {value!r}; it must be an object of schemas"
        return
    for name, schema in value.items():
        yield from schema_problems(schema, f"{where}/{name}")


def _schema_list(value: object, where: str) -> Iterator[str]:
    if not isinstance(value, list | tuple) or not value:
        yield f"{where} is {value!r}; it must be a list of schemas"
        return
    for number, schema in enumerate(value):
        yield from schema_problems(schema, f"{where}/{number}")


_Check = Callable[[object, str], Iterator[str]]
_GROUPS: tuple[tuple[_Check, str], ...] = (
    (_type, "type"),
    (_list, "enum examples"),
    (_names, "required"),
    (_number, "minimum maximum exclusiveMinimum exclusiveMaximum"),
    (_divisor, "multipleOf"),
    (_count, "minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains"),
    (_boolean, "uniqueItems deprecated readOnly writeOnly"),
    (_string, "title description format $ref $id $schema $comment $anchor contentEncoding contentMediaType"),
    (_pattern, "pattern"),
    (_schema_map, "properties patternProperties $defs dependentSchemas"),
    (_schema_list, "allOf anyOf oneOf prefixItems"),
    (
        schema_problems,
        "items contains not if then else additionalProperties propertyNames unevaluatedProperties unevaluatedItems",
    ),
)
_KEYWORDS: Mapping[str, _Check] = {keyword: check for check, names in _GROUPS for keyword in names.split()}
