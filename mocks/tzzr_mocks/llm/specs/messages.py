"""``/v1/messages`` and ``/v1/messages/count_tokens`` described."""

from __future__ import annotations

from typing import Final

from tzzr_mocks.llm.messages.request import PLAIN
from tzzr_mocks.llm.seed import MODEL
from tzzr_mocks.llm.specs.pieces import INPUT_SCHEMA, TEXT_PART, THE_MODEL, asked, refused, written
from tzzr_mocks.openapi import INTEGER, STRING, Json, answer, listed, maybe, named, parameter, record

VERSION: Final = {
    **parameter("anthropic-version", "header", "The API's version.", STRING, required=True),
    "example": "2023-06-01",
}
REQUEST_ID: Final = {"request-id": {"schema": STRING, "description": "What the refusal is called."}}
_CONTENT: Final[Json] = {"anyOf": [STRING, listed(TEXT_PART)]}
_USED: Final = record({"type": {"const": "tool_use"}, "id": STRING, "name": STRING, "input": {"type": "object"}})
_RESULT: Final = record(
    {"type": {"const": "tool_result"}, "tool_use_id": STRING},
    {"content": maybe(_CONTENT), "is_error": {"type": "boolean"}},
)
_MESSAGES: Final[list[Json]] = [
    record({"role": {"const": "user"}, "content": {"anyOf": [STRING, listed({"anyOf": [TEXT_PART, _RESULT]})]}}),
    record({"role": {"const": "assistant"}, "content": {"anyOf": [STRING, listed({"anyOf": [TEXT_PART, _USED]})]}}),
]
_TOOL: Final = record({"name": {"type": "string"}, "input_schema": INPUT_SCHEMA}, {"description": maybe(STRING)})
_CHOICES: Final[list[Json]] = [
    record({"type": {"enum": ["auto", "any", "none"]}}, {"disable_parallel_tool_use": {"type": "boolean"}}),
    record({"type": {"const": "tool"}, "name": STRING}, {"disable_parallel_tool_use": {"type": "boolean"}}),
]
_ASKED: Final = {
    "system": maybe(_CONTENT),
    "tools": maybe(listed(_TOOL)),
    "tool_choice": maybe({"anyOf": _CHOICES}),
    "stop_sequences": listed(STRING),
}
_MOST: Final = {"max_tokens": {"type": "integer", "minimum": 1}}
_EXAMPLE: Final = {"model": MODEL, "messages": [{"role": "user", "content": "¿Qué puedes hacer?"}]}


def paths() -> Json:
    """The two paths."""
    no = refused("AnthropicRefusal", "400", "401", "404", headers=REQUEST_ID)
    count = {"200": answer("How many tokens it would be.", record({"input_tokens": INTEGER}, closed=True))}
    shared = {"parameters": [VERSION]}
    message = {
        "operationId": "message",
        "summary": "Let the model go on with a conversation",
        **shared,
        **asked("MessageRequest", {**_EXAMPLE, "max_tokens": 256}),
        "responses": {**written(named("Message")), **no},
    }
    counted = {
        "operationId": "countTokens",
        "summary": "Count a conversation's tokens",
        **shared,
        **asked("CountRequest", _EXAMPLE),
        "responses": {**count, **no},
    }
    return {"/v1/messages": {"post": message}, "/v1/messages/count_tokens": {"post": counted}}


def schemas() -> Json:
    """Their schemas, and the envelope of Anthropic's refusals."""
    messages = {"type": "array", "minItems": 1, "items": {"anyOf": _MESSAGES}}
    needed, more = {"model": THE_MODEL, "messages": messages}, {**PLAIN, **_ASKED}
    error = record({"type": STRING, "message": STRING}, closed=True)
    return {
        "MessageRequest": record({**needed, **_MOST}, more, closed=True),
        "CountRequest": record(needed, {**more, **_MOST}, closed=True),
        "Message": _message(),
        "AnthropicRefusal": record(
            {"type": {"const": "error"}, "error": error, "request_id": maybe(STRING)}, closed=True
        ),
    }


def _message() -> Json:
    tokens = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens")
    used = record({"type": {"const": "tool_use"}, "id": STRING, "name": STRING, "input": {}}, closed=True)
    return record(
        {
            "id": STRING,
            "type": {"const": "message"},
            "role": {"const": "assistant"},
            "model": THE_MODEL,
            "content": listed({"anyOf": [TEXT_PART, used]}),
            "stop_reason": {"enum": ["end_turn", "tool_use", "max_tokens", "stop_sequence", "refusal"]},
            "stop_sequence": maybe(STRING),
            "usage": record({**dict.fromkeys(tokens, INTEGER), "service_tier": STRING}, closed=True),
        },
        closed=True,
    )
