"""The pieces of an OpenAPI document, for services that no framework describes: every answer that they give is told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

Json = dict[str, Any]

JSON: Final = "application/json"
TEXT: Final = "text/plain"
EVENTS: Final = "text/event-stream"
STRING: Final[Json] = {"type": "string"}
INTEGER: Final[Json] = {"type": "integer"}
BOOLEAN: Final[Json] = {"type": "boolean"}
ANYTHING: Final[Json] = {}


def named(name: str, kind: str = "schemas") -> Json:
    """A reference to one of the document's components."""
    return {"$ref": f"#/components/{kind}/{name}"}


def record(required: Mapping[str, Json], optional: Mapping[str, Json] | None = None, *, closed: bool = False) -> Json:
    """The schema of an object; ``closed``: no other fields."""
    found: Json = {"type": "object", "properties": {**required, **(optional or {})}}
    if required:
        found["required"] = list(required)
    return {**found, "additionalProperties": False} if closed else found


def listed(item: Json) -> Json:
    """The schema of an array."""
    return {"type": "array", "items": item}


def maybe(kind: Json) -> Json:
    """The schema of a value that may be null (OpenAPI 3.1)."""
    return {"anyOf": [kind, {"type": "null"}]}


def answer(told: str, schema: Json | None = None, *media: str, **parts: Json) -> Json:
    """One answer; without a schema it has no body. ``parts`` are its ``headers`` and ``links``."""
    content = {} if schema is None else {"content": {kind: {"schema": schema} for kind in media or (JSON,)}}
    return {"description": told, **content, **parts}


def body(schema: Json, *, required: bool = True, example: Any = None) -> Json:
    """A request's body, as JSON."""
    shown = {} if example is None else {"example": example}
    return {"required": required, "content": {JSON: {"schema": schema, **shown}}}


def parameter(name: str, place: str, told: str, schema: Json, *, required: bool | None = None) -> Json:
    """A parameter; one of the path is always required."""
    needed = place == "path" if required is None else required
    return {"name": name, "in": place, "description": told, "required": needed, "schema": schema}


def link(operation: str, told: str, **parameters: str) -> Json:
    """Where an answer leads: the values are runtime expressions."""
    return {"operationId": operation, "description": told, "parameters": parameters}
