"""The control plane of a single world, in the process that made it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tzzr_mocks.control.errors import PlanError, unknown
from tzzr_mocks.desk.live import DEFAULT, Live, UnknownWorld


class Alone:
    """One world, under the name of the default one. Its program made it and ends it, so no other can be made here."""

    def __init__(self, world: Live, environment: Mapping[str, str]) -> None:
        self._world = world
        self._environment = dict(environment)

    @property
    def names(self) -> list[str]:
        """The one name."""
        return [DEFAULT]

    def named(self, name: str) -> Live:
        """The world.

        Raises:
            UnknownWorld: another one is asked for.
        """
        if name != DEFAULT:
            raise UnknownWorld(str(unknown("world", name, self.names)))
        return self._world

    async def create(
        self, name: str, seed: int = 7, starting: str = "default", faults: Sequence[str | Mapping[str, Any]] = ()
    ) -> Live:
        """The world, begun anew.

        Raises:
            PlanError: it is another one that is wanted, or the seed, starting world or faults cannot be.
        """
        if name != DEFAULT:
            raise PlanError(
                f"the world {name!r} cannot be made here: this process has one, {DEFAULT!r}; make another in its "
                "program, World(seed=…, starting=…), or serve many with `tzzr mocks`"
            )
        await self._world.renew(seed, starting)
        for rule in faults:
            self._world.plan.add(rule)
        return self._world

    async def drop(self, name: str) -> None:
        """Begin the world anew, as the default one always is when it is dropped.

        Raises:
            UnknownWorld: another one is asked for.
        """
        self.named(name)
        await self.create(DEFAULT)

    def environment(self, name: str) -> dict[str, str]:
        """What a server in this process needs to reach the world, through its transport."""
        self.named(name)
        return dict(self._environment)
