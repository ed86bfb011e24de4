"""Where the control plane's routes find what they are about: the world asked for, and the snapshots kept of it."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from starlette.requests import Request

from tzzr_mocks.control.errors import PlanError, unknown
from tzzr_mocks.network.steered import SteeredClock
from tzzr_mocks.served.worlds import DEFAULT, Worlds
from tzzr_mocks.world import World


class Desk:
    """The worlds of a server, and snapshots of each by name."""

    def __init__(self, worlds: Worlds) -> None:
        self.worlds = worlds
        self._snapshots: dict[str, dict[str, Any]] = defaultdict(dict)

    def name_of(self, request: Request) -> str:
        """The world that a request names, in ``X-TZZR-World`` or ``?world=``."""
        return request.headers.get("x-tzzr-world") or request.query_params.get("world") or DEFAULT

    def world(self, request: Request) -> World:
        """The world that a request is about.

        Raises:
            UnknownWorld: there is none of that name.
        """
        return self.worlds.named(self.name_of(request))

    def clock(self, request: Request) -> SteeredClock:
        """The clock of that world.

        Raises:
            PlanError: it cannot be steered.
        """
        clock = self.world(request).steering
        if clock is None:
            raise PlanError("this world's time is virtual; only its own program moves it")
        return clock

    def keep(self, request: Request, name: str) -> None:
        """Keep a snapshot of the world under a name."""
        self._snapshots[self.name_of(request)][name] = self.world(request).snapshot()

    def kept(self, request: Request) -> list[str]:
        """The names of the snapshots of the world, oldest first."""
        return list(self._snapshots[self.name_of(request)])

    def bring_back(self, request: Request, name: str) -> None:
        """Let the world go back to a snapshot.

        Raises:
            PlanError: there is none of that name.
        """
        kept = self._snapshots[self.name_of(request)]
        if name not in kept:
            raise unknown("snapshot", name, kept)
        self.world(request).restore(kept[name])

    def forget(self, name: str) -> None:
        """Forget the snapshots of a world that is gone."""
        self._snapshots.pop(name, None)
