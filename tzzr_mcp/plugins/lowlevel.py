"""The low-level door: answers in the protocol's own types, and requests to the client (DESIGN).

A TZZR server speaks only when spoken to, in text and structured parts that name their source. The protocol allows
more, and the official conformance suite asks for all of it. So one plugin, ``conformance``, comes in through here, and
no other may import this module (import-linter holds it). Listing, lookup, paging, limits and the trace are the core's
as for every plugin.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from mcp import types as t
from mcp.server.context import ServerRequestContext

from tzzr_mcp.plugins.api import Prompt, Ref, Resource, Tool
from tzzr_mcp.seams import Clock

Params: TypeAlias = t.CallToolRequestParams | t.GetPromptRequestParams | t.ReadResourceRequestParams


@dataclass(frozen=True)
class RawRequest:
    """One request as the SDK hands it over.

    ``changed`` tells every client that listens that a list changed. ``params`` hold the responses to what was asked
    before (``input_responses``), and the state that was given along (``request_state``): sealed on the wire, plain here.
    """

    context: ServerRequestContext[Any, Any]
    params: Params
    clock: Clock
    changed: Callable[[Literal["tools", "resources", "prompts"]], Awaitable[None]]


Answer: TypeAlias = Callable[[RawRequest], Awaitable[Any]]
"""Returns the protocol's own result, or ``InputRequiredResult``; an ``MCPError`` goes to the client as it is."""


@dataclass(frozen=True)
class RawTool(Tool):
    """A tool that declares no source and no output schema; ``run`` is an `Answer`, its arguments are not checked."""

    run: Ref[Callable[[Any], Awaitable[Any]]]


@dataclass(frozen=True)
class RawResource(Resource):
    """A resource whose ``read`` is an `Answer`."""

    read: Ref[Callable[[Any], Awaitable[Any]]]


@dataclass(frozen=True)
class RawPrompt(Prompt):
    """A prompt whose messages are what ``answer`` returns; its arguments are checked, its template is not used."""

    answer: Ref[Answer] = ""


def is_raw(item: object) -> bool:
    """Whether ``item`` came in through this door."""
    return isinstance(item, RawTool | RawResource | RawPrompt)
