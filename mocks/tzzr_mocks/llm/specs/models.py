"""``/v1/models`` described: either API's words, as the header ``anthropic-version`` asks for."""

from __future__ import annotations

from typing import Final

from tzzr_mocks.llm.seed import MODEL
from tzzr_mocks.llm.specs.pieces import THE_MODEL
from tzzr_mocks.openapi import INTEGER, STRING, Json, answer, link, listed, named, parameter, record

_SPEAKS: Final = parameter("anthropic-version", "header", "Whoever sends it speaks Anthropic's API.", STRING)
_OPENAI: Final = record(
    {"id": THE_MODEL, "object": {"const": "model"}, "created": INTEGER, "owned_by": STRING}, closed=True
)
_ANTHROPIC: Final = record(
    {"type": {"const": "model"}, "id": THE_MODEL, "display_name": STRING, "created_at": STRING}, closed=True
)


def paths() -> Json:
    """The two paths."""
    one = {**parameter("model", "path", "The model.", {"type": "string", "minLength": 1}), "example": MODEL}
    refusal = {"anyOf": [named("OpenAIRefusal"), named("AnthropicRefusal")]}
    unknown = {"401": answer("No key, or a wrong one.", refusal), "404": answer("There is no such model.", refusal)}
    there = link("readModel", "tells of it", model="$response.body#/data/0/id")
    every = {
        "operationId": "listModels",
        "summary": "List the models",
        "parameters": [_SPEAKS],
        "responses": {
            "200": answer("The one that there is.", named("Models"), links={"readModel": there}),
            "401": unknown["401"],
        },
    }
    read = {
        "operationId": "readModel",
        "summary": "Tell of a model",
        "parameters": [one, _SPEAKS],
        "responses": {"200": answer("The model.", named("Model")), **unknown},
    }
    return {"/v1/models": {"get": every}, "/v1/models/{model}": {"get": read}}


def schemas() -> Json:
    """Their schemas."""
    page = {"has_more": {"type": "boolean"}, "first_id": THE_MODEL, "last_id": THE_MODEL}
    openai = record({"object": {"const": "list"}, "data": listed(_OPENAI)}, closed=True)
    anthropic = record({"data": listed(_ANTHROPIC), **page}, closed=True)
    return {"Model": {"anyOf": [_OPENAI, _ANTHROPIC]}, "Models": {"anyOf": [openai, anthropic]}}
