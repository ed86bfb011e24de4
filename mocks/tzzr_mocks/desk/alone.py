"""The control plane of a single world, in the process that made it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

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
        """Refused.

        Raises:
            PlanError: always.
        """
        self._refuse()

    async def drop(self, name: str) -> None:
        """Refused.

        Raises:
            PlanError: always.
        """
        self._refuse()

    def environment(self, name: str) -> dict[str, str]:
        """What a server in this process needs to reach the world, through its transport."""
        self.named(name)
        return dict(self._environment)

    def _refuse(self) -> NoReturn:
        raise PlanError(
            "this world is one program's own, and lives as long as it does: make another there, World(seed=…, "
            "starting=…), or serve many with `tzzr mocks`"
        )
