"""RunPod's serverless queue: submit a job, wait for it, cancel it when nobody waits any more (runpod.md §4–§7).

``/run`` and then ``/status``, never ``/runsync``: a job has an id from the first moment, so that it can be cancelled.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import quote
from uuid import UUID

import anyio

from tzzr_mcp.seams import Deadline
from tzzr_mcp.services.health import workforce
from tzzr_mcp.services.http import Answer, Request, encode, read_object
from tzzr_mcp.services.jobs import Job, JobState, read_job
from tzzr_mcp.services.streams import HOLD_S, Batch, PartOf, read_batch, reading
from tzzr_mcp.services.troubles import Trouble, UpstreamError
from tzzr_mcp.services.upstream import Sight, Upstream
from tzzr_mcp.services.waiting import Waiting

FIRST_POLL_S: Final = 0.05
FIRST_BATCH_S: Final = 0.2
"""Seconds between the first two readings of a stream, which would otherwise answer as often as a worker yields."""
POLL_GROWTH: Final = 1.6
LONGEST_POLL_S: Final = 2.0

FRESH_MISSES: Final = 7
"""How often a job that was never seen may be 404 before it counts as lost (runpod.md §7: clients allow 7)."""
REREADS: Final = 2
"""How often a COMPLETED job without usable output is read again (§13, 13 and 19: it may be premature)."""

CANCEL_S: Final = 1.0
"""Seconds of the call's own time kept for cancelling at its end, if it has ten in all; a tenth of it otherwise."""
PARTING_S: Final = 2.0
"""Seconds for finding out a job's id and cancelling it, once the caller has gone."""

_MIN_EXECUTION_MS: Final = 5_000
_MIN_TTL_MS: Final = 10_000
_KEPT_MS: Final = 600_000
"""How long a job may outlive its call, so that the same call again finds its result."""

Listener = Callable[[JobState, str], Awaitable[None]]
"""Is told the job's state each time that it was read, and the text that was written since the time before."""


@dataclass(frozen=True)
class Errand:
    """What one job is for. ``usable`` judges an output; ``about`` is shown in the trace.

    With ``part_of`` the job was asked to yield its answer in parts, and its stream is read for them.
    """

    input: Mapping[str, Any]
    deadline: Deadline
    trace_id: UUID
    listener: Listener
    usable: Callable[[Any], bool]
    about: Mapping[str, str] = field(default_factory=dict)
    part_of: PartOf | None = None


