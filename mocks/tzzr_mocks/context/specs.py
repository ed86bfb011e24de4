"""The fake's OpenAPI document; CONTRACT §6 is what the Context Manager publishes of itself."""

from __future__ import annotations

from tzzr_mocks.context.schemas import AGENT_ID, AgentContext
from tzzr_mocks.openapi import STRING, Json, answer, named, parameter, record

_EXAMPLE = "alfred"


def document(*, token_required: bool = False) -> Json:
    """The document of a Context Manager that demands a token, or of one that takes requests without."""
    context = AgentContext.model_json_schema(ref_template="#/components/schemas/{model}")
    parts = context.pop("$defs")
    agent = {"type": "string", "pattern": f"^{AGENT_ID}$"}
    refused = {
        "400": "The id cannot be one.",
        "401": "The token is not the right one.",
        "404": "Nobody knows the agent.",
    }
    read = {
        "operationId": "readContext",
        "summary": "Tell what an agent was doing",
        "security": [{"bearer": []}] if token_required else [{}, {"bearer": []}],
        "parameters": [{**parameter("agent_id", "path", "The agent.", agent), "example": _EXAMPLE}],
        "responses": {
            "200": answer("The agent's context.", named("AgentContext")),
            **{status: answer(told, named("Refusal")) for status, told in refused.items()},
        },
    }
    health = {
        "operationId": "health",
        "summary": "Tell that the service is there",
        "responses": {"200": answer("It is.", record({"status": {"const": "ok"}}, closed=True))},
    }
    error = record({"code": STRING, "message": STRING}, closed=True)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Context Manager, faked", "version": "1"},
        "servers": [{"url": "/"}],
        "paths": {"/v1/agents/{agent_id}/context": {"get": read}, "/health": {"get": health}},
        "components": {
            "schemas": {**parts, "AgentContext": context, "Refusal": record({"error": error}, closed=True)},
            "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}},
        },
    }
