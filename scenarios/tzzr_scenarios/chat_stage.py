"""A person in front of the chat gateway: the real one, between the real server and the fake of a model.

With `tzzr_scenarios.stage` the only place that builds what is under test.
"""

from __future__ import annotations

import asyncio
import functools
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Self

import mcp
from mcp import types

from tzzr_mcp.gateway.connect import in_process
from tzzr_mcp.gateway.events import Event, Message
from tzzr_mcp.gateway.gateway import Gateway
from tzzr_mcp.gateway.models import adapter
from tzzr_mcp.gateway.settings import GatewaySettings
from tzzr_mocks.network.second import SecondTransport
from tzzr_scenarios.chat_seen import of_turn
from tzzr_scenarios.observation import Observation
from tzzr_scenarios.stage import Era, Seat, Stage
from tzzr_scenarios.wires import Wire

_NAMED = {"TZZR_GATEWAY_SERVER": "stdio:mcp-server-tzzr"}
"""A setting that the gateway demands, and that is not followed: the stage opens its connections."""


@dataclass(frozen=True)
class Said:
    """One turn: the events that the gateway told, and every result that it had of the server meanwhile."""

    events: tuple[Event, ...]
    results: tuple[types.CallToolResult, ...]

    @property
    def seen(self) -> Observation:
        """What the person saw, in the words of a scenario's ``expect``."""
        told = [event.model_dump(mode="json", exclude_none=True) for event in self.events]
        return of_turn(told, results_of(self.results))


@dataclass
class Chat:
    """The gateway, and the conversations that go through it, by name; it keeps none of them itself."""

    gateway: Gateway
    heard: list[types.CallToolResult]
    conversations: dict[str, list[Message]] = field(default_factory=dict)

    async def ask(self, question: str, conversation: str = "") -> Said:
        """The turn that a question leads to. What it adds to the conversation is sent with the next one."""
        before = len(self.heard)
        asked = [*self.conversations.get(conversation, ()), Message(role="user", content=question)]
        events = tuple([event async for event in self.gateway.turn(asked)])
        told = next(event for event in reversed(events) if event.type == "done")
        self.conversations[conversation] = [*asked, *told.messages]
        return Said(events, tuple(self.heard[before:]))


class Chats:
    """The chat of a seat, opened with its first question. Started anew, it goes on with the conversations."""

    def __init__(self, seat: Seat) -> None:
        self._seat = seat
        self._open: dict[int, Chat] = {}
        self._opening = asyncio.Lock()

    async def ask(self, question: str, conversation: str = "") -> Said:
        """One turn of a conversation."""
        return await (await self._chat()).ask(question, conversation)

    async def _chat(self) -> Chat:
        number = self._seat.restarts
        async with self._opening:
            if number not in self._open:
                kept = next(reversed(self._open.values())).conversations if self._open else {}
                chat = await self._seat.enter(gateway)
                chat.conversations.update(kept)
                self._open[number] = chat
        return self._open[number]


@asynccontextmanager
async def gateway(stage: Stage, era: Era, wire: Wire) -> AsyncIterator[Chat]:
    """The gateway of a stage: its model is the world's, each of its connections leads to a server of its own."""
    heard: list[types.CallToolResult] = []
    settings = GatewaySettings.from_env({**_NAMED, **stage.gateway_environ})
    transport = None if stage.sockets else SecondTransport(stage.world.transport)
    seams = stage.world.seams

    def connect(handler: Any) -> Any:
        return stage.client(era, wire, functools.partial(_Hearing, heard=heard, message_handler=handler))

    async with (
        adapter.opened(settings, seams, transport) as model,
        Gateway(settings.limits, connect, model, seams) as opened,
    ):
        yield Chat(opened, heard)


@asynccontextmanager
async def gateway_on(stage: Stage, environ: Mapping[str, str], *, real_model: bool = False) -> AsyncIterator[Gateway]:
    """A gateway alone, between the model and a server of its own on ``stage``; ``environ`` may set its limits.

    With ``real_model`` the model is the one that ``environ`` names, reached over the network; otherwise the world's.

    Raises:
        StartError: a setting is missing or wrong; the message lists them all.
        ModuleNotFoundError: the model's official client is not installed.
    """
    world = stage.world
    model_of = environ if real_model else {**environ, **world.environment}
    settings = GatewaySettings.from_env({**model_of, **_NAMED})
    transport = None if real_model else SecondTransport(world.transport)
    async with (
        stage.server() as server,
        adapter.opened(settings, world.seams, transport) as model,
        Gateway(settings.limits, in_process(server.mcp), model, world.seams) as gateway,
    ):
        yield gateway


class _Hearing(mcp.Client):
    """A client that keeps every result, so that what the gateway did with it can be judged."""

    def __init__(self, *arguments: Any, heard: list[types.CallToolResult], **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._heard = heard

    async def __aenter__(self) -> Self:
        """Open the connection, and listen in where every request goes through."""
        await super().__aenter__()
        asked = self.session.send_request

        async def listening(*arguments: Any, **options: Any) -> Any:
            result = await asked(*arguments, **options)
            if isinstance(result, types.CallToolResult):
                self._heard.append(result)
            return result

        vars(self.session)["send_request"] = listening
        return self


def results_of(said: Sequence[types.CallToolResult]) -> list[dict[str, Any]]:
    """The results as plain values: their texts and their structured content."""
    return [
        {"texts": [getattr(block, "text", "") for block in one.content], "structured": one.structured_content}
        for one in said
    ]
