"""Jobs as a snapshot has them: instants in seconds from the moment at which it was taken, and how far each run was."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from tzzr_mcp.seams import Clock, Dice
from tzzr_mocks.grace.course import Course, Ran
from tzzr_mocks.grace.crew import Worker
from tzzr_mocks.grace.job import Attempt, Bell, Echo, Job, Order
from tzzr_mocks.grace.lifecycle import Status

_INSTANTS: Final = ("queued_at", "gone_at", "started_at", "ended_at")


@dataclass(frozen=True)
class KeptJob:
    """One job without those who wait for it, its attempt with the seconds left to it, and its echoes."""

    job: Job
    attempt: tuple[Ran, float] | None
    echoes: tuple[tuple[Ran, Order, str], ...]


@dataclass(frozen=True)
class KeptEndpoint:
    """Everything that an endpoint knows. ``program`` is what its program keeps, where it can (`tzzr_mocks.fake.Keeps`)."""

    jobs: tuple[KeptJob, ...]
    line: tuple[list[str], list[str]]
    crew: tuple[list[Worker], Dice]
    dice: Dice
    ended: Mapping[Status, int]
    retried: int
    program: Any = field(default=None)


def keep_job(job: Job, now: float) -> KeptJob:
    """A job at the instant ``now``, on its own."""
    alone = replace(job, bell=Bell(), attempt=None, echoes=[], **_moved(job, -now))
    attempt = (job.attempt.course.keep(), job.attempt.over_at - now) if job.attempt else None
    echoes = tuple((echo.course.keep(), copy.deepcopy(echo.order), echo.worker_id) for echo in job.echoes)
    return KeptJob(copy.deepcopy(alone), attempt, echoes)


def bring_back(kept: KeptJob, clock: Clock) -> Job:
    """The job as it goes on now. Nothing of it runs yet."""
    now = clock.monotonic()
    job = copy.deepcopy(kept.job)
    if kept.attempt is not None:
        ran, left_s = kept.attempt
        attempt = Attempt(Course(clock, ran), now + left_s)
    else:
        attempt = None
    echoes = [Echo(Course(clock, ran), copy.deepcopy(order), worker) for ran, order, worker in kept.echoes]
    return replace(job, bell=Bell(), attempt=attempt, echoes=echoes, **_moved(job, now))


def _moved(job: Job, seconds: float) -> dict[str, Any]:
    instants = {name: getattr(job, name) for name in _INSTANTS}
    return {name: None if at is None else at + seconds for name, at in instants.items()}
