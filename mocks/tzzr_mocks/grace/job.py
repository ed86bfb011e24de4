"""One job: what was asked, where it stands, what came of it. State only; who moves it is the endpoint."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import TYPE_CHECKING, Any, Final, Literal

from tzzr_mcp.seams import Clock
from tzzr_mocks.grace.course import Course
from tzzr_mocks.grace.lifecycle import Status
from tzzr_mocks.grace.timing import at_most

if TYPE_CHECKING:
    from tzzr_mocks.control.rule import FaultRule


class Absent(Enum):
    """A field that is not there, which is not the same as one that is null."""

    ABSENT = "absent"


ABSENT: Final = Absent.ABSENT


@dataclass(frozen=True)
class Policy:
    """``policy`` of a request, in milliseconds (runpod.md §5)."""

    execution_timeout_ms: int = 600_000
    ttl_ms: int = 86_400_000
    low_priority: bool = False


@dataclass(frozen=True)
class Order:
    """The body of ``/run`` or ``/runsync``, checked."""

    input: Any
    policy: Policy = field(default_factory=Policy)
    webhook: str | None = None
    s3: Mapping[str, Any] | None = None

    def names_only(self) -> Order:
        """The order without its content: what is needed to tell in a journal which job it was."""
        named = {
            "routing": {"module": self.module},
            "envelope": {"idempotency_key": self.key, "trace_id": self.trace_id},
        }
        return replace(self, input=named, s3=None)

    @property
    def module(self) -> str | None:
        """The GRACE module that an S-CONTRACT input addresses, else None."""
        return _text(self.input, "routing", "module")

    @property
    def key(self) -> str | None:
        """The idempotency key of an S-CONTRACT input, else None."""
        return _text(self.input, "envelope", "idempotency_key")

    @property
    def trace_id(self) -> str | None:
        """The trace id of an S-CONTRACT input, else None."""
        return _text(self.input, "envelope", "trace_id")


def _text(value: Any, *path: str) -> str | None:
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value if isinstance(value, str) else None


@dataclass(frozen=True)
class Chunk:
    """One item of a streamed result."""

    output: Any
    metrics: Any = ABSENT


class Bell:
    """Wakes everybody who waits for a change of one job."""

    def __init__(self) -> None:
        self._waiting: list[asyncio.Future[None]] = []

    def ring(self) -> None:
        """Something changed."""
        waiting, self._waiting = self._waiting, []
        for future in waiting:
            if not future.done():
                future.set_result(None)

    async def until(self, reached: Callable[[], bool], seconds: float, clock: Clock) -> bool:
        """Wait until ``reached()`` or ``seconds`` have passed on ``clock``; whether it was reached."""
        end = clock.monotonic() + seconds
        while not reached() and (left := end - clock.monotonic()) > 0:
            future = asyncio.get_running_loop().create_future()
            self._waiting.append(future)
            try:
                await at_most(left, clock, future)
            finally:
                if future in self._waiting:
                    self._waiting.remove(future)
        return reached()


@dataclass(eq=False)
class Attempt:
    """One attempt at a job. ``over_at`` is when it has taken too long, in seconds on the clock's monotonic scale."""

    course: Course
    over_at: float
    run: asyncio.Task[Any] | None = None


@dataclass(eq=False)
class Echo:
    """One more worker that runs a job beside the first; nobody listens to what comes of it."""

    course: Course
    order: Order
    worker_id: str


@dataclass(eq=False)
class Job:
    """One job of one endpoint. Instants are seconds on the clock's monotonic scale."""

    id: str
    endpoint: str
    via: Literal["run", "runsync"]
    order: Order
    queued_at: float
    gone_at: float
    status: Status = Status.IN_QUEUE
    started_at: float | None = None
    ended_at: float | None = None
    worker_id: str | None = None
    retries: int = 0
    output: Any = ABSENT
    error: str | None = None
    unread: deque[Chunk] = field(default_factory=deque)
    bell: Bell = field(default_factory=Bell)
    rules: tuple[FaultRule, ...] = ()
    reads: int = 0
    attempts: int = 0
    attempt: Attempt | None = None
    echoes: list[Echo] = field(default_factory=list)

    def stop(self) -> None:
        """Let the attempt that runs, if one does, end without a result."""
        if self.attempt is not None and self.attempt.run is not None:
            self.attempt.run.cancel()

    @property
    def delay_ms(self) -> int | None:
        """Milliseconds from submission (or `/retry`) to the start of the last attempt; None before the first."""
        return None if self.started_at is None else _milliseconds(self.started_at - self.queued_at)

    @property
    def execution_ms(self) -> int | None:
        """Milliseconds that the last attempt took; None while it runs."""
        if self.started_at is None or self.ended_at is None:
            return None
        return _milliseconds(self.ended_at - self.started_at)


def _milliseconds(seconds: float) -> int:
    """Whole milliseconds. Half of one is rounded as it is meant, whatever a time brought back has added to its last digit."""
    return round(round(seconds * 1000, 3))
