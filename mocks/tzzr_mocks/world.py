"""A world: the fakes under one plan, one journal, one clock and one seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, Literal, Self, TypeVar

from tzzr_mcp.seams import Clock, Dice, LoopClock, Seams, Trace
from tzzr_mocks.addresses import HOSTS, base_urls
from tzzr_mocks.cast import build
from tzzr_mocks.context import ContextFake
from tzzr_mocks.control import Control, FaultPlan, FaultRule, Journal
from tzzr_mocks.control.asgi import ASGIApp
from tzzr_mocks.control.errors import PlanError
from tzzr_mocks.control.stopwatch import Stopwatch
from tzzr_mocks.desk import Alone, control_app
from tzzr_mocks.fake import Keeps
from tzzr_mocks.grace import GraceFake
from tzzr_mocks.hst import HstFake
from tzzr_mocks.llm import LlmFake
from tzzr_mocks.network.steered import SteeredClock
from tzzr_mocks.ways import WorldTransport

START = datetime(2026, 1, 4, 10, 0, tzinfo=UTC)
"""When a world begins, if nobody says otherwise."""
TRACE_KEPT = 100_000
"""Events that a world in real time keeps, which may run for days."""
Planned = FaultRule | str | Mapping[str, Any]
"""A fault rule, its short form or its long form."""
T = TypeVar("T")


class World:
    """The fakes of one world, ready to be reached through `transport`.

    ``time`` is ``virtual`` for a loop of `tzzr_mocks.network.virtual`, on which waiting costs nothing; ``real``
    follows the machine from ``start`` on. ``starting`` names the starting world of every fake that has one so called.

        async with World(seed=7, faults=["grace: OCR_LOCAL is down"]) as world:
            async with httpx.AsyncClient(transport=world.transport) as client: …

    Raises:
        PlanError: a fault could never act, or no fake has that starting world.
    """

    def __init__(
        self,
        seed: int = 7,
        *,
        time: Literal["virtual", "real"] = "virtual",
        start: datetime = START,
        faults: Sequence[Planned] = (),
        starting: str = "default",
    ) -> None:
        clock: Clock = LoopClock(start) if time == "virtual" else SteeredClock(start)
        self.stopwatch = Stopwatch(clock)
        self.trace = Trace(self.stopwatch.elapsed, keep=None if time == "virtual" else TRACE_KEPT)
        self.seams = Seams(clock, Dice(seed), self.trace)
        self.plan = FaultPlan(self.seams, self.stopwatch)
        self.journal = Journal()
        self._furnish(seed, starting)
        self.environment = {**base_urls({name: f"http://{host}" for name, host in HOSTS.items()}), **self.keys}
        self.journal.redaction.learn(self.secrets)
        control = control_app(Alone(self, self.environment))
        self.transport = WorldTransport(self.fakes, HOSTS, self.plan, control)
        self.grace.webhooks.door = self.transport
        for rule in faults:
            self.plan.add(rule)

    def _furnish(self, seed: int, starting: str) -> None:
        clock, dice = self.seams.clock, Dice(seed)
        seams = {name: Seams(clock, dice.named(name), self.trace) for name in HOSTS}
        fakes = build({name: Control(name, seams[name], self.plan, self.journal) for name in HOSTS}, starting)
        self.seed, self.starting, self.fakes = seed, starting, fakes
        self.seams = self.plan.seams = Seams(clock, dice, self.trace)

    @property
    def keys(self) -> dict[str, str]:
        """What the fakes let a client in with, by the variable that a server reads it from."""
        return {name: value for fake in self.fakes.values() for name, value in fake.environment.items()}

    @property
    def secrets(self) -> frozenset[str]:
        """The keys and tokens among them, which nobody may see; ids and names are none."""
        return frozenset(value for name, value in self.keys.items() if name.endswith(("KEY", "TOKEN")))

    @property
    def grace(self) -> GraceFake:
        """GRACE on RunPod."""
        return self._fake("grace", GraceFake)

    @property
    def hst(self) -> HstFake:
        """HST on Directus."""
        return self._fake("hst", HstFake)

    @property
    def context(self) -> ContextFake:
        """The Context Manager."""
        return self._fake("context", ContextFake)

    @property
    def llm(self) -> LlmFake:
        """The language model."""
        return self._fake("llm", LlmFake)

    def _fake(self, service: str, kind: type[T]) -> T:
        fake = self.fakes[service]
        assert isinstance(fake, kind)  # noqa: S101 - the cast says so
        return fake

    @property
    def steering(self) -> SteeredClock | None:
        """The clock of a world in real time, which can be stopped and moved; None on virtual time."""
        clock = self.seams.clock
        return clock if isinstance(clock, SteeredClock) else None

    @property
    def elapsed(self) -> float:
        """Seconds since the world began, on its clock."""
        return self.stopwatch.elapsed()

    def receive(self, host: str, app: ASGIApp) -> None:
        """Put an application of the caller's into this world, such as the receiver of webhooks at ``http://host/``."""
        self.transport.receive(host, app)

    async def start(self) -> None:
        """Let time count from now, and the fakes begin what runs in the background."""
        self.stopwatch.begin()
        self.seams.clock.now()  # the first reading fixes the origin
        for fake in self.fakes.values():
            await fake.start()

    async def stop(self) -> None:
        """End what runs in the background and every request under way."""
        for fake in self.fakes.values():
            await fake.stop()
        await self.transport.close()

    def reset(self) -> None:
        """Back to the starting world: no faults, an empty journal and trace, fresh fakes. Time goes on."""
        self.plan.clear()
        self.journal.clear()
        self.trace.clear()
        for fake in self.fakes.values():
            fake.control.forget()
            fake.reset()

    async def renew(self, seed: int, starting: str = "default") -> None:
        """`reset` to another seed and starting world. Who has the transport reaches the new fakes by it.

        Raises:
            PlanError: no fake has that starting world; nothing has changed then.
        """
        old, door = self.fakes, self.grace.webhooks.door
        self._furnish(seed, starting)
        for fake in old.values():
            await fake.stop()
        self.grace.webhooks.door = door
        await self.transport.lead_to(self.fakes)
        self.reset()
        for fake in self.fakes.values():
            await fake.start()

    def snapshot(self) -> dict[str, Any]:
        """The state of plan and fakes, for `restore`: jobs that run, with how far they are, as much as rows."""
        controls = {name: fake.control.snapshot() for name, fake in self.fakes.items()}
        kept = {name: fake.snapshot() for name, fake in self.fakes.items() if isinstance(fake, Keeps)}
        return {"starting": self.starting, "plan": self.plan.snapshot(), "controls": controls, "fakes": kept}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go back to a snapshot; a fake that keeps none goes back to its starting world.

        Journal, trace and time go on: what had three seconds left has three from now. Requests under way that wait for
        a job hear that it is gone. A snapshot may be brought back any number of times.

        Raises:
            PlanError: the snapshot is of another starting world.
        """
        if state["starting"] != self.starting:
            was, this = state["starting"], self.starting
            raise PlanError(f"the snapshot is of the starting world {was!r}, and this world began as {this!r}")
        self.plan.restore(state["plan"])
        for name, fake in self.fakes.items():
            fake.control.restore(state["controls"][name])
            if isinstance(fake, Keeps):
                fake.restore(state["fakes"][name])
            else:
                fake.reset()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.stop()
