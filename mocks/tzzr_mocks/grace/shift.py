"""One job on one worker: its attempts, from the pick-up to what the platform makes of them (runpod.md §7)."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any, Final, Protocol

from tzzr_mcp.seams import Dice, Seams
from tzzr_mocks.grace import posts
from tzzr_mocks.grace.crew import Crew, Worker
from tzzr_mocks.grace.faults.base import JobFault
from tzzr_mocks.grace.job import ABSENT, Chunk, Job
from tzzr_mocks.grace.lifecycle import Status
from tzzr_mocks.grace.options import Options
from tzzr_mocks.grace.posts import Post
from tzzr_mocks.grace.programs import Assignment, Deployment
from tzzr_mocks.grace.tasks import Tasks
from tzzr_mocks.grace.timing import at_most

SILENT_TWICE: Final = "job timed out after {retries} retries"
OVER_TIME: Final = "executionTimeout exceeded"


@dataclass(frozen=True)
class Ended:
    """How an attempt ended: with a post, in silence, over its time, or because the job was taken away."""

    post: Post | None = None
    silent: bool = False
    over_time: bool = False


class Keeper(Protocol):
    """What a shift needs of the endpoint that keeps the job."""

    options: Options
    seams: Seams
    dice: Dice
    tasks: Tasks
    crew: Crew
    deployment: Deployment
    retried: int

    def faults_of(self, job: Job) -> list[JobFault]:
        """The faults that the job has met."""
        ...

    def is_gone(self, job: Job) -> bool:
        """Whether the job is not known any more."""
        ...

    def move(self, job: Job, status: Status) -> None:
        """Change the job's status."""
        ...

    def end(self, job: Job, status: Status) -> None:
        """The job has reached a final status."""
        ...

    def show_chunk(self, job: Job, chunk: Chunk) -> None:
        """A chunk has been streamed."""
        ...

    def output_limit(self, job: Job) -> int:
        """Most bytes of an output."""
        ...

    def keep_s(self, job: Job) -> float:
        """How long the result is kept."""
        ...


class Shift:
    """Runs one job to its end. The endpoint owns the job; the shift moves it."""

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
        """Start an attempt, unless the job is gone or was cancelled meanwhile."""
        job = self._job
        if job.status.final or self._endpoint.is_gone(job):
            return False
        job.attempts += 1
        job.started_at, job.worker_id = self._clock.monotonic(), self._worker.id
        job.output = ABSENT
        self._endpoint.move(job, Status.IN_PROGRESS)
        return True

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
        """Run the program once, within the job's time."""
        job = self._job
        faults = self._endpoint.faults_of(job)
        for _ in range(sum(fault.extra_runs(job) for fault in faults)):
            self._endpoint.tasks.start(self._echo_run())
        job.run = run = self._endpoint.tasks.start(self._run())
        limit = job.order.policy.execution_timeout_ms / 1000
        late = self._endpoint.dice.uniform(*self._options.late_kill_s)
        return await self._within(run, min(limit + late, job.gone_at - self._clock.monotonic()))

    async def _within(self, run: asyncio.Task[Ended], seconds: float) -> Ended:
        try:
            in_time = await at_most(max(0.0, seconds), self._clock, run)
        finally:
            run.cancel()
        if not in_time:
            await asyncio.wait({run})
            return Ended(over_time=True)
        return Ended() if run.cancelled() else run.result()

    async def _run(self) -> Ended:
        """The program, and what is heard of it."""
        job = self._job
        faults = self._endpoint.faults_of(job)
        if any(fault.hangs(job) for fault in faults):
            await asyncio.get_running_loop().create_future()
        post = None if any(fault.silent(job) for fault in faults) else await self._post()
        if post is not None:
            for fault in faults:
                post = fault.posted(job, post)
            post = posts.delivered(post, self._endpoint.output_limit(job))
        if post is None:
            await self._clock.sleep(self._options.silence_s)
        return Ended(post, silent=post is None)

    async def _post(self) -> Post | None:
        """What the worker posts. The platform strips an empty input, and the worker then refuses the job."""
        if self._job.order.input in ({}, None):
            return None
        streaming = False
        try:
            result = self._endpoint.deployment.program(self._assignment())
            streaming = inspect.isasyncgen(result)
            return await self._stream(result) if isinstance(result, AsyncIterator) else posts.post_of(await result)
        except Exception as failure:  # a program may raise anything, and its worker posts it
            return (
                posts.post_of_broken_stream(failure) if streaming else posts.post_of_failure(failure, self._worker.id)
            )

    async def _stream(self, chunks: AsyncIterator[Any]) -> Post:
        gathered: list[Any] = []
        async for item in chunks:
            chunk = item if isinstance(item, Chunk) else Chunk(item)
            if isinstance(chunk.output, dict) and chunk.output.get("error"):
                return Post(error=chunk.output["error"])
            self._endpoint.show_chunk(self._job, chunk)
            gathered.append(chunk.output)
        return Post(gathered if self._endpoint.deployment.aggregate else [])

    async def _echo_run(self) -> None:
        """The same job on one more worker; nobody listens to what comes of it."""
        result = self._endpoint.deployment.program(self._assignment())
        if isinstance(result, AsyncIterator):
            async for _ in result:
                pass
        else:
            await result

    def _assignment(self) -> Assignment:
        job = self._job
        keep_s = self._endpoint.keep_s(job)
        return Assignment(job.id, job.order, self._endpoint.seams, self._worker.id, keep_s, self._progress)

    def _progress(self, value: Any) -> None:
        if self._job.status is Status.IN_PROGRESS:
            self._job.output = value
            self._job.bell.ring()
