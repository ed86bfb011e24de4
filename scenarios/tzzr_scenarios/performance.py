"""A scenario's steps carried out in order, each with what differed: also those that are made of steps."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tzzr_scenarios import expectation, steps, upstream
from tzzr_scenarios.chat_stage import Chats
from tzzr_scenarios.events import StepResult
from tzzr_scenarios.language.models import ParallelStep, RepeatStep, RestartStep, Step, UntilStep, verb_of
from tzzr_scenarios.language.places import Document, Path
from tzzr_scenarios.matchers import Difference
from tzzr_scenarios.observation import Observation
from tzzr_scenarios.spelling import counted
from tzzr_scenarios.stage import Seat
from tzzr_scenarios.story import in_short

Outcome = tuple[list[Difference], Observation | None]
"""What differed, and what the client saw where the step asked the server for something."""


@dataclass
class Performance:
    """One performance of a scenario. ``done`` and ``seen`` are filled as it goes, and hold what was when it breaks."""

    seat: Seat
    cast: steps.Cast
    document: Document
    done: list[StepResult]
    seen: list[Observation]

    def __post_init__(self) -> None:
        self.cast.chats = Chats(self.seat)

    async def play(self, todo: Sequence[Step], path: Path = ("steps",)) -> None:
        """Carry out steps one after another; ``path`` leads to their list in the file."""
        for number, step in enumerate(todo):
            await self._step(step, (*path, number))

    async def _step(self, step: Step, path: Path) -> None:
        begin, before = self.cast.now(), len(self.cast.world.journal)
        different, seen = await self._carried_out(step, path)
        different += self._upstream(step, before)
        self._note(step, path, begin, differences=different, seen=seen)

    def _note(
        self,
        step: Step,
        path: Path,
        begin: float,
        *,
        differences: Sequence[Difference] = (),
        tried: Sequence[Difference] = (),
        seen: Observation | None = None,
    ) -> None:
        line = self.document.place(path).line
        self.done.append(StepResult(titled(step), line, differences, begin, self.cast.now(), tried, seen))

    async def _carried_out(self, step: Step, path: Path) -> Outcome:
        begin = self.cast.now()
        if isinstance(step, UntilStep):
            return await self._until(step, path)
        if isinstance(step, ParallelStep):
            await asyncio.gather(*(self._step(inner, (*path, *where)) for where, inner in step.inner()))
        elif isinstance(step, RepeatStep):
            for _ in range(step.repeat):
                await self.play(step.steps, (*path, "steps"))
        elif isinstance(step, RestartStep):
            self.cast.note("request", step)
            self.cast.client = await self.seat.restart()
        else:
            return await self._observed(step)
        return self._different(step, Observation(elapsed=self.cast.now() - begin)), None

    async def _observed(self, step: Step) -> Outcome:
        seen = await steps.observe(step, self.cast)
        self.seen.append(seen)
        different = self._different(step, seen)
        steps.save(step, seen, self.cast)
        return different, seen

    def _different(self, step: Step, seen: Observation) -> list[Difference]:
        return list(expectation.differences(self.cast.expected(step.expect), seen))

    def _upstream(self, step: Step, before: int) -> list[Difference]:
        """What the services saw since the journal had ``before`` exchanges, where it is not as wanted."""
        if not step.upstream:
            return []
        wanted = {str(service): [self.cast.expected(each) for each in seen] for service, seen in step.upstream.items()}
        return list(upstream.differences(wanted, list(self.cast.world.journal)[before:]))

    async def _until(self, step: UntilStep, path: Path) -> Outcome:
        give_up, inner = self.cast.now() + step.limit, step.until
        for number in itertools.count(1):
            begin, before = self.cast.now(), len(self.cast.world.journal)
            seen = await steps.observe(inner, self.cast)
            self.seen.append(seen)
            different = self._different(inner, seen) + self._upstream(inner, before)
            if not different:
                steps.save(inner, seen, self.cast)
                return [], seen
            if self._stops(step, seen):
                return [Difference("until.stop", "not to hold", f"it held in attempt {number}"), *different], seen
            if self.cast.now() + step.every > give_up:
                got = f"{number} attempts did not; the last one:"
                return [Difference("until", f"an attempt within {step.limit:g} s to hold", got), *different], seen
            self._note(inner, (*path, "until"), begin, tried=different)
            await self.cast.world.seams.clock.sleep(step.every)
        raise AssertionError  # the count is endless

    def _stops(self, step: UntilStep, seen: Observation) -> bool:
        return step.stop is not None and not any(expectation.differences(self.cast.expected(step.stop), seen))


def titled(step: Step) -> str:
    """A step on one line: its verb and what it is about."""
    verb = verb_of(step) or "step"
    subject = getattr(step, verb)
    if isinstance(subject, Step):
        return f"{verb} {titled(subject)}"
    if isinstance(subject, Mapping | tuple):
        subject = counted(len(subject), "step") if isinstance(subject, tuple) else str(dict(subject))
    return f"{verb} {in_short(str(subject))}"
