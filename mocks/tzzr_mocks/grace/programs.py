"""What an endpoint's workers run: RunPod calls it a handler.

A program is an async function of its assignment that returns a value, or an async generator that streams chunks. It
waits through ``assignment.seams.clock`` alone: a snapshot that is brought back runs it again up to where it was. GRACE's own program is in ``worker.py``; `Script` plays any result.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Any

from tzzr_mcp.seams import Seams
from tzzr_mocks.grace.course import Course
from tzzr_mocks.grace.job import Chunk, Order
from tzzr_mocks.grace.options import Workers


@dataclass(frozen=True)
class Assignment:
    """One job as a worker gets it. ``progress(value)`` shows a value as the output while the job runs.

    ``course`` is the clock of ``seams``, and does once what a program may not do again when a snapshot is brought back.
    """

    id: str
    order: Order
    seams: Seams
    worker_id: str
    course: Course
    keep_s: float = 1800.0
    progress: Callable[[Any], None] = lambda _: None

    @property
    def input(self) -> Any:
        """The job's ``input``."""
        return self.order.input


Program = Callable[[Assignment], Awaitable[Any] | AsyncIterator[Any]]


async def echo(assignment: Assignment) -> Any:
    """Give the input back."""
    return assignment.input


@dataclass(frozen=True)
class Script:
    """A program that does what it was told: wait ``seconds``, show ``progress`` on the way, then return or raise.

    It stands for the workers that other people wrote. With ``chunks`` it streams them ``pause_s`` apart instead, and
    ``raises`` comes after the last.
    """

    returns: Any = None
    raises: Exception | None = None
    seconds: float = 0.0
    progress: tuple[Any, ...] = ()
    chunks: tuple[Any, ...] | None = None
    pause_s: float = 0.0
    ran: list[str] = field(default_factory=list)

    def __call__(self, assignment: Assignment) -> Awaitable[Any] | AsyncIterator[Any]:
        """Start; ``ran`` notes the job's id."""
        self.ran.append(assignment.id)
        return self._once(assignment) if self.chunks is None else self._stream(assignment)

    async def _once(self, assignment: Assignment) -> Any:
        for value in self.progress:
            assignment.progress(value)
        await assignment.seams.clock.sleep(self.seconds)
        if self.raises is not None:
            raise self.raises.with_traceback(None)  # or it tells of the runs before, too
        return self.returns

    async def _stream(self, assignment: Assignment) -> AsyncIterator[Any]:
        for chunk in self.chunks or ():
            await assignment.seams.clock.sleep(self.pause_s)
            yield chunk if isinstance(chunk, Chunk) else Chunk(chunk)
        await assignment.seams.clock.sleep(self.seconds)
        if self.raises is not None:
            raise self.raises.with_traceback(None)  # or it tells of the runs before, too


@dataclass(frozen=True)
class Deployment:
    """One endpoint as it was set up: what its workers run, and whether a stream's chunks become the output.

    ``warm`` and ``most`` override the world's workers for this endpoint.
    """

    program: Program = echo
    aggregate: bool = True
    warm: int | None = None
    most: int | None = None

    def workers(self, world: Workers) -> Workers:
        """The world's workers with what this endpoint says otherwise."""
        warm = world.warm if self.warm is None else self.warm
        most = world.most if self.most is None else self.most
        return replace(world, warm=min(warm, most), most=most)
