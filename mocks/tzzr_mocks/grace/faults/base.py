"""The base of the faults in a job's life.

A job meets the plan once, when it is submitted: the faults that fire then stay with it for its life, and the endpoint
asks each of them at the moments below. So ``first 2`` means the first two jobs, whatever is asked of them later. A
fault that is healed lets go at once. Faults are frozen; what they must remember is on the job (``reads``,
``attempts``).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

from tzzr_mocks.control.fault import Fault
from tzzr_mocks.control.occasion import Point
from tzzr_mocks.grace.job import Job
from tzzr_mocks.grace.lifecycle import Status
from tzzr_mocks.grace.posts import Post


@dataclass(frozen=True)
class Hold:
    """Why a job is not picked up yet: until ``until`` (monotonic seconds), its worker counted as ``counter``."""

    until: float = math.inf
    counter: str | None = None


@dataclass(frozen=True)
class JobFault(Fault):
    """A fault in the life of a job. Every moment does nothing unless a kind says otherwise."""

    point: ClassVar[Point] = Point.JOB
    services: ClassVar[frozenset[str]] = frozenset({"grace"})

    def submitted(self, job: Job) -> None:
        """The job has just been queued and nobody has looked at it."""

    def lifetime_s(self, job: Job) -> float | None:
        """Seconds from its submission after which the job is gone, or None: as its policy says."""
        return None

    def hold(self, job: Job) -> Hold | None:
        """Why no worker may pick the job up, or None."""
        return None

    def hangs(self, job: Job) -> bool:
        """Whether the program of this attempt never ends."""
        return False

    def silent(self, job: Job) -> bool:
        """Whether nothing is ever heard from the worker of this attempt."""
        return False

    def extra_runs(self, job: Job) -> int:
        """How many more workers run the same job beside the first."""
        return 0

    def posted(self, job: Job, post: Post) -> Post:
        """What the platform receives of the worker's post."""
        return post

    def over_time(self, job: Job, status: Status) -> Status:
        """The final status of a job that exceeded its ``executionTimeout``."""
        return status

    def waits(self, job: Job, operation: str, seconds: float) -> float:
        """How long ``runsync``, ``status-sync`` or ``stream`` is held at most."""
        return seconds

    def read(self, job: Job, operation: str) -> None:
        """Somebody asks for the job (``job.reads`` counts from 1). May raise a `Refusal`."""

    def shown(self, job: Job, operation: str, body: dict[str, Any]) -> dict[str, Any]:
        """The answer about the job, about to be sent; ``operation`` is the route's name."""
        return body

    def webhook(self, job: Job, body: Any) -> Any:
        """What a webhook posts; None when it is not called at all."""
        return body

    def repeats_webhook_s(self, job: Job) -> tuple[float, ...]:
        """Seconds before each further delivery that nobody needs."""
        return ()