class RunPod:
    """The client of one endpoint."""

    def __init__(self, upstream: Upstream, endpoint: str) -> None:
        self.upstream = upstream
        self._path = f"/{quote(endpoint, safe='')}"
        self._service = upstream.door.service
        self.waiting = Waiting(self._service, upstream.seams.trace)

    async def run(self, errand: Errand) -> Job:
        """The job in its final state, whatever that is.

        When the deadline comes, the caller is cancelled, or the job cannot be followed any more, it is cancelled at
        RunPod, within `CANCEL_S` or `PARTING_S`.

        Raises:
            UpstreamError: submitting or following failed; DEADLINE when the time was over.
        """
        clock = self.upstream.seams.clock
        kept = min(CANCEL_S, errand.deadline.remaining() / 10)
        deadline = Deadline(errand.deadline.at - kept, clock)
        following = _Following(await self._submitted(errand, deadline), errand.usable, self.waiting)
        try:
            streamed = await self._streamed(following, errand, deadline)
            return streamed or await self._followed(following, errand, deadline)
        except UpstreamError as error:
            error.state = str(following.last)
            await self._abandon(following.job, errand, CANCEL_S)
            raise
        except asyncio.CancelledError:
            await self._abandon(following.job, errand, PARTING_S)
            raise
        finally:
            self.waiting.leave(following.job.id)

    async def look(self, deadline: Deadline) -> Sight:
        """How the endpoint is: whether it answers, and what keeps jobs waiting. Never fails."""
        request = Request("GET", f"{self._path}/health")
        return await self.upstream.look(request, deadline, lambda answer: workforce(read_object(self._service, answer)))

    async def cancel(self, job_id: str, deadline: Deadline, trace_id: UUID) -> None:
        """Cancel a job; one that is over or unknown counts as cancelled.

        Raises:
            UpstreamError: RunPod did not take the request.
        """
        request = Request("POST", f"{self._path}/cancel/{quote(job_id, safe='')}", body=b"{}")
        try:
            await self.upstream.ask(request, lambda answer: answer, deadline, trace_id)
        except UpstreamError as error:
            if error.trouble is not Trouble.NOT_FOUND:
                raise

    async def _submitted(self, errand: Errand, deadline: Deadline) -> Job:
        posting = asyncio.ensure_future(self._post(errand, deadline))
        try:
            return await asyncio.shield(posting)
        except asyncio.CancelledError:
            # The job may exist by now: its id must be known to cancel it.
            with anyio.move_on_after(PARTING_S, shield=True), suppress(UpstreamError):
                await self._abandon(await posting, errand, PARTING_S)
            posting.cancel()
            raise

    async def _post(self, errand: Errand, deadline: Deadline) -> Job:
        left_ms = int(errand.deadline.remaining() * 1000)
        policy = {"executionTimeout": max(_MIN_EXECUTION_MS, left_ms), "ttl": max(_MIN_TTL_MS, left_ms + _KEPT_MS)}
        body = encode({"input": errand.input, "policy": policy})
        request = Request("POST", f"{self._path}/run", body=body, about=errand.about)
        return await self.upstream.ask(request, self._read_submission, deadline, errand.trace_id)

    async def _streamed(self, following: _Following, errand: Errand, deadline: Deadline) -> Job | None:
        """Tell the job's text as it is written. The job when its end was seen, None when it is to be polled for."""
        part_of, pause = errand.part_of, FIRST_BATCH_S
        if part_of is None:
            return None
        await errand.listener(following.job.state, "")
        while (batch := await self._batch(following.job.id, errand, deadline)) is not None:
            if (done := batch.result(following.job.id, errand.usable)) is not None:
                following.see(done)
            elif batch.items:
                following.see(Job(following.job.id, JobState.IN_PROGRESS))  # who yields is at work
            else:
                following.see(await self._status(following.job.id, deadline, errand))
            await errand.listener(following.job.state, batch.text(part_of))
            if following.over:
                return following.job
            await self._wait(pause, deadline)
            pause = min(LONGEST_POLL_S, pause * POLL_GROWTH)
        return None

    async def _batch(self, job_id: str, errand: Errand, deadline: Deadline) -> Batch | None:
        """What the job has yielded since; None when its stream does not tell, or there is no time to wait for it."""
        if deadline.remaining() <= HOLD_S:
            return None
        request = reading(self._path, job_id, self.upstream.door.timeout_s, errand.about)
        try:
            return await self.upstream.once(
                request,
                lambda answer: read_batch(read_object(self._service, answer)),
                deadline,
                errand.trace_id,
            )
        except UpstreamError as error:
            if error.trouble is Trouble.DEADLINE:
                raise
            return None

    async def _followed(self, following: _Following, errand: Errand, deadline: Deadline) -> Job:
        pause = FIRST_POLL_S
        while True:
            await errand.listener(following.job.state, "")
            if following.over:
                return following.job
            await self._wait(pause, deadline)
            following.see(await self._status(following.job.id, deadline, errand))
            pause = min(LONGEST_POLL_S, pause * POLL_GROWTH)

    async def _wait(self, pause: float, deadline: Deadline) -> None:
        if pause >= deadline.remaining():
            await self.upstream.seams.clock.sleep(deadline.remaining())
            raise UpstreamError(self._service, Trouble.DEADLINE)
        await self.upstream.seams.clock.sleep(pause)

    async def _status(self, job_id: str, deadline: Deadline, errand: Errand) -> Job:
        request = Request("GET", f"{self._path}/status/{quote(job_id, safe='')}", about=errand.about)
        try:
            return await self.upstream.ask(
                request, lambda answer: self._read(answer, job_id), deadline, errand.trace_id
            )
        except UpstreamError as error:
            if error.trouble is Trouble.NOT_FOUND:
                return Job(job_id, JobState.GONE)
            raise

    async def _abandon(self, job: Job, errand: Errand, seconds: float) -> None:
        """Cancel a job that nobody waits for any more; when even that fails, its execution time-out ends it."""
        deadline = Deadline.after(seconds, self.upstream.seams.clock)
        with anyio.CancelScope(shield=True), suppress(UpstreamError):
            await self.cancel(job.id, deadline, errand.trace_id)

    def _read_submission(self, answer: Answer) -> Job:
        document = read_object(self._service, answer)
        job_id = document.get("id")
        if not isinstance(job_id, str) or not job_id:
            raise UpstreamError(self._service, Trouble.BAD_RESPONSE, status=answer.status)
        return self._job(document, answer, job_id)

    def _read(self, answer: Answer, job_id: str) -> Job:
        return self._job(read_object(self._service, answer), answer, job_id)

    def _job(self, document: Mapping[str, Any], answer: Answer, job_id: str) -> Job:
        job = read_job(document, job_id)
        if job is None:
            raise UpstreamError(self._service, Trouble.BAD_RESPONSE, status=answer.status)
        return job


class _Following:
    """What has been seen of one job: its last known state, and when it may be believed to be over."""

    def __init__(self, job: Job, usable: Callable[[Any], bool], waiting: Waiting) -> None:
        self.job = job
        self.last = job.state
        self._usable = usable
        self._waiting = waiting
        waiting.see(job)
        self._seen = False
        self._misses = 0
        self._unusable = 0

    def see(self, job: Job) -> None:
        """One more reading."""
        self._waiting.see(job)
        if job.state is JobState.GONE:
            self._misses += 1
        else:
            self._seen = True
            self.last = job.state
            self._unusable += job.state is JobState.COMPLETED and not self._usable(job.output)
        self.job = job

    @property
    def over(self) -> bool:
        """Whether the last reading is the end."""
        if self.job.state is JobState.GONE:
            return self._seen or self._misses > FRESH_MISSES
        if self.job.state is JobState.COMPLETED and not self._usable(self.job.output):
            return self._unusable > REREADS
        return self.job.final
