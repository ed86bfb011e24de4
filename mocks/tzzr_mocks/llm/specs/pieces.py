"""What the descriptions of both APIs share."""

from __future__ import annotations

from typing import Any, Final

from tzzr_mocks.llm.seed import MODEL
from tzzr_mocks.openapi import EVENTS, JSON, STRING, Json, answer, body, named, record

THE_MODEL: Final[Json] = {"type": "string", "enum": [MODEL]}
TEXT_PART: Final = record({"type": {"const": "text"}, "text": STRING})
INPUT_SCHEMA: Final = record(
    {"type": {"const": "object"}},
    {
        "properties": {"type": "object", "additionalProperties": {"type": "object"}},
        "required": {"type": "array", "items": STRING},
    },
)
"""The JSON Schema of a tool's arguments."""
_REFUSED: Final = {"400": "What is wrong with the request.", "401": "No key, or a wrong one.", "404": "No such model."}


_EVENT: Final = record({"data": STRING}, {"event": STRING}, closed=True)
"""One server-sent event of a stream; its data are the API's own JSON, or ``[DONE]``."""


def written(schema: Json) -> Json:
    """The answers of an operation whose words come whole, or as events when the request says ``stream``."""
    content = {JSON: {"schema": schema}, EVENTS: {"schema": _EVENT}}
    return {"200": {"description": "What the model says, whole or as it comes.", "content": content}}


def refused(schema: str, *statuses: str, **parts: Json) -> Json:
    """The answers of a refusal in an API's envelope."""
    return {status: answer(_REFUSED[status], named(schema), **parts) for status in statuses}


def asked(schema: str, example: Any) -> Json:
    """A request's body."""
    return {"requestBody": body(named(schema), example=example)}
