"""The jobs that wait, in order of arrival; those that a fault holds back stand beside the line until it lets go."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from itertools import islice

from tzzr_mocks.grace.faults.base import Hold
from tzzr_mocks.grace.job import Job

HoldOf = Callable[[Job], Hold | None]
"""What holds a job back now, or None."""


class Line:
    """The waiting line of one endpoint. ``hold_of`` tells what holds a job back now, or None."""

    def __init__(self, hold_of: HoldOf) -> None:
        self._hold_of = hold_of
        self._waiting: OrderedDict[str, Job] = OrderedDict()
        self._held: OrderedDict[str, Job] = OrderedDict()

    def add(self, job: Job) -> None:
        """Put a job at the end of the line, or beside it."""
        where = self._held if self._hold_of(job) else self._waiting
        where[job.id] = job

    def remove(self, job: Job) -> bool:
        """Take a job out; whether it was there."""
        return any(where.pop(job.id, None) is not None for where in (self._waiting, self._held))

    def next(self) -> Job | None:
        """Take the first job out, or None."""
        return self._waiting.popitem(last=False)[1] if self._waiting else None

    def release(self) -> None:
        """Let those into the line whose fault has let go."""
        for job in [job for job in self._held.values() if self._hold_of(job) is None]:
            self._waiting[job.id] = self._held.pop(job.id)

    def holds(self) -> list[Hold]:
        """What holds back each of those beside the line."""
        found = [self._hold_of(job) for job in self._held.values()]
        return [hold for hold in found if hold is not None]

    def urgent(self, most: int) -> int:
        """How many of the waiting make workers start (all but low priority), counted up to ``most``."""
        jobs = (job for job in self._waiting.values() if not job.order.policy.low_priority)
        return sum(1 for _ in islice(jobs, most))

    @property
    def waiting(self) -> int:
        """How many may be taken now."""
        return len(self._waiting)

    def __len__(self) -> int:
        return len(self._waiting) + len(self._held)

    @property
    def held(self) -> list[Job]:
        """Those beside the line."""
        return list(self._held.values())

    def snapshot(self) -> tuple[list[str], list[str]]:
        """The ids of those in the line, and of those beside it."""
        return list(self._waiting), list(self._held)

    def restore(self, state: tuple[Sequence[str], Sequence[str]], jobs: Mapping[str, Job]) -> None:
        """Let the ``jobs`` of a snapshot stand as they stood."""
        waiting, held = state
        self._waiting = OrderedDict((name, jobs[name]) for name in waiting)
        self._held = OrderedDict((name, jobs[name]) for name in held)

    def clear(self) -> list[Job]:
        """Empty the line; those that stood in it."""
        everyone = [*self._waiting.values(), *self._held.values()]
        self._waiting.clear()
        self._held.clear()
        return everyone
