"""Runs scenario files, each on a world and a virtual loop of its own, and yields what happened as events."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tzzr_mcp.seams import Clock
from tzzr_mcp.settings import StartError
from tzzr_mocks.control import FaultRule, PlanError
from tzzr_mocks.network.virtual import Deadlock, new_virtual_loop
from tzzr_mocks.world import World
from tzzr_scenarios import after, events, files, live, stage, steps, verdicts
from tzzr_scenarios.folder import laid_out
from tzzr_scenarios.language.load import ScenarioFile
from tzzr_scenarios.language.models import ChatStep, Given, all_steps
from tzzr_scenarios.matchers import Difference
from tzzr_scenarios.observation import Observation
from tzzr_scenarios.performance import Performance
from tzzr_scenarios.stage import ERAS, Era, Seat, Stage
from tzzr_scenarios.wires import IN_REAL_TIME, UNTIMED, Wire, only

DEFAULT_SEED = 7
CALL_TIMEOUT_S = 50.0
"""What the server gives one call, where a scenario does not set it (`TZZR_CALL_TIMEOUT_S`)."""
TOLD = (LookupError, PlanError, StartError, stage.Unsettled)
"""Exceptions whose message is all that a person needs."""
LONGEST_S = 4.0
"""Seconds of virtual time beyond which a scenario is not played in real time."""
_CLIENTS_MISSING = tuple(name for name in ("openai", "anthropic") if find_spec(name) is None)
WHOLE_BODIES = 16 * 1024 * 1024
"""Characters of a body that the journal keeps for expectations: more than any that RunPod takes."""


@dataclass(frozen=True)
class Settings:
    """How to run: the seed and era of every scenario that names none of its own, and the transport of all.

    ``live`` is the environment of a server that asks the real services, in real time.
    """

    seed: int = DEFAULT_SEED
    era: Era = ERAS[0]
    wire: Wire = "memory"
    live: Mapping[str, str] | None = None


def run(
    scenario_files: Sequence[ScenarioFile], settings: Settings, wall: Callable[[], float]
) -> Iterator[events.Event]:
    """Run scenarios one after another. ``wall`` reads real seconds, shown to people alone."""
    begun = wall()
    yield events.RunStarted(scenario_files, settings.seed)
    results = []
    for file in scenario_files:
        before = wall()
        results.append(run_one(file, settings))
        yield events.ScenarioEnded(results[-1], wall() - before)
    yield events.RunEnded(results, settings.seed, wall() - begun)


def run_one(file: ScenarioFile, settings: Settings) -> events.ScenarioResult:
    """Run one scenario on a loop of its own: a virtual one, but for a server in another process.

    There it is skipped when it would take long, as a run on virtual time tells, or when a fault cannot be met there.
    """
    play = Play(file, settings)
    play.skipped = _unfit(file, settings)
    if play.skipped:
        return play.result()
    try:
        with asyncio.Runner(loop_factory=None if play.in_real_time else new_virtual_loop) as runner:
            runner.run(play.perform())
    except Deadlock as deadlock:
        play.problem = f"deadlock: {deadlock}"
    except PlanError as error:
        play.skipped, play.problem = ("", told(error)) if not play.in_real_time else (str(error), "")
    except Exception as error:
        play.problem = told(error)
    return play.result()


def _unfit(file: ScenarioFile, settings: Settings) -> str:
    """Why a scenario is not played in real time; nothing when it is."""
    if settings.live is not None:
        return live.unfit(file.scenario)
    if _CLIENTS_MISSING and any(isinstance(step, ChatStep) for step in all_steps(file.scenario.steps)):
        return f"asks a model, and the extra [gateway] is not installed: {', '.join(_CLIENTS_MISSING)}"
    if settings.wire not in IN_REAL_TIME:
        return ""
    long = run_one(file, replace(settings, wire="memory")).virtual_s
    return (
        f"would take {long:g} s in real time, and over stdio a scenario gets {LONGEST_S:g} s"
        if long > LONGEST_S
        else ""
    )


def told(error: BaseException) -> str:
    """An exception on one line, without the groups around it."""
    error = only(error)
    text = str(error.args[0]) if isinstance(error, KeyError) else str(error)
    return text if isinstance(error, TOLD) else f"{type(error).__name__}: {text}"


@dataclass
class Play:
    """One performance of a scenario: what it has come to so far."""

    file: ScenarioFile
    settings: Settings
    done: list[events.StepResult] = field(default_factory=list)
    seen: list[Observation] = field(default_factory=list)
    broken: Sequence[verdicts.Verdict] = ()
    left: Sequence[Difference] = ()
    unfired: Sequence[FaultRule] = ()
    problem: str = ""
    skipped: str = ""
    virtual_s: float = 0.0
    world: World | None = None
    limit_s: float = CALL_TIMEOUT_S

    @property
    def in_real_time(self) -> bool:
        """Whether the machine's clock runs: over a wire that needs it, or against a live service."""
        return self.settings.wire in IN_REAL_TIME or self.settings.live is not None

    def _stage(self, environ: Mapping[str, str]) -> AbstractAsyncContextManager[Stage]:
        if self.settings.live is not None:
            return stage.live(self.settings.live, environ)
        opened = stage.on_ports if self.in_real_time else stage.staged
        return opened(self.seed, faults=self.given.faults, settings=environ, starting=self.given.world)

    @property
    def given(self) -> Given:
        """The scenario's ``given``."""
        return self.file.scenario.given

    @property
    def seed(self) -> int:
        """The file's seed, or else the run's."""
        return self.given.seed if self.given.seed is not None else self.settings.seed

    @property
    def era(self) -> Era:
        """The file's protocol era, or else the run's."""
        return self.given.era or self.settings.era

    def _environ(self, laid: Path | None) -> dict[str, str]:
        roots = [files.home() / "documents", *([laid] if laid else [])]
        environ = {"TZZR_FILES_ROOT": os.pathsep.join(map(str, roots)), "TZZR_FILES_OVER_HTTP": "true"}
        if self.given.plugins:
            environ["TZZR_PLUGINS"] = ",".join(self.given.plugins)
        return environ | {name: _plain(value) for name, value in self.given.settings.items()}

    @property
    def _unheld(self) -> Collection[str]:
        """What of the expectations is not held."""
        if self.settings.live is not None:
            return live.UNHELD
        return UNTIMED if self.in_real_time else ()

    async def perform(self) -> None:
        """Play the file's steps from the first to the last."""
        async with self.begun() as performance:
            await performance.play(self.file.scenario.steps)

    @asynccontextmanager
    async def begun(self) -> AsyncIterator[Performance]:
        """World, server and client, with no step taken yet; judged when the body ends."""
        stage.check_settings(self.given.settings)
        with laid_out(self.given.files, self.file.path.parent) as laid:
            environ = self._environ(laid)
            async with self._stage(environ) as opened:
                self.world, self.limit_s = opened.world, float(environ.get("TZZR_CALL_TIMEOUT_S", CALL_TIMEOUT_S))
                opened.world.journal.cap = WHOLE_BODIES
                opened.world.llm.follow(self.given.model)
                async with self._with_client(opened) as performance:
                    yield performance
                self.left = self._left(opened.world)

    @asynccontextmanager
    async def _with_client(self, opened: Stage) -> AsyncIterator[Performance]:
        seat = Seat(opened, self.era, self.settings.wire)
        async with seat as client:
            cast = steps.Cast(client, opened.world, self.file.path.parent)
            begun = cast.now()
            try:
                yield Performance(seat, cast, self.file.document, self.done, self.seen)
            finally:
                self.virtual_s = cast.now() - begun
                self.unfired = opened.world.plan.unfired()
                self.broken = self.judged()

    def _left(self, world: World) -> Sequence[Difference]:
        if self.settings.live is not None:
            return ()
        return after.differences(self.file.scenario.after, list(world.journal), world.trace)

    def judged(self) -> Sequence[verdicts.Verdict]:
        """The verdicts that are broken by now."""
        assert self.world is not None  # noqa: S101 - there is one once it has begun
        secrets = self.world.secrets | live.secrets(self.settings.live or {})
        evidence = verdicts.Evidence(
            tuple(self.world.trace), tuple(self.world.journal), self.seen, secrets, self.limit_s
        )
        return verdicts.judged(evidence, self.file.scenario.waives)

    def result(self) -> events.ScenarioResult:
        """What it came to."""
        missed = () if self.problem else (*map(_unfired, self.unfired), *map(_broken, self.broken), *self.left)
        done = [_held(step, self._unheld) for step in self.done]
        failed = any(step.differences for step in done) or missed
        verdict: events.Verdict = "broken" if self.problem else "failed" if failed else "passed"
        trace = self.world.trace if self.world is not None else None
        return events.ScenarioResult(
            self.file,
            "skipped" if self.skipped else verdict,
            done,
            self.seed,
            self.era,
            self.virtual_s,
            trace=tuple(trace) if trace is not None else (),
            exchanges=tuple(self.world.journal) if self.world is not None else (),
            digest=trace.digest() if trace is not None else "",
            wire=self.settings.wire,
            live=self.settings.live is not None,
            problem=self.problem,
            reason=self.skipped,
            differences=missed,
        )


def _held(step: events.StepResult, unheld: Collection[str]) -> events.StepResult:
    """The step without what is not held."""
    if not unheld or not step.differences:
        return step
    names = tuple(unheld)
    inside = tuple(f"{name}{mark}" for name in names for mark in (".", "[", " "))
    paths = [(each.path.removeprefix("length of "), each) for each in step.differences]
    return replace(
        step, differences=[each for path, each in paths if path not in names and not path.startswith(inside)]
    )


def _broken(verdict: verdicts.Verdict) -> Difference:
    return Difference(f"verdict {verdict.rule}", "never, in any scenario (or waives: [rule])", verdict.what)


def _unfired(rule: FaultRule) -> Difference:
    return Difference("given.faults", f'"{rule.sentence()}" to fire (or optional: true)', "it never fired")


def _plain(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def clock_reader(clock: Clock) -> Callable[[], float]:
    """Real seconds outside a loop, for the one line that tells how long a run took."""
    begun = clock.now()

    def read() -> float:
        return (clock.now() - begun).total_seconds()

    return read
