"""One job on one worker: its attempts, from the pick-up to what the platform makes of them (runpod.md §7)."""

from __future__ import annotations

import asyncio
from typing import Any, Final, Protocol

from tzzr_mcp.seams import Dice
from tzzr_mocks.grace import posts
from tzzr_mocks.grace.course import Course
from tzzr_mocks.grace.crew import Crew, Worker
from tzzr_mocks.grace.job import ABSENT, Attempt, Echo, Job
from tzzr_mocks.grace.lifecycle import Status
from tzzr_mocks.grace.run import Ended, Host, run_attempt, run_echo
from tzzr_mocks.grace.timing import at_most

SILENT_TWICE: Final = "job timed out after {retries} retries"
OVER_TIME: Final = "executionTimeout exceeded"


class Keeper(Host, Protocol):
    """What a shift needs of the endpoint that keeps the job."""

    dice: Dice
    crew: Crew
    retried: int

    def is_gone(self, job: Job) -> bool:
        """Whether the job is not known any more."""
        ...

    def move(self, job: Job, status: Status) -> None:
        """Change the job's status."""
        ...

    def end(self, job: Job, status: Status) -> None:
        """The job has reached a final status."""
        ...


class Shift:
    """Runs one job to its end. The endpoint owns the job; the shift moves it.

    An attempt that the job has already, because a snapshot was brought back, goes on.
    """

    def __init__(self, endpoint: Keeper, job: Job, worker: Worker) -> None:
        self._endpoint = endpoint
        self._options = endpoint.options
        self._clock = endpoint.seams.clock
        self._job = job
        self._worker = worker

    async def work(self) -> None:
        """Attempt the job until it has ended; nothing more when it was cancelled or is gone."""
        while self._running_on():
            ended = await self._attempt()
            if self._job.status is not Status.IN_PROGRESS or self._endpoint.is_gone(self._job):
                return
            if not ended.silent or self._job.retries >= self._options.platform_retries:
                self._finish(ended)
                return
            self._job.retries += 1
            self._endpoint.retried += 1
            self._endpoint.crew.replace(self._worker)

    def _running_on(self) -> bool:
        """Start an attempt, unless one runs, or the job is gone or was cancelled meanwhile."""
        job = self._job
        if job.status.final or self._endpoint.is_gone(job):
            return False
        if job.attempt is None:
            job.attempts += 1
            job.started_at, job.worker_id = self._clock.monotonic(), self._worker.id
            job.output = ABSENT
            self._endpoint.move(job, Status.IN_PROGRESS)
            self._begin()
        return True

    def _begin(self) -> None:
        job = self._job
        for _ in range(sum(fault.extra_runs(job) for fault in self._endpoint.faults_of(job))):
            job.echoes.append(Echo(Course(self._clock), job.order, self._worker.id))
            run_echo(self._endpoint, job, job.echoes[-1])
        limit = job.order.policy.execution_timeout_ms / 1000
        late = self._endpoint.dice.uniform(*self._options.late_kill_s)
        over_at = min(self._clock.monotonic() + limit + late, job.gone_at)
        job.attempt = Attempt(Course(self._clock), over_at)
        run_attempt(self._endpoint, job, job.attempt, self._worker.id)

    def _finish(self, ended: Ended) -> None:
        if ended.over_time:
            status: Status = self._options.over_time_status
            for fault in self._endpoint.faults_of(self._job):
                status = fault.over_time(self._job, status)
            self._end(status, ABSENT, OVER_TIME)
        elif ended.post is None:
            self._end(self._options.silent_status, ABSENT, SILENT_TWICE.format(retries=self._job.retries))
        else:
            completes = self._options.error_object_completes
            self._end(*posts.outcome(ended.post, error_object_completes=completes))
            if ended.post.stop_pod:
                self._endpoint.crew.replace(self._worker)

    def _end(self, status: Status, output: Any, error: str | None) -> None:
        self._job.output, self._job.error = output, error
        self._endpoint.end(self._job, status)

    async def _attempt(self) -> Ended:
        """Let the program run to its end, within the job's time."""
        attempt = self._job.attempt
        assert attempt is not None and attempt.run is not None  # noqa: S101, PT018 - `_running_on` saw to both
        try:
            return await self._within(attempt.run, attempt.over_at - self._clock.monotonic())
        finally:
            self._job.attempt = None

    async def _within(self, run: asyncio.Task[Ended], seconds: float) -> Ended:
        try:
            in_time = await at_most(max(0.0, seconds), self._clock, run)
        finally:
            run.cancel()
        if not in_time:
            await asyncio.wait({run})
            return Ended(over_time=True)
        return Ended() if run.cancelled() else run.result()
