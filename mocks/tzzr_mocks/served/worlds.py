"""Many isolated worlds in one server: each has its own seed, faults, journal, clock and fakes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import httpx

from tzzr_mocks.addresses import base_urls
from tzzr_mocks.control.errors import PlanError, unknown
from tzzr_mocks.desk import DEFAULT, UnknownWorld
from tzzr_mocks.served.connection import refuse_what_only_a_client_meets
from tzzr_mocks.world import Planned, World

NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
MARK = "@"
"""Between a key and the name of the world that it opens: ``rpa_tzzr_offline@ci-42``."""


class Worlds:
    """The worlds of one server, by name. ``origins`` is filled when the ports are open."""

    def __init__(self, default: World) -> None:
        self.origins: dict[str, str] = {}
        self._worlds: dict[str, World] = {}
        self._way_out = httpx.AsyncHTTPTransport()
        self._keep(DEFAULT, default)

    @property
    def names(self) -> list[str]:
        """Every world, oldest first."""
        return list(self._worlds)

    def named(self, name: str) -> World:
        """The world called ``name``.

        Raises:
            UnknownWorld: there is none.
        """
        if name not in self._worlds:
            raise UnknownWorld(str(unknown("world", name, self._worlds)))
        return self._worlds[name]

    async def create(
        self, name: str, seed: int = 7, starting: str = "default", faults: Sequence[Planned] = ()
    ) -> World:
        """Make and start a world; one of that name is stopped and replaced.

        Raises:
            PlanError: the name is not one, a fault could never act here, or there is no such starting world.
        """
        if not NAME.fullmatch(name):
            raise PlanError(f"a world cannot be called {name!r}; give 1 to 64 of A-Z a-z 0-9 _ -")
        world = World(seed, time="real", starting=starting)
        world.plan.guards.append(refuse_what_only_a_client_meets)
        for rule in faults:
            world.plan.add(rule)
        if name in self._worlds:
            await self._worlds[name].stop()
        self._keep(name, world)
        await world.start()
        return world

    async def drop(self, name: str) -> None:
        """Stop and forget a world; the default one is made anew instead.

        Raises:
            UnknownWorld: there is none of that name.
        """
        await self.named(name).stop()
        if name == DEFAULT:
            await self.create(DEFAULT)
        else:
            del self._worlds[name]

    def _keep(self, name: str, world: World) -> None:
        self._worlds[name] = world
        world.grace.webhooks.door = self._way_out
        if refuse_what_only_a_client_meets not in world.plan.guards:
            world.plan.guards.append(refuse_what_only_a_client_meets)

    def environment(self, name: str) -> dict[str, str]:
        """What a server needs to reach one world through the ports: base URLs, and keys that name the world."""
        keys = self.named(name).keys
        if name != DEFAULT:
            keys = {variable: _marked(variable, value, name) for variable, value in keys.items()}
        return {**base_urls(self.origins), **keys}

    async def start(self) -> None:
        """Start the default world."""
        await self.named(DEFAULT).start()

    async def stop(self) -> None:
        """Stop every world."""
        for world in self._all():
            await world.stop()
        await self._way_out.aclose()

    def _all(self) -> Iterable[World]:
        return list(self._worlds.values())


def _marked(variable: str, value: str, name: str) -> str:
    return f"{value}{MARK}{name}" if variable.endswith(("KEY", "TOKEN")) else value
