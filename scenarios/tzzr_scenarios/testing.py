"""What the fixture ``tzzr`` gives: a world, the real server on it, and what each service saw."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

from mcp import Client

from tzzr_mocks.addresses import HOSTS
from tzzr_mocks.control import Exchange
from tzzr_mocks.llm.script import Rule
from tzzr_mocks.network.virtual import new_virtual_loop
from tzzr_mocks.world import World
from tzzr_scenarios.chat_stage import Chat, gateway
from tzzr_scenarios.stage import ERAS, Era, Stage
from tzzr_scenarios.traced import traced

__all__ = ["Service", "Tzzr", "new_virtual_loop"]


class Service:
    """One faked service as a test looks at it."""

    def __init__(self, world: World, name: str) -> None:
        self._world, self.name = world, name

    @property
    def exchanges(self) -> list[Exchange]:
        """Every request that it saw, with its answer."""
        return self._world.journal.of(self.name)

    def saw(self, route: str | None = None, *, times: int | None = None, **attributes: Any) -> list[Exchange]:
        """The requests wanted: at least one, or just ``times``; the attributes are those of an exchange.

        Raises:
            AssertionError: there are more or fewer; the message shows the nearest ones and what differs.
        """
        return self._world.journal.saw(route, times=times, service=self.name, **attributes)


class Tzzr:
    """A world that begins with its first client. ``settings`` are environment variables of the server.

    Raises:
        PlanError: a fault could never act, or no fake has that starting world.
    """

    def __init__(
        self,
        seed: int = 7,
        *,
        faults: Sequence[str | Mapping[str, Any]] = (),
        settings: Mapping[str, str] | None = None,
        starting: str = "default",
    ) -> None:
        self.seed = seed
        self.world = World(seed, faults=faults, starting=starting)
        self._stage = Stage(self.world, dict(settings or {}))
        self._clients = 0
        self.grace, self.hst, self.context, self.llm = (Service(self.world, name) for name in HOSTS)

    @asynccontextmanager
    async def client(self, era: Era = ERAS[0]) -> AsyncIterator[Client]:
        """A client of a server of its own on this world; open it in the test's body, and as many as it needs."""
        async with self._begun(), self._stage.client(era) as client:
            yield traced(client, self.world.trace)

    @asynccontextmanager
    async def chat(
        self, script: Iterable[Rule | Mapping[str, Any]] | None = None, era: Era = ERAS[0]
    ) -> AsyncIterator[Chat]:
        """The chat gateway on this world: ``said = await chat.ask("…")``, and ``said.seen`` is what the person saw.

        Its model follows ``script``, rules as in a scenario's ``given.model``; without one it chooses tools by itself.

        Raises:
            PlanError: the script is none.
        """
        self.world.llm.follow(script)
        async with self._begun(), gateway(self._stage, era, "memory") as chat:
            yield chat

    @asynccontextmanager
    async def _begun(self) -> AsyncIterator[None]:
        """The world under way: the first client begins it, the last one ends it."""
        if not self._clients:
            await self.world.start()
        self._clients += 1
        try:
            yield
        finally:
            self._clients -= 1
            if not self._clients:
                await self.world.stop()

    def inject(self, fault: str | Mapping[str, Any]) -> None:
        """Plan one more fault.

        Raises:
            PlanError: it could never act.
        """
        self.world.plan.add(fault)

    def heal(self, what: str | None = None) -> None:
        """Remove every fault, or one."""
        self.world.plan.heal(what)

    @property
    def elapsed(self) -> float:
        """Virtual seconds since the world began."""
        return self.world.elapsed

    def check(self) -> None:
        """What the fixture asserts at the end: every fault that was planned has fired.

        Raises:
            AssertionError: one has not; say ``optional`` where that is meant.
        """
        left = [rule.sentence() for rule in self.world.plan.unfired()]
        assert not left, f"planned, but never fired: {'; '.join(left)}"  # noqa: S101 - it asserts on a test's behalf
