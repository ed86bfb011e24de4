"""A plugin's clients: opened once, when needed, and closed in the task that opened them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from contextvars import ContextVar
from typing import Any

import anyio
import pytest

from tests.tzzr_mcp.server.tiny import Clients, TinySettings, a_plugin, lifespan_of
from tzzr_mcp.plugins.api import Opening, Plugin
from tzzr_mcp.seams import Seams, SystemClock
from tzzr_mcp.server.lifespans import Lifespans

WHO: ContextVar[str] = ContextVar("who")


def lifespans(*plugins: Plugin) -> Lifespans:
    opening: Opening[Any] = Opening(TinySettings.model_validate({"TINY_KEY": "k"}), Seams(), "the transport")
    return Lifespans({plugin.name: opening for plugin in plugins})


async def test_a_plugin_without_lifespan_has_no_clients() -> None:
    plugin = a_plugin(lifespan=None)
    assert await lifespans(plugin).clients(plugin) is None


async def test_the_lifespan_gets_settings_seams_and_transport() -> None:
    given: list[Opening[Any]] = []

    @asynccontextmanager
    async def lifespan(opening: Opening[Any]) -> AsyncIterator[str]:
        given.append(opening)
        yield "clients"

    plugin = a_plugin(lifespan=lifespan)
    opened = lifespans(plugin)
    assert await opened.clients(plugin) == "clients"
    await opened.close()
    assert given[0].settings.size == 3
    assert given[0].transport == "the transport"


async def test_an_offline_world_is_built_before_the_first_lifespan_opens() -> None:
    order: list[str] = []

    class World:
        def build(self) -> None:
            order.append("built")

    @asynccontextmanager
    async def lifespan(opening: Opening[Any]) -> AsyncIterator[None]:
        order.append("opened")
        yield

    plugin = a_plugin(lifespan=lifespan)
    opening: Opening[Any] = Opening(None, Seams(), World())
    opened = Lifespans({"tiny": opening})
    await opened.clients(plugin)
    await opened.close()
    assert order == ["built", "opened"]


async def test_a_lifespan_with_a_task_group_closes_whoever_opened_it() -> None:
    closed: list[str] = []

    @asynccontextmanager
    async def lifespan(opening: Opening[Any]) -> AsyncIterator[str]:
        async with anyio.create_task_group() as group:
            group.start_soon(anyio.sleep_forever)
            yield "clients"
            group.cancel_scope.cancel()
        closed.append("closed")

    plugin = a_plugin(lifespan=lifespan)
    opened = lifespans(plugin)
    await asyncio.create_task(opened.clients(plugin))
    await opened.close()
    assert closed == ["closed"]


async def test_one_that_fails_to_open_tells_everybody_who_waits_and_is_tried_again() -> None:
    tries: list[int] = []

    @asynccontextmanager
    async def lifespan(opening: Opening[Any]) -> AsyncIterator[str]:
        await opening.seams.clock.sleep(1)
        tries.append(1)
        if len(tries) == 1:
            raise OSError("not yet")
        yield "clients"

    plugin = a_plugin(lifespan=lifespan)
    opened = lifespans(plugin)
    first = await asyncio.gather(opened.clients(plugin), opened.clients(plugin), return_exceptions=True)
    assert [str(error) for error in first] == ["not yet"] * 2
    assert await opened.clients(plugin) == "clients"
    await opened.close()


async def test_a_waiter_that_is_cancelled_does_not_cancel_the_opening() -> None:
    clients = Clients()

    @asynccontextmanager
    async def lifespan(opening: Opening[Any]) -> AsyncIterator[Clients]:
        await opening.seams.clock.sleep(3)
        clients.opened += 1
        yield clients

    plugin = a_plugin(lifespan=lifespan)
    opened = lifespans(plugin)
    with anyio.move_on_after(1) as scope:
        await opened.clients(plugin)
    assert scope.cancelled_caught
    assert await opened.clients(plugin) is clients
    assert clients.opened == 1
    await opened.close()


async def test_one_that_hangs_while_closing_is_cancelled_after_five_seconds() -> None:
    cancelled: list[float] = []

    @asynccontextmanager
    async def lifespan(opening: Opening[Any]) -> AsyncIterator[str]:
        yield "clients"
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.append(opening.seams.clock.monotonic())
            raise

    plugin = a_plugin(lifespan=lifespan)
    opened = lifespans(plugin)
    await opened.clients(plugin)
    await opened.close()
    assert asyncio.get_running_loop().time() == 5
    assert cancelled == [5]


async def test_one_that_will_not_be_cancelled_is_left_after_five_seconds_more() -> None:
    @asynccontextmanager
    async def lifespan(opening: Opening[Any]) -> AsyncIterator[str]:
        yield "clients"
        with anyio.CancelScope(shield=True):
            while asyncio.get_running_loop().time() < 30:
                with suppress(asyncio.CancelledError):
                    await opening.seams.clock.sleep(1)

    plugin = a_plugin(lifespan=lifespan)
    opened = lifespans(plugin)
    await opened.clients(plugin)
    await opened.close()
    assert asyncio.get_running_loop().time() == 10


async def test_clients_that_are_open_are_the_same_for_whoever_asks() -> None:
    clients = Clients()
    plugin = a_plugin(lifespan=lifespan_of(clients))
    opened = lifespans(plugin)
    assert await opened.clients(plugin) is await opened.clients(plugin)
    assert (clients.opened, clients.closed) == (1, 0)
    await opened.close()
    assert (clients.opened, clients.closed) == (1, 1)


async def test_what_a_request_keeps_in_its_context_is_not_that_of_the_clients_which_it_opens() -> None:
    seen: list[str] = []

    @asynccontextmanager
    async def lifespan(opening: Opening[Any]) -> AsyncIterator[None]:
        seen.append(WHO.get("nobody"))
        yield

    plugin = a_plugin(lifespan=lifespan)
    opened = lifespans(plugin)
    WHO.set("ana")
    await opened.clients(plugin)
    await opened.close()
    assert seen == ["nobody"]


async def test_one_that_fails_while_closing_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    @asynccontextmanager
    async def lifespan(opening: Opening[Any]) -> AsyncIterator[str]:
        yield "clients"
        raise OSError("the pool is broken")

    plugin = a_plugin(lifespan=lifespan)
    opened = lifespans(plugin)
    await opened.clients(plugin)
    await opened.close()
    (record,) = caplog.records
    assert record.getMessage() == "the lifespan of plugin tiny failed while it was open or closing"
    assert "the pool is broken" in caplog.text


async def test_the_last_opened_is_closed_first() -> None:
    order: list[str] = []

    def named(name: str) -> Plugin:
        @asynccontextmanager
        async def lifespan(opening: Opening[Any]) -> AsyncIterator[str]:
            yield name
            order.append(name)

        return a_plugin(name=name, lifespan=lifespan)

    first, second = named("first"), named("second")
    opened = lifespans(first, second)
    await opened.clients(first)
    await opened.clients(second)
    await opened.close()
    assert order == ["second", "first"]


async def test_closing_while_one_is_still_opening_waits_for_it() -> None:
    clients = Clients()
    plugin = a_plugin(lifespan=lifespan_of(clients))
    opened = lifespans(plugin)
    waiting = asyncio.create_task(opened.clients(plugin))
    await SystemClock().sleep(0)  # lets the opening begin
    await opened.close()
    assert await waiting is clients
    assert (clients.opened, clients.closed) == (1, 1)
