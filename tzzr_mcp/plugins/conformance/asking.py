"""Fixtures that talk to the client during a call: what protocols up to 2025-11-25 allow."""

from __future__ import annotations

import json
from typing import Any

from mcp import MCPError
from mcp import types as t
from mcp.server.connection import allowed_log_levels
from mcp.shared.message import ServerMessageMetadata

from tzzr_mcp.plugins.conformance.plain import PAUSE_S
from tzzr_mcp.plugins.conformance.samples import text
from tzzr_mcp.plugins.lowlevel import RawRequest

MISSING_CAPABILITY = -32021
"""Protocol 2026-07-28: the client did not declare what the request needs."""

RECONNECTION_S = 0.2

_DEFAULTS: dict[str, Any] = {
    "name": {"type": "string", "default": "John Doe"},
    "age": {"type": "integer", "default": 30},
    "score": {"type": "number", "default": 95.5},
    "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
    "verified": {"type": "boolean", "default": True},
}
_PLAIN = ["option1", "option2", "option3"]
_TITLED = [{"const": f"value{number}", "title": f"Option {number}"} for number in (1, 2, 3)]
_ENUMS: dict[str, Any] = {
    "untitledSingle": {"type": "string", "enum": _PLAIN},
    "titledSingle": {"type": "string", "oneOf": _TITLED},
    "legacyEnum": {
        "type": "string",
        "enum": ["opt1", "opt2", "opt3"],
        "enumNames": ["Option One", "Option Two", "Option Three"],
    },
    "untitledMulti": {"type": "array", "items": {"type": "string", "enum": _PLAIN}},
    "titledMulti": {"type": "array", "items": {"anyOf": _TITLED}},
}
_USER: dict[str, Any] = {
    "username": {"type": "string", "description": "User's response"},
    "email": {"type": "string", "description": "User's email address"},
}


def _argument(request: RawRequest, name: str) -> str:
    given = request.params.arguments if isinstance(request.params, t.CallToolRequestParams) else None
    value = (given or {}).get(name)
    if not isinstance(value, str):
        raise MCPError(code=t.INVALID_PARAMS, message=f"Falta el argumento «{name}», que es un texto.")
    return value


def _link(request: RawRequest) -> ServerMessageMetadata:
    """Sends a message to the client on the stream of the call that it belongs to."""
    return ServerMessageMetadata(related_request_id=request.context.request_id)


async def _log(request: RawRequest, words: str) -> None:
    """An info message, where the client's era and the request's ``_meta`` allow it (2026-07-28: only when asked)."""
    if "info" not in allowed_log_levels(request.context.protocol_version, request.context.meta):
        return
    message = t.LoggingMessageNotification(params=t.LoggingMessageNotificationParams(level="info", data=words))
    await request.context.session.send_notification(message, related_request_id=request.context.request_id)


async def logging(request: RawRequest) -> t.CallToolResult:
    """Three log messages on the call's own stream."""
    for words in ("Tool execution started", "Tool processing data", "Tool execution completed"):
        await _log(request, words)
        await request.clock.sleep(PAUSE_S)
    return text("Se enviaron tres mensajes de registro.")


async def sampling(request: RawRequest) -> t.CallToolResult:
    """Lets the client's model answer the argument ``prompt``."""
    words = t.SamplingMessage(role="user", content=t.TextContent(text=_argument(request, "prompt")))
    asked = t.CreateMessageRequest(params=t.CreateMessageRequestParams(messages=[words], max_tokens=100))
    answer = await request.context.session.send_request(asked, t.CreateMessageResult, metadata=_link(request))
    content = answer.content
    return text(f"LLM response: {content.text if isinstance(content, t.TextContent) else content.type}")


async def elicitation(request: RawRequest) -> t.CallToolResult:
    """Asks the user for a name and an address, with the argument ``message``."""
    return text(f"User response: {await _elicit(request, _argument(request, 'message'), _USER, list(_USER))}")


async def elicitation_defaults(request: RawRequest) -> t.CallToolResult:
    """A form whose every field has a default (SEP-1034)."""
    return text(f"Elicitation completed: {await _elicit(request, 'Please review the form', _DEFAULTS, [])}")


async def elicitation_enums(request: RawRequest) -> t.CallToolResult:
    """A form with the five ways of a choice (SEP-1330)."""
    return text(f"Elicitation completed: {await _elicit(request, 'Please choose', _ENUMS, [])}")


async def _elicit(request: RawRequest, words: str, properties: dict[str, Any], required: list[str]) -> str:
    form = {"type": "object", "properties": properties, "required": required}
    asked = t.ElicitRequest(params=t.ElicitRequestFormParams(message=words, requested_schema=form))
    answer = await request.context.session.send_request(asked, t.ElicitResult, metadata=_link(request))
    return f"action={answer.action}, content={json.dumps(answer.content, sort_keys=True)}"


async def reconnection(request: RawRequest) -> t.CallToolResult:
    """Closes the call's stream, so that the client must come back for the answer (SEP-1699)."""
    if request.context.close_sse_stream is not None:
        await request.context.close_sse_stream()
    await request.clock.sleep(RECONNECTION_S)
    return text("Reconnection test completed successfully")


async def missing_capability(request: RawRequest) -> t.CallToolResult:
    """Needs sampling, and says so to a client that did not declare it."""
    if not request.context.session.check_client_capability(t.ClientCapabilities(sampling=t.SamplingCapability())):
        needed: dict[str, Any] = {"requiredCapabilities": {"sampling": {}}}
        raise MCPError(code=MISSING_CAPABILITY, message="El cliente no declara la capacidad «sampling».", data=needed)
    return text("El cliente declara la capacidad «sampling».")


async def change_tools(request: RawRequest) -> t.CallToolResult:
    """Tells who listens that the list of tools changed."""
    await request.changed("tools")
    return text("Se avisó de un cambio en la lista de herramientas.")


async def change_prompts(request: RawRequest) -> t.CallToolResult:
    """Tells who listens that the list of prompts changed."""
    await request.changed("prompts")
    return text("Se avisó de un cambio en la lista de plantillas.")
