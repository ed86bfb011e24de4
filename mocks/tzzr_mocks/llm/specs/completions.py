"""``/v1/chat/completions`` described."""

from __future__ import annotations

from typing import Final

from tzzr_mocks.llm.completions.request import PLAIN
from tzzr_mocks.llm.seed import MODEL
from tzzr_mocks.llm.specs.pieces import INPUT_SCHEMA, TEXT_PART, THE_MODEL, asked, refused, written
from tzzr_mocks.openapi import INTEGER, STRING, Json, listed, maybe, named, record

_TEXT: Final[Json] = {"anyOf": [STRING, listed(TEXT_PART)]}
_CALL: Final = record(
    {"id": STRING, "type": {"const": "function"}, "function": record({"name": STRING, "arguments": STRING})}
)
_MESSAGES: Final[list[Json]] = [
    record({"role": {"enum": ["system", "developer"]}, "content": _TEXT}),
    record({"role": {"const": "user"}, "content": _TEXT}),
    record({"role": {"const": "assistant"}, "content": maybe(_TEXT)}, {"tool_calls": maybe(listed(_CALL))}),
    record({"role": {"const": "tool"}, "tool_call_id": STRING, "content": _TEXT}),
]
_NAME: Final[Json] = {"type": "string", "pattern": "^[A-Za-z0-9_-]{1,64}$"}
_FUNCTION: Final = record({"name": _NAME}, {"description": maybe(STRING), "parameters": maybe(INPUT_SCHEMA)})
_TOOL: Final = record({"type": {"const": "function"}, "function": _FUNCTION})
_NAMED: Final = record({"type": {"const": "function"}, "function": record({"name": STRING})})
_TOKENS: Final[Json] = maybe({"type": "integer", "minimum": 1})
_ASKED: Final = {
    "tools": maybe(listed(_TOOL)),
    "tool_choice": {"anyOf": [{"enum": ["auto", "none", "required", None]}, _NAMED]},
    "max_completion_tokens": _TOKENS,
    "max_tokens": _TOKENS,
    "stop": {"anyOf": [STRING, listed(STRING), {"type": "null"}]},
    "n": {"enum": [1, None]},
}
_EXAMPLE: Final = {"model": MODEL, "messages": [{"role": "user", "content": "¿Qué puedes hacer?"}]}


def paths() -> Json:
    """The one path."""
    operation = {
        "operationId": "complete",
        "summary": "Let the model go on with a conversation",
        **asked("CompletionRequest", _EXAMPLE),
        "responses": {**written(named("Completion")), **refused("OpenAIRefusal", "400", "401", "404")},
    }
    return {"/v1/chat/completions": {"post": operation}}


def schemas() -> Json:
    """Its schemas, and the envelope of OpenAI's refusals."""
    messages = {"type": "array", "minItems": 1, "items": {"anyOf": _MESSAGES}}
    error = {"message": STRING, "type": STRING, "param": maybe(STRING), "code": maybe(STRING)}
    return {
        "CompletionRequest": record({"model": THE_MODEL, "messages": messages}, {**PLAIN, **_ASKED}, closed=True),
        "Completion": _completion(),
        "OpenAIRefusal": record({"error": record(error, closed=True)}, closed=True),
    }


def _completion() -> Json:
    said = {"role": {"const": "assistant"}, "content": maybe(STRING), "refusal": maybe(STRING)}
    choice = {
        "index": INTEGER,
        "message": record(said, {"tool_calls": listed(_CALL)}, closed=True),
        "logprobs": {"type": "null"},
        "finish_reason": {"enum": ["stop", "tool_calls", "length"]},
    }
    usage = dict.fromkeys(("prompt_tokens", "completion_tokens", "total_tokens"), INTEGER)
    return record(
        {
            "id": STRING,
            "object": {"const": "chat.completion"},
            "created": INTEGER,
            "model": THE_MODEL,
            "system_fingerprint": STRING,
            "choices": listed(record(choice, closed=True)),
            "usage": record(usage, closed=True),
        },
        closed=True,
    )
