"""Runs the calls that a model asks for: arguments checked, several at a time, each one's events together."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from mcp import Client, MCPError
from mcp import types as t
from pydantic import ValidationError

from tzzr_mcp.checks.arguments import Offences
from tzzr_mcp.checks.sentences import sentence
from tzzr_mcp.gateway.catalogue import Catalogue, Listed
from tzzr_mcp.gateway.events import Event, Requested, ToolEvent
from tzzr_mcp.gateway.failures import ServerLost
from tzzr_mcp.gateway.link import Link
from tzzr_mcp.gateway.models import ToolRequest
from tzzr_mcp.gateway.results import Outcome, failed, outcome
from tzzr_mcp.seams import Clock
from tzzr_mcp.seams.spelling import nearest

log = logging.getLogger(__name__)

Emit = Callable[[Event], Awaitable[None]]
Tell = Callable[[str, Outcome], None]
"""Is given the id of a call, and its outcome."""


@dataclass(frozen=True)
class Wanted:
    """A call that the model asked for, read: which tool, if there is one, and what is wrong with it, if anything is.

    ``astray`` says that its arguments are what is wrong, which the model may mend once.
    """

    asked: Requested
    tool: Listed | None
    complaint: str | None = None
    astray: bool = False

    @property
    def key(self) -> str:
        """Equal for two calls that ask for the same."""
        return json.dumps([self.asked.name, self.asked.arguments], sort_keys=True)

    @property
    def title(self) -> str:
        """What a person calls the tool."""
        return self.tool.title if self.tool else self.asked.name


@dataclass(frozen=True)
class Toolbox:
    """The tools of one turn. ``text_limit`` is the most characters of one tool's text that the model gets."""

    catalogue: Catalogue
    link: Link
    clock: Clock
    text_limit: int

    def read(self, request: ToolRequest, identity: str) -> Wanted:
        """What the model asks for, under the id ``identity``."""
        tool = self.catalogue.find(request.name)
        arguments, garbled = _parsed(request.arguments)
        asked = Requested(id=identity, name=request.name[:200], arguments=arguments)
        if tool is None:
            return Wanted(asked, None, self._no_such(request.name))
        if not tool.sourced:
            return Wanted(asked, tool, _UNSOURCED.format(title=tool.title))
        complaint = garbled or _complaint(json.dumps(tool.tool.input_schema), arguments)
        return Wanted(asked, tool, complaint, astray=complaint is not None)

    async def run(self, wanted: Sequence[Wanted], emit: Emit, tell: Tell) -> None:
        """Run the calls side by side; ``tell`` is given each outcome as it comes.

        Raises:
            ServerLost: the server went away; every call has had its outcome all the same.
        """
        for each in wanted:
            await emit(_started(each))
        together = asyncio.Lock()
        async with asyncio.TaskGroup() as group:
            running = [
                group.create_task(self._one(each, emit, tell, together), name=f"gateway: {each.asked.name}")
                for each in wanted
            ]
        if lost := next((task.result() for task in running if task.result() is not None), None):
            raise lost

    async def _one(self, wanted: Wanted, emit: Emit, tell: Tell, together: asyncio.Lock) -> ServerLost | None:
        """Run one call and emit its events, no other call's among them; why the server did not answer, if it did not."""
        began, lost = self.clock.monotonic(), None
        try:
            result = await self._outcome(wanted)
        except ServerLost as error:
            lost, result = error, failed(error.message)
        took = round((self.clock.monotonic() - began) * 1000)
        tell(wanted.asked.id, result)
        async with together:
            await emit(_finished(wanted, result, took))
            for event in result.shown:
                await emit(event)
        return lost

    async def _outcome(self, wanted: Wanted) -> Outcome:
        tool = wanted.tool
        if tool is None or wanted.complaint is not None:
            return failed(wanted.complaint or "")
        try:
            result = await self.link.ask(_calling(tool.name, wanted.asked.arguments), again=tool.repeatable)
        except MCPError as error:
            log.warning("the MCP server refused %s: %s", tool.name, error)
            return failed(_REFUSED.format(title=tool.title))
        except ValidationError as error:
            log.warning("what %s returned is no result: %.500s", tool.name, error)
            return failed(_MALFORMED.format(title=tool.title))
        return outcome(result, wanted.asked.id, tool.title, self.text_limit)

    def _no_such(self, name: str) -> str:
        known = [offer.name for offer in self.catalogue.offers]
        near = nearest(name, known)
        guess = f"; ¿quiso decir «{near}»?" if near else "."
        return f"No existe la herramienta «{name[:80]}»{guess} Hay: {', '.join(known) or 'ninguna'}."


def _calling(name: str, arguments: Mapping[str, Any]) -> Callable[[Client], Awaitable[t.CallToolResult]]:
    """Not the client's own ``call_tool``: it holds results to their schema cell by cell, while every other turn waits.

    What is shown is checked by its models (`tzzr_mcp.gateway.results`), and nothing else is used.
    """
    request = t.CallToolRequest(params=t.CallToolRequestParams(name=name, arguments=dict(arguments)))
    return lambda client: client.session.send_request(request, t.CallToolResult)


def _started(wanted: Wanted) -> ToolEvent:
    asked = wanted.asked
    return ToolEvent(
        phase="started", call=asked.id, name=asked.name, title=wanted.title[:200], arguments=asked.arguments
    )


def _finished(wanted: Wanted, result: Outcome, took: int) -> ToolEvent:
    return _started(wanted).model_copy(
        update={
            "phase": "finished",
            "outcome": "ok" if result.ok else "error",
            "text": result.text.text,
            "trace_id": result.trace_id,
            "duration_ms": took,
            "source": result.source,
        }
    )


def _parsed(text: str) -> tuple[dict[str, Any], str | None]:
    """The arguments; or none of them, and what is wrong."""
    try:
        arguments = json.loads(text) if text.strip() else {}
    except (ValueError, RecursionError):
        return {}, "Los argumentos no son JSON bien escrito. Llame otra vez a la herramienta con un objeto JSON."
    if not isinstance(arguments, dict):
        return {}, "Los argumentos no son un objeto JSON. Llame otra vez a la herramienta con un objeto JSON."
    return arguments, None


def _complaint(schema: str, arguments: Mapping[str, Any]) -> str | None:
    try:
        telling = _offences(schema).telling(arguments)
    except Exception:
        # A schema that is none: the server, whose it is, will say what it thinks of the arguments.
        log.warning("an input schema cannot be used", exc_info=True)
        return None
    return None if telling is None else sentence(telling)


@lru_cache(maxsize=512)
def _offences(schema: str) -> Offences:
    """Compiled once for as long as the catalogue stays what it is."""
    return Offences(json.loads(schema))


_UNSOURCED = "La herramienta «{title}» no se usa porque no declara de dónde proceden sus datos."
_REFUSED = "El servidor no admite la llamada a «{title}»."
_MALFORMED = "El resultado de «{title}» no se muestra porque no tiene la forma acordada."
