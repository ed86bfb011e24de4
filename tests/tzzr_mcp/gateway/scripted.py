"""A model that says what a test tells it to, and a gateway between it and a real server."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from tests.tzzr_mcp.server.tiny import a_server
from tzzr_mcp.gateway.connect import in_process
from tzzr_mcp.gateway.events import DoneEvent, Event, Message
from tzzr_mcp.gateway.formodel import ForModel
from tzzr_mcp.gateway.gateway import Gateway
from tzzr_mcp.gateway.models import Delta, Ended, Exchange, Offer, Output, ToolRequest
from tzzr_mcp.gateway.settings import Limits
from tzzr_mcp.plugins.api import Tool
from tzzr_mcp.seams import Seams
from tzzr_mcp.server import TzzrServer

Step = Sequence[Output | Exception] | Callable[["Seen"], Iterable[Output | Exception]]


@dataclass(frozen=True)
class Seen:
    """One request to the model."""

    system: ForModel
    messages: tuple[Exchange, ...]
    tools: tuple[Offer, ...]

    @property
    def text(self) -> str:
        """Everything that the model could read."""
        return repr((self.system, self.messages, self.tools))


@dataclass
class ScriptedModel:
    """Answers with its steps one after the other, with the last one for ever; an exception in a step is raised."""

    steps: Sequence[Step]
    seen: list[Seen] = field(default_factory=list)
    closed: int = 0

    async def stream(
        self, system: ForModel, messages: Sequence[Exchange], tools: Sequence[Offer]
    ) -> AsyncGenerator[Output, None]:
        """The next step."""
        seen = Seen(system, tuple(messages), tuple(tools))
        self.seen.append(seen)
        step = self.steps[min(len(self.seen), len(self.steps)) - 1]
        try:
            for output in step(seen) if callable(step) else step:
                if isinstance(output, Exception):
                    raise output
                yield output
        finally:
            self.closed += 1


def says(*words: str) -> list[Output]:
    """An answer in words, piece by piece."""
    return [*(Delta(word) for word in words), Ended()]


def asks(name: str, /, id: str = "c1", **arguments: Any) -> list[Output]:  # noqa: A002 - as the models call it
    """An answer that asks for one tool."""
    return [ToolRequest(id, name, json.dumps(arguments)), Ended()]


@asynccontextmanager
async def a_gateway(
    model: Any, *tools: Tool, limits: Limits | None = None, server: TzzrServer | None = None, **more: Any
) -> AsyncIterator[Gateway]:
    """A gateway on virtual time, in process with a server of the tiny plugin."""
    served = server or a_server(*tools, **more)
    seams: Seams = served.runtime.seams
    async with served, Gateway(limits or Limits(), in_process(served.mcp), model, seams) as gateway:
        yield gateway


def question(text: str) -> Message:
    """A question."""
    return Message(role="user", content=text)


async def events_of(gateway: Gateway, *messages: Message | str) -> list[Event]:
    """Every event of one turn."""
    asked = [question(message) if isinstance(message, str) else message for message in messages]
    return [event async for event in gateway.turn(asked)]


def prose(events: Iterable[Event]) -> str:
    """What the model said."""
    return "".join(event.delta for event in events if event.type == "text")


def done(events: Sequence[Event]) -> DoneEvent:
    """The last event."""
    last = events[-1]
    assert isinstance(last, DoneEvent)
    assert sum(isinstance(event, DoneEvent) for event in events) == 1
    return last
