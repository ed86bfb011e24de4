"""Where the control plane's routes find what they are about: the world asked for, and the snapshots kept of it.

Routes are plain functions that take these as dependencies; closures would be kept for ever in FastAPI's caches.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Annotated, Any

from fastapi import Depends, Header, Query, Request

from tzzr_mocks.desk.live import DEFAULT, Live, NotNow, Worlds, there
from tzzr_mocks.network.steered import SteeredClock

DESK = "tzzr.desk"
"""Where in a scope the desk is: one application serves every desk of a process."""


class Desk:
    """The worlds that it is about, and snapshots of each by name."""

    def __init__(self, worlds: Worlds) -> None:
        self.worlds = worlds
        self._snapshots: dict[str, dict[str, Any]] = defaultdict(dict)

    def keep(self, world: str, name: str) -> list[str]:
        """Keep a snapshot of a world under a name; returns the names of all of them, oldest first."""
        self._snapshots[world][name] = self.worlds.named(world).snapshot()
        return self.kept(world)

    def kept(self, world: str) -> list[str]:
        """The names of a world's snapshots, oldest first."""
        return list(self._snapshots[world])

    def bring_back(self, world: str, name: str) -> None:
        """Let a world go back to a snapshot.

        Raises:
            NotThere: there is none of that name.
        """
        kept = self._snapshots[world]
        there("snapshot", name, kept)
        self.worlds.named(world).restore(kept[name])

    def forget(self, world: str) -> None:
        """Forget the snapshots of a world that is gone."""
        self._snapshots.pop(world, None)

    def told(self, world: str) -> dict[str, Any]:
        """A world in a few words."""
        one = self.worlds.named(world)
        return {
            "name": world, "seed": one.seed, "starting": one.starting, "elapsed": round(one.elapsed, 6),
            "exchanges": len(one.journal), "faults": len(one.plan.rules),
        }  # fmt: skip


async def _desk(request: Request) -> Desk:
    desk: Desk = request.scope[DESK]
    return desk


TheDesk = Annotated[Desk, Depends(_desk)]
"""The desk that a request came to."""


async def _name(
    x_tzzr_world: Annotated[str | None, Header(description="The world that this is about.")] = None,
    world: Annotated[str | None, Query(description="The same, where no header can be sent.")] = None,
) -> str:
    return x_tzzr_world or world or DEFAULT


WorldName = Annotated[str, Depends(_name)]
"""The name of the world that a request is about."""


async def _world(desk: TheDesk, name: WorldName) -> Live:
    return desk.worlds.named(name)


TheWorld = Annotated[Live, Depends(_world)]
"""The world that a request is about; 404 where there is none of that name."""


async def _clock(world: TheWorld) -> SteeredClock:
    if world.steering is None:
        raise NotNow("virtual time never runs by itself, so it cannot be stopped; POST /clock/advance lets it pass")
    return world.steering


TheClock = Annotated[SteeredClock, Depends(_clock)]
"""The clock of that world."""
