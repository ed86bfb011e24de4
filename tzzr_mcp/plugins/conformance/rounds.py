"""Fixtures that need several rounds: protocol 2026-07-28 asks by an ``InputRequiredResult`` and is called again.

The core seals the state that goes along with it, so what arrives here is what was given out, or nothing (SEP-2322).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TypeVar

from mcp import types as t

from tzzr_mcp.plugins.conformance.samples import text
from tzzr_mcp.plugins.lowlevel import RawRequest

Outcome = t.CallToolResult | t.InputRequiredResult
R = TypeVar("R")

_STATE = "round 1"


def _form(words: str, field: str, kind: str = "string") -> t.ElicitRequest:
    schema: dict[str, Any] = {"type": "object", "properties": {field: {"type": kind}}, "required": [field]}
    return t.ElicitRequest(params=t.ElicitRequestFormParams(message=words, requested_schema=schema))


def _question(words: str, max_tokens: int = 100) -> t.CreateMessageRequest:
    message = t.SamplingMessage(role="user", content=t.TextContent(text=words))
    return t.CreateMessageRequest(params=t.CreateMessageRequestParams(messages=[message], max_tokens=max_tokens))


def _ask(state: str | None = None, **asked: t.InputRequest) -> t.InputRequiredResult:
    return t.InputRequiredResult(input_requests=dict(asked), request_state=state)


def _response(request: RawRequest, key: str, kind: type[R]) -> R | None:
    answer = (request.params.input_responses or {}).get(key)
    return answer if isinstance(answer, kind) else None


def _entered(request: RawRequest, key: str, field: str) -> Any:
    """What the user entered, or None when the form was declined, is missing or lacks the field."""
    answer = _response(request, key, t.ElicitResult)
    return (answer.content or {}).get(field) if answer is not None and answer.action == "accept" else None


def _sampled(request: RawRequest, key: str) -> str | None:
    answer = _response(request, key, t.CreateMessageResult)
    return answer.content.text if answer is not None and isinstance(answer.content, t.TextContent) else None


def _roots(request: RawRequest) -> str | None:
    answer = _response(request, "client_roots", t.ListRootsResult)
    return None if answer is None else ", ".join(str(root.uri) for root in answer.roots)


async def elicitation(request: RawRequest) -> Outcome:
    """Asks for a name until there is one."""
    name = _entered(request, "user_name", "name")
    if not isinstance(name, str):
        return _ask(user_name=_form("What is your name?", "name"))
    return text(f"Hello, {name}!")


async def sampling(request: RawRequest) -> Outcome:
    """Has the client's model answer."""
    answer = _sampled(request, "capital_question")
    return _ask(capital_question=_question("What is the capital of France?")) if answer is None else text(answer)


async def list_roots(request: RawRequest) -> Outcome:
    """Asks for the client's roots and names them."""
    roots = _roots(request)
    return _ask(client_roots=t.ListRootsRequest()) if roots is None else text(f"Client roots: {roots}")


async def request_state(request: RawRequest) -> Outcome:
    """Gives out a state, and completes when it comes back with the answer."""
    if request.params.request_state != _STATE or _entered(request, "confirm", "ok") is None:
        return _ask(_STATE, confirm=_form("Please confirm", "ok", "boolean"))
    return text("state-ok")


async def multiple_inputs(request: RawRequest) -> Outcome:
    """Asks for three things at once."""
    found = (_entered(request, "user_name", "name"), _sampled(request, "greeting"), _roots(request))
    if request.params.request_state != _STATE or None in found:
        return _ask(
            _STATE,
            user_name=_form("What is your name?", "name"),
            greeting=_question("Generate a greeting", 50),
            client_roots=t.ListRootsRequest(),
        )
    return text(f"{found[1]} {found[0]} ({found[2]})")


async def multi_round(request: RawRequest) -> Outcome:
    """Two questions, one after the other; the state holds the first answer."""
    state = json.loads(request.params.request_state or "{}")
    name = state.get("name") or _entered(request, "step1", "name")
    if name is None:
        return _ask('{"step": 1}', step1=_form("Step 1: What is your name?", "name"))
    color = _entered(request, "step2", "color")
    if color is None:
        return _ask(json.dumps({"name": name}), step2=_form("Step 2: What is your favorite color?", "color"))
    return text(f"{name}: {color}")


async def capabilities(request: RawRequest) -> Outcome:
    """Asks only for what the client declared that it can give."""
    able = request.context.session.client_capabilities or t.ClientCapabilities()
    asked: dict[str, Callable[[], t.InputRequest]] = {
        "elicitation": lambda: _form("What is your name?", "name"),
        "sampling": lambda: _question("What is the capital of France?"),
        "roots": t.ListRootsRequest,
    }
    chosen = {name: make() for name, make in asked.items() if getattr(able, name) is not None}
    answered = any(key in chosen for key in request.params.input_responses or {})
    return (
        t.InputRequiredResult(input_requests=chosen)
        if chosen and not answered
        else text("No queda nada que preguntar.")
    )


async def prompt(request: RawRequest) -> t.GetPromptResult | t.InputRequiredResult:
    """A prompt that asks for its context."""
    context = _entered(request, "user_context", "context")
    if not isinstance(context, str):
        return _ask(user_context=_form("What context should the prompt use?", "context"))
    message = t.PromptMessage(role="user", content=t.TextContent(text=f"Context: {context}"))
    return t.GetPromptResult(messages=[message])
