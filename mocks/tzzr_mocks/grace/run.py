"""The program on one worker, and what is heard of it: what an attempt at a job is made of (runpod.md §6)."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

from tzzr_mcp.seams import Seams
from tzzr_mocks.grace import posts
from tzzr_mocks.grace.course import Course
from tzzr_mocks.grace.faults.base import JobFault
from tzzr_mocks.grace.job import Attempt, Chunk, Echo, Job, Order
from tzzr_mocks.grace.lifecycle import Status
from tzzr_mocks.grace.options import Options
from tzzr_mocks.grace.posts import Post
from tzzr_mocks.grace.programs import Assignment, Deployment
from tzzr_mocks.grace.tasks import Tasks


@dataclass(frozen=True)
class Ended:
    """How an attempt ended: with a post, in silence, over its time, or because the job was taken away."""

    post: Post | None = None
    silent: bool = False
    over_time: bool = False


class Host(Protocol):
    """What a run needs of the endpoint that keeps the job."""

    options: Options
    seams: Seams
    tasks: Tasks
    deployment: Deployment

    def faults_of(self, job: Job) -> list[JobFault]:
        """The faults that the job has met."""
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


class Run:
    """One worker's run of a job, which follows ``course``."""

    def __init__(self, host: Host, job: Job, course: Course, worker_id: str) -> None:
        self._host = host
        self._job = job
        self._course = course
        self._worker_id = worker_id

    async def ended(self) -> Ended:
        """The program, and what is heard of it."""
        job = self._job
        faults = self._course.once("faults", lambda: self._host.faults_of(job))
        if any(fault.hangs(job) for fault in faults):
            await asyncio.get_running_loop().create_future()
        post = None if any(fault.silent(job) for fault in faults) else await self._post()
        if post is not None:
            for fault in faults:
                post = fault.posted(job, post)
            post = posts.delivered(post, self._host.output_limit(job))
        if post is None:
            await self._course.sleep(self._host.options.silence_s)
        return Ended(post, silent=post is None)

    async def unheard(self, order: Order) -> None:
        """The program, and nobody listens to what comes of it, nor to what it raises."""
        with suppress(Exception):
            result = self._host.deployment.program(self._assignment(order))
            if isinstance(result, AsyncIterator):
                async for _ in result:
                    pass
            else:
                await result

    async def _post(self) -> Post | None:
        """What the worker posts. The platform strips an empty input, and the worker then refuses the job."""
        if self._job.order.input in ({}, None):
            return None
        streaming = False
        try:
            result = self._host.deployment.program(self._assignment(self._job.order))
            streaming = inspect.isasyncgen(result)
            return await self._stream(result) if isinstance(result, AsyncIterator) else posts.post_of(await result)
        except Exception as failure:  # a program may raise anything, and its worker posts it
            return (
                posts.post_of_broken_stream(failure) if streaming else posts.post_of_failure(failure, self._worker_id)
            )

    async def _stream(self, chunks: AsyncIterator[Any]) -> Post:
        gathered: list[Any] = []
        async for item in chunks:
            chunk = item if isinstance(item, Chunk) else Chunk(item)
            if isinstance(chunk.output, dict) and chunk.output.get("error"):
                return Post(error=chunk.output["error"])
            self._course.once("chunk", partial(self._host.show_chunk, self._job, chunk))
            gathered.append(chunk.output)
        return Post(gathered if self._host.deployment.aggregate else [])

    def _assignment(self, order: Order) -> Assignment:
        host, job = self._host, self._job
        seams = Seams(self._course, host.seams.dice, host.seams.trace)
        return Assignment(job.id, order, seams, self._worker_id, self._course, host.keep_s(job), self._progress)

    def _progress(self, value: Any) -> None:
        self._course.once("progress", partial(self._show, value))

    def _show(self, value: Any) -> None:
        if self._job.status is Status.IN_PROGRESS:
            self._job.output = value
            self._job.bell.ring()


def run_attempt(host: Host, job: Job, attempt: Attempt, worker_id: str) -> None:
    """Start what runs in an attempt; of one that a snapshot had, up to where it was at once."""
    attempt.run = host.tasks.start(Run(host, job, attempt.course, worker_id).ended())


def run_echo(host: Host, job: Job, echo: Echo) -> None:
    """The same for one more worker on the same job."""
    host.tasks.start(_echoing(Run(host, job, echo.course, echo.worker_id), job, echo))


async def _echoing(run: Run, job: Job, echo: Echo) -> None:
    try:
        await run.unheard(echo.order)
    finally:
        job.echoes.remove(echo)
