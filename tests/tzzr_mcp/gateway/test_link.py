"""The connection to the MCP server and the catalogue over it: fetched first, kept, renewed, opened anew when lost."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from mcp import Client
from mcp.client.session import MessageHandlerFnT

from tests.tzzr_mcp.gateway.scripted import ScriptedModel, asks, done, events_of, prose, question, says
from tests.tzzr_mcp.gateway.strangers import Stranger, a_strange_tool, with_stranger
from tests.tzzr_mcp.server.tiny import ERAS, Era, a_server, a_tool, echo, wait
from tzzr_mcp.gateway.catalogue import LIST_S, TTL_S, catalogue_of
from tzzr_mcp.gateway.connect import in_process
from tzzr_mcp.gateway.failures import ServerLost
from tzzr_mcp.gateway.gateway import Gateway
from tzzr_mcp.gateway.link import OPEN_S
from tzzr_mcp.gateway.settings import Limits
from tzzr_mcp.seams import Seams
from tzzr_mcp.server import TzzrServer
from tzzr_mcp.server.transports.http import http_app
from tzzr_mcp.server.transports.http.options import HttpOptions
from tzzr_scenarios.wires import Wire, served

LIMITS = Limits()


@dataclass
class Counted:
    """A server of ours and how often its tools were listed."""

    server: TzzrServer
    listed: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        async def noting(ctx: Any, call_next: Any) -> Any:
            if ctx.method == "tools/list":
                self.listed.append(self.seams.clock.monotonic())
            return await call_next(ctx)

        self.server.mcp.middleware.insert(0, noting)

    @property
    def seams(self) -> Seams:
        """Its seams."""
        return self.server.runtime.seams

    @asynccontextmanager
    async def gateway(self, model: Any, era: Era = "auto") -> AsyncIterator[Gateway]:
        """A gateway in front of it."""
        async with self.server, Gateway(LIMITS, in_process(self.server.mcp, era), model, self.seams) as gateway:
            yield gateway


async def test_the_tools_are_fetched_before_the_first_question() -> None:
    counted = Counted(a_server())
    async with counted.gateway(ScriptedModel([says("Hola")])) as gateway:
        await gateway.clock.sleep(0.1)
        assert len(counted.listed) == 1
        await events_of(gateway, "Hola")
        await events_of(gateway, "Hola")
    assert len(counted.listed) == 1


async def test_the_catalogue_is_kept_for_as_long_as_the_server_says() -> None:
    counted = Counted(a_server())
    async with counted.gateway(ScriptedModel([says("Hola")])) as gateway:
        await events_of(gateway, "Hola")
        await gateway.clock.sleep(299)
        await events_of(gateway, "Hola")
        assert len(counted.listed) == 1
        await gateway.clock.sleep(2)
        await events_of(gateway, "Hola")
    assert len(counted.listed) == 2


async def test_a_server_that_says_nothing_of_it_is_asked_again_after_a_minute() -> None:
    counted = Counted(a_server())
    async with counted.gateway(ScriptedModel([says("Hola")]), "legacy") as gateway:
        await events_of(gateway, "Hola")
        await gateway.clock.sleep(TTL_S - 1)
        await events_of(gateway, "Hola")
        assert len(counted.listed) == 1
        await gateway.clock.sleep(2)
        await events_of(gateway, "Hola")
    assert len(counted.listed) == 2


@pytest.mark.parametrize("era", ERAS)
async def test_a_catalogue_that_changed_is_fetched_anew(era: Era) -> None:
    counted = Counted(a_server())
    async with counted.gateway(ScriptedModel([says("Hola")]), era) as gateway:
        await events_of(gateway, "Hola")
        await counted.server.changes.catalogue_changed("tools")
        await gateway.clock.sleep(0.1)
        await events_of(gateway, "Hola")
    assert len(counted.listed) == 2


async def test_within_a_turn_the_catalogue_stays_what_it_was() -> None:
    stranger = Stranger([a_strange_tool("dar"), a_strange_tool("quitar")])

    def change_and_ask(_: Any) -> Any:
        stranger.tools = [a_strange_tool("otra")]
        return asks("dar")

    model = ScriptedModel([change_and_ask, says("Ya."), says("Hola.")])
    async with with_stranger(model, stranger) as gateway:
        await events_of(gateway, "Dame")
        await gateway.clock.sleep(TTL_S + 1)
        await events_of(gateway, "Dame")
    offered = [[offer.name for offer in seen.tools] for seen in model.seen]
    assert offered == [["dar", "quitar"], ["dar", "quitar"], ["otra"]]


async def test_several_pages_are_one_catalogue() -> None:
    tools = [a_tool(echo, name=f"echo_{number}") for number in range(7)]
    counted = Counted(a_server(*tools, page_size=3))
    model = ScriptedModel([says("Hola")])
    async with counted.gateway(model) as gateway:
        await events_of(gateway, "Hola")
    assert [offer.name for offer in model.seen[0].tools] == [tool.name for tool in tools]
    assert len(counted.listed) == 3


def test_names_that_models_do_not_take_are_written_otherwise_and_stay_apart() -> None:
    catalogue = catalogue_of([a_strange_tool(name) for name in ("a.b", "a/b", "a_b", "x" * 80)])
    offered = [offer.name for offer in catalogue.offers]
    assert offered == ["a_b", "a_b_2", "a_b_3", "x" * 60]
    found = catalogue.find("a_b_2")
    assert found is not None
    assert found.name == "a/b"


async def test_a_tool_is_called_by_the_name_that_the_server_knows() -> None:
    stranger = Stranger([a_strange_tool("datos.dar")])
    async with with_stranger(ScriptedModel([asks("datos_dar"), says("Ya.")]), stranger) as gateway:
        assert done(await events_of(gateway, "Dame")).stopped == "answer"
    assert stranger.called == ["datos.dar"]


class _Mortal:
    """An application whose process may end: what is asked of it then breaks off, as at a proxy with nobody behind."""

    def __init__(self, app: Any) -> None:
        self.alive, self._app, self.router = True, app, app.router

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if self.alive:
            await self._app(scope, receive, send)
            return
        await send({"type": "http.response.start", "status": 502, "headers": [(b"content-length", b"0")]})
        await send({"type": "http.response.body", "body": b""})


@dataclass
class Doors:
    """A server of ours over a wire; each connection leads to the newest one that was started."""

    wire: Wire
    mode: Era = "auto"
    opened: int = 0
    app: Any = None

    @asynccontextmanager
    async def connect(self, handler: MessageHandlerFnT) -> AsyncIterator[Client]:
        """One connection."""
        if self.app is None or not self.app.app.alive:
            raise ConnectionRefusedError("nobody listens")
        self.opened += 1
        target = self.app.reached(self.wire)
        async with Client(target, mode=self.mode, cache=None, message_handler=handler) as client:
            yield client

    @asynccontextmanager
    async def server(self, *tools: Any) -> AsyncIterator[TzzrServer]:
        """A server for as long as the block runs."""
        server = a_server(*tools)
        async with served(_Mortal(http_app(server, HttpOptions()))) as self.app:
            yield server
        self.app.app.alive = False


WIRES = pytest.mark.parametrize(("wire", "era"), [("http", "auto"), ("http", "legacy"), ("sse", "legacy")])


def seams() -> Seams:
    return a_server().runtime.seams


@WIRES
async def test_a_server_that_was_started_anew_between_two_questions_is_found_again(wire: Wire, era: Era) -> None:
    doors = Doors(wire, era)
    model = ScriptedModel([asks("echo", texto="1"), says("Uno."), asks("echo", texto="2"), says("Dos.")])
    async with Gateway(LIMITS, doors.connect, model, seams()) as gateway:
        async with doors.server(a_tool(echo)):
            assert prose(await events_of(gateway, "Di uno")) == "Uno."
        async with doors.server(a_tool(echo)):
            events = await events_of(gateway, "Di dos")
    assert prose(events) == "Dos."
    assert [event.outcome for event in events if event.type == "tool"] == [None, "ok"]
    assert doors.opened == 2


@pytest.mark.parametrize(("wire", "era"), [("http", "legacy"), ("sse", "legacy")])
async def test_a_call_that_may_not_be_repeated_is_not(wire: Wire, era: Era) -> None:
    doors = Doors(wire, era)
    careful = a_tool(echo, read_only=False, idempotent=False)
    model = ScriptedModel([says("Hola."), asks("echo", texto="2"), says("Dos.")])
    async with Gateway(LIMITS, doors.connect, model, seams()) as gateway:
        async with doors.server(careful):
            await events_of(gateway, "Hola")
        async with doors.server(careful):
            events = await events_of(gateway, "Di dos")
    assert [event.type for event in events] == ["tool", "tool", "error", "done"]
    assert [event.outcome for event in events if event.type == "tool"] == [None, "error"]
    assert [event.code for event in events if event.type == "error"] == ["SERVER_UNREACHABLE"]


async def test_a_call_that_a_proxy_cuts_off_leaves_the_others_their_answers() -> None:
    doors = Doors("http")
    careful = a_tool(wait, read_only=False, idempotent=False)
    model = ScriptedModel([says("Hola."), asks("echo", texto="30"), asks("echo", texto="1"), says("Ya.")])
    async with doors.server(careful), Gateway(LIMITS, doors.connect, model, seams()) as gateway:
        await events_of(gateway, "Hola")
        slow = asyncio.create_task(events_of(gateway, "Espera"))
        await gateway.clock.sleep(5)
        doors.app.app.alive = False
        cut = await events_of(gateway, "Espera menos")
        doors.app.app.alive = True
        assert [event.code for event in cut if event.type == "error"] == ["SERVER_UNREACHABLE"]
        assert [event.text for event in await slow if event.type == "tool"] == [None, "hecho"]
        assert prose(await events_of(gateway, "¿Y ahora?")) == "Ya."


async def test_without_a_server_a_question_is_answered_with_a_sentence_and_the_next_one_tries_again() -> None:
    doors = Doors("http", "auto")
    model = ScriptedModel([says("Hola.")])
    async with Gateway(LIMITS, doors.connect, model, seams()) as gateway:
        events = await events_of(gateway, "Hola")
        assert [event.type for event in events] == ["error", "done"]
        assert done(events).stopped == "error"
        assert model.seen == []
        with pytest.raises(ServerLost):
            await gateway.resources()
        async with doors.server(a_tool(echo)):
            assert prose(await events_of(gateway, "Hola")) == "Hola."


async def test_a_server_that_does_not_list_its_tools_is_not_waited_for_for_ever() -> None:
    stranger = Stranger([a_strange_tool()])
    stranger.patience_s = 3600
    async with with_stranger(ScriptedModel([says("Hola.")]), stranger) as gateway:
        began = gateway.clock.monotonic()
        events = await events_of(gateway, "Hola")
        assert gateway.clock.monotonic() - began <= 2 * LIST_S
    assert [event.code for event in events if event.type == "error"] == ["SERVER_UNREACHABLE"]


async def test_a_connection_that_does_not_come_about_is_given_up_and_does_not_hold_up_the_end() -> None:
    @asynccontextmanager
    async def never(_: Any) -> AsyncIterator[Client]:
        await seams().clock.sleep(3600)
        raise AssertionError("nobody waits so long")
        yield

    gateway = Gateway(LIMITS, never, ScriptedModel([says("Hola.")]), seams())
    clock = gateway.clock
    async with gateway:
        began = clock.monotonic()
        assert done(await events_of(gateway, "Hola")).stopped == "error"
        assert clock.monotonic() - began <= 2 * OPEN_S
        again = asyncio.create_task(events_of(gateway, "Hola"))
        await clock.sleep(1)
        ending = clock.monotonic()
    assert clock.monotonic() - ending < 1
    assert done(await again).stopped == "cancelled"


@WIRES
async def test_over_either_wire_a_reader_who_goes_away_cancels_the_tools(wire: Wire, era: Era) -> None:
    doors = Doors(wire, era)
    model = ScriptedModel([asks("echo", texto="600")])
    async with (
        doors.server(a_tool(wait)) as server,
        Gateway(LIMITS, doors.connect, model, seams()) as gateway,
    ):
        turn = gateway.turn([question("Espera")])
        await anext(turn)
        await gateway.clock.sleep(5)
        await turn.aclose()
        await gateway.clock.sleep(1)
        ends = [event.details["outcome"] for event in server.runtime.seams.trace if event.kind == "tool.end"]
    assert ends == ["CANCELLED"]
