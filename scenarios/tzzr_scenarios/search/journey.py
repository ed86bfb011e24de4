"""A scenario that is told and played step by step, by a search that decides on the next step when it has seen the last.

The steps are those of scenario files, played and judged by the code that plays and judges files: whatever happens in a
journey, the file with its steps does again.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from typing import Any, Self, TypeVar

from tzzr_mocks.network.virtual import Deadlock, new_virtual_loop
from tzzr_mocks.world import World
from tzzr_scenarios import files, runner
from tzzr_scenarios.events import ScenarioResult, StepResult
from tzzr_scenarios.language.load import ScenarioFile
from tzzr_scenarios.language.mistakes import FileMistakes
from tzzr_scenarios.language.models import Scenario, Step
from tzzr_scenarios.language.places import Document
from tzzr_scenarios.language.sense import senseless
from tzzr_scenarios.search import symptoms
from tzzr_scenarios.search.symptoms import Symptoms

T = TypeVar("T")
Told = dict[str, Any]
"""A step, or a part of a scenario, as a file says it."""
TITLE = "A journey that is under way"
_UNWRITTEN = Document("journey", "")
_AS_THE_CALLER_SAID = (*runner.TOLD, ValueError)
"""What is raised for a step or a world that is none: the search's own mistake, and no find."""


class Broken(AssertionError):
    """Something does not hold in a journey; the message tells what, and where it is written down."""


Keeper = Callable[["Journey"], str]
"""What is told of a journey that broke; it answers with a remark for whoever reads of it."""


class Journey:
    """One world with the real server and a client, on virtual time of its own.

    ``given`` is that of a scenario file. What breaks is raised as `Broken`, after ``keeper`` was told of it.

        with Journey({"seed": 3}) as journey:
            journey.take({"call": "generar_hash", "with": {"texto": "hola"}})

    Not for use within a running loop.

    Raises:
        ValueError, FileMistakes: the given world is none.
        StartError, Unsettled: the server could not begin with these settings.
    """

    def __init__(self, given: Mapping[str, Any] | None = None, keeper: Keeper | None = None) -> None:
        self.given: Told = {"seed": runner.DEFAULT_SEED, **(given or {})}
        self.steps: list[Told] = []
        self.after: Told = {}
        self.symptoms: Symptoms = {}
        self._keeper = keeper
        self._play = runner.Play(_file(_scenario(self.given)), runner.Settings())
        self._loop = asyncio.Runner(loop_factory=new_virtual_loop)
        self._orders: asyncio.Queue[tuple[Step, asyncio.Future[None]] | None] = asyncio.Queue()
        self._actor: asyncio.Task[None] | None = None
        try:
            self._run(self._begin())
        except BaseException:
            self._loop.close()
            raise

    @property
    def world(self) -> World:
        """The world, to look at."""
        assert self._play.world is not None  # noqa: S101 - it has begun
        return self._play.world

    @property
    def elapsed(self) -> float:
        """Virtual seconds since it began."""
        return self._loop.get_loop().time()

    @property
    def told(self) -> Told:
        """Everything so far as a scenario file says it, but for the title."""
        rest = {"given": self.given, "steps": self.steps, "after": self.after}
        return {name: value for name, value in rest.items() if value}

    @property
    def result(self) -> ScenarioResult:
        """What has come of it by now."""
        return self._play.result()

    def take(self, step: Mapping[str, Any]) -> Sequence[StepResult]:
        """Take one more step, and judge everything so far; what each part of the step came to.

        Raises:
            Broken: something does not hold.
            ValueError, FileMistakes, LookupError: the step is none, or cannot be taken here.
        """
        ready, before = _scenario(steps=[step]).steps[0], len(self._play.done)
        self.steps.append(dict(step))
        try:
            self._run(self._ordered(ready))
        except _AS_THE_CALLER_SAID:
            raise
        except (Exception, Deadlock) as error:
            self._break(symptoms.of_problem(runner.told(error)))
        done = self._play.done[before:]
        self._break({**symptoms.of_steps(done), **symptoms.of_verdicts(self._play.judged())})
        return done

    def end(self, after: Mapping[str, Any] | None = None) -> ScenarioResult:
        """End client, server and world, and judge the whole, with what must hold ``after`` it.

        Raises:
            Broken: something does not hold.
        """
        self.after = dict(after or {})
        self._play.file = _file(_scenario(self.given, after=self.after))
        try:
            self._close()
        except (Exception, Deadlock) as error:
            self._play.problem = runner.told(error)
        self._break(symptoms.of_result(self.result))
        return self.result

    def _break(self, found: Symptoms) -> None:
        if not found:
            return
        self.symptoms = found
        self._abandon()
        remark = self._keeper(self) if self._keeper else ""
        raise Broken("\n".join([*(f"{name}: {what}" for name, what in found.items()), *filter(None, [remark])]))

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        return self._loop.run(work)

    async def _begin(self) -> None:
        begun = asyncio.get_running_loop().create_future()
        self._actor = asyncio.ensure_future(self._live(begun))
        await asyncio.wait({self._actor, begun}, return_when=asyncio.FIRST_COMPLETED)
        if self._actor.done():
            await self._actor

    async def _live(self, begun: asyncio.Future[None]) -> None:
        """Play from begin to end: whoever opened client and server must close them, hence one task for all steps."""
        async with self._play.begun() as performance:
            begun.set_result(None)
            while (order := await self._orders.get()) is not None:
                step, done = order
                try:
                    await performance.play([step])
                    done.set_result(None)
                except Exception as error:
                    done.set_exception(error)

    async def _ordered(self, step: Step) -> None:
        done = asyncio.get_running_loop().create_future()
        self._orders.put_nowait((step, done))
        await done

    async def _ended(self) -> None:
        self._orders.put_nowait(None)
        if self._actor is not None:
            await self._actor

    def _close(self) -> None:
        actor, self._actor = self._actor, None
        if actor is None:
            return
        self._actor = actor
        try:
            self._run(self._ended())
        finally:
            self._actor = None
            self._loop.close()

    def _abandon(self) -> None:
        """Close what may be closed, whatever state it is in."""
        with suppress(Exception, Deadlock):
            self._close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._abandon()


def _scenario(
    given: Mapping[str, Any] | None = None,
    steps: Sequence[Mapping[str, Any]] = ({"advance": 0},),
    after: Mapping[str, Any] | None = None,
) -> Scenario:
    """Parts of a scenario, as a file would have to say them.

    Raises:
        ValueError, FileMistakes: it could not.
    """
    told = {"scenario": TITLE, "given": given or {}, "steps": steps, "after": after or {}}
    scenario = Scenario.model_validate_json(json.dumps(told))
    if mistakes := list(senseless(_UNWRITTEN, scenario)):
        raise FileMistakes(mistakes)
    return scenario


def _file(scenario: Scenario) -> ScenarioFile:
    return ScenarioFile(_UNWRITTEN.name, files.home() / "journey.yaml", scenario, _UNWRITTEN)
