"""The jobs of one endpoint and every rule about them: what may be asked, what follows, what is kept. No HTTP."""

from __future__ import annotations

import copy
import math
from dataclasses import replace
from functools import partial
from operator import itemgetter
from typing import Any, Literal

from tzzr_mcp.seams import Seams
from tzzr_mocks.control import Control
from tzzr_mocks.control.occasion import Occasion, Point
from tzzr_mocks.fake import Keeps
from tzzr_mocks.grace import lifecycle, snapshots
from tzzr_mocks.grace.crew import Crew, Worker
from tzzr_mocks.grace.errors import BadRequest, NotFound, TooMany
from tzzr_mocks.grace.expiries import Expiries
from tzzr_mocks.grace.faults.base import Hold, JobFault
from tzzr_mocks.grace.job import ABSENT, Chunk, Job, Order
from tzzr_mocks.grace.lifecycle import RETRYABLE, Status
from tzzr_mocks.grace.limits import MEGABYTE
from tzzr_mocks.grace.line import Line
from tzzr_mocks.grace.options import Options
from tzzr_mocks.grace.posts import split_chunk
from tzzr_mocks.grace.programs import Deployment
from tzzr_mocks.grace.run import run_attempt, run_echo
from tzzr_mocks.grace.shift import Shift
from tzzr_mocks.grace.snapshots import KeptEndpoint
from tzzr_mocks.grace.tasks import Tasks
from tzzr_mocks.grace.webhooks import Webhooks


class Endpoint:
    """One endpoint: its jobs, its waiting line, its workers and its counters."""

    def __init__(
        self, name: str, deployment: Deployment, options: Options, control: Control, webhooks: Webhooks
    ) -> None:
        self.name = name
        self.deployment = deployment
        self.options = options
        self.control = control
        self.seams: Seams = control.seams
        self.dice = control.seams.dice.named("grace").named(name)
        self.tasks: Tasks = webhooks.tasks
        self.jobs: dict[str, Job] = {}
        self.line = Line(self.hold_of)
        self.crew = Crew(
            replace(self.seams, dice=self.dice), deployment.workers(options.workers), self.tasks, self.line, self._take
        )
        self.ended = dict.fromkeys(Status, 0)
        self.retried = 0
        self._live = dict.fromkeys(Status, 0)
        self._webhooks = webhooks
        self._expiries = Expiries()

    def now(self) -> float:
        """Seconds on the clock's monotonic scale."""
        return self.seams.clock.monotonic()

    # What a caller may ask for

    def submit(self, order: Order, via: Literal["run", "runsync"], body: bytes) -> Job:
        """Queue a job. Raises `TooMany` when the line is full (runpod.md §4)."""
        self.sweep()
        workers = self.crew.most
        if self.options.limits.queue_is_full(len(self.line), workers):
            raise TooMany(self.options.retry_after_s)
        now = self.now()
        job = Job(self._new_id(via), self.name, via, order, now, now + order.policy.ttl_ms / 1000)
        job.rules = tuple(self.control.plan.firing(self._occasion(job, body)))
        self.jobs[job.id] = job
        self._live[job.status] += 1
        self._expire_at(job, job.gone_at)
        for fault in self.faults_of(job):
            fault.submitted(job)
            if (seconds := fault.lifetime_s(job)) is not None:
                self.live_for(job, seconds)
        self._queue(job)
        return job

    def find(self, job_id: str) -> Job:
        """The job of this id. Raises `NotFound` when it never was, was purged, or has expired."""
        self.sweep()
        job = self.jobs.get(job_id)
        if job is None:
            raise NotFound("job", self.options.not_found)
        if len(self.line):
            self.crew.pump()  # a fault that was healed lets go
        return job

    def cancel(self, job_id: str) -> Job:
        """Cancel a job; one that has ended stays as it is. Raises `NotFound`, or `BadRequest` if so switched."""
        job = self.find(job_id)
        if job.status.final:
            if self.options.cancel_final == "refused" and job.status is not Status.CANCELLED:
                raise BadRequest(f"job is {job.status} and cannot be cancelled")
            return job
        self.line.remove(job)
        self.end(job, Status.CANCELLED)
        job.stop()
        return job

    def retry(self, job_id: str) -> Job:
        """Queue a failed job again under its id. Raises `NotFound`, or `BadRequest` when it has not failed."""
        job = self.find(job_id)
        if job.status not in RETRYABLE:
            refusal = f"job is {job.status}; only FAILED and TIMED_OUT jobs can be retried"
            raise BadRequest(refusal, self.options.retry_refused_status)
        now = self.now()
        job.output, job.error, job.retries, job.worker_id = ABSENT, None, 0, None
        job.queued_at, job.started_at, job.ended_at = now, None, None
        job.unread.clear()
        self._expire_at(job, now + job.order.policy.ttl_ms / 1000)
        self.move(job, Status.IN_QUEUE)
        self._queue(job)
        return job

    def purge(self) -> int:
        """Remove every job that waits; how many there were."""
        self.sweep()
        purged = self.line.clear()
        for job in purged:
            if self.options.purged == "cancelled":
                self.end(job, Status.CANCELLED)
            else:
                self._forget(job)
        return len(purged)

    def live_for(self, job: Job, seconds: float) -> None:
        """``?ttl=`` of ``/status``: the job is gone that many seconds from now."""
        self._expire_at(job, self.now() + seconds)

    def health(self) -> dict[str, Any]:
        """The counters of ``/health`` (runpod.md §8)."""
        self.sweep()
        self.crew.pump()
        jobs = {
            "completed": self.ended[Status.COMPLETED],
            "failed": self.ended[Status.FAILED] + self.ended[Status.TIMED_OUT],
            "inProgress": self._live[Status.IN_PROGRESS],
            "inQueue": self._live[Status.IN_QUEUE],
            "retried": self.retried,
        }
        return {"jobs": jobs, "workers": self.crew.counts()}

    def close(self) -> None:
        """Let go of every job: whoever waits for one is told that it is gone."""
        for job in list(self.jobs.values()):
            self._forget(job)

    # What happens to a job

    def move(self, job: Job, status: Status) -> None:
        """Change a job's status, tell the trace and whoever waits. Raises `IllegalTransition`."""
        lifecycle.check(job.id, job.status, status)
        self._live[job.status] -= 1
        self._live[status] += 1
        job.status = status
        self._trace(job)
        job.bell.ring()

    def end(self, job: Job, status: Status) -> None:
        """A job reaches a final status: it is kept for a while, and its webhook is called."""
        now = self.now()
        job.ended_at = now
        self.ended[status] += 1
        self._expire_at(job, min(job.gone_at, now + self.keep_s(job)))
        self.move(job, status)
        if job.order.webhook and status in self.options.webhook_on:
            self._webhooks.call(job, self.faults_of(job))
        if status not in RETRYABLE:
            job.order = job.order.names_only()

    def show_chunk(self, job: Job, chunk: Chunk) -> None:
        """A worker streamed one chunk."""
        job.unread.extend(split_chunk(chunk, self.options.limits.chunk_bytes))
        job.bell.ring()

    def faults_of(self, job: Job) -> list[JobFault]:
        """The faults that the job met at its submission and that have not been healed since."""
        if not job.rules:
            return []
        living = {rule.id for rule in self.control.plan.rules}
        return [rule.fault for rule in job.rules if rule.id in living and isinstance(rule.fault, JobFault)]

    def hold_of(self, job: Job) -> Hold | None:
        """What keeps workers from picking the job up now."""
        holds = (fault.hold(job) for fault in self.faults_of(job))
        return next((hold for hold in holds if hold is not None and hold.until > self.now()), None)

    def keep_s(self, job: Job) -> float:
        """How long the result is kept after the job's end."""
        return self.options.keep_run_s if job.via == "run" else self.options.keep_runsync_s

    def output_limit(self, job: Job) -> int:
        """Most bytes of an output; over it the worker's post is refused."""
        limits = self.options.limits
        return MEGABYTE * (limits.output_run_mb if job.via == "run" else limits.output_runsync_mb)

    # What is kept

    def snapshot(self) -> KeptEndpoint:
        """Everything, for `restore`."""
        self.sweep()
        now = self.now()
        program: object = self.deployment.program
        return KeptEndpoint(
            tuple(snapshots.keep_job(job, now) for job in self.jobs.values()), self.line.snapshot(), self.crew.snapshot(),
            copy.deepcopy(self.dice), dict(self.ended), self.retried,
            program.snapshot() if isinstance(program, Keeps) else None,
        )  # fmt: skip

    def restore(self, state: KeptEndpoint) -> None:
        """Go on from a snapshot, on an endpoint that has had no job yet."""
        jobs = [snapshots.bring_back(kept, self.seams.clock) for kept in state.jobs]
        self.jobs = {job.id: job for job in jobs}
        self.dice = copy.deepcopy(state.dice)
        self.ended, self.retried = dict(state.ended), state.retried
        for job in jobs:
            self._live[job.status] += 1
            self._expire_at(job, job.gone_at)
        program: object = self.deployment.program
        if isinstance(program, Keeps):
            program.restore(state.program)
        self._run_on(jobs)
        self.line.restore(state.line, self.jobs)
        self.crew.restore(state.crew, self.jobs)
        for job in self.line.held:
            if (hold := self.hold_of(job)) is not None:
                self.crew.wake_at(hold)

    def _run_on(self, jobs: list[Job]) -> None:
        """Start again what ran, in the order in which it had begun: the first to ask for a key computes it."""
        starts = [(echo.course.began, partial(run_echo, self, job, echo)) for job in jobs for echo in job.echoes]
        for job in jobs:
            if job.attempt is not None and not job.status.final:
                begun = job.attempt.course.began
                starts.append((begun, partial(run_attempt, self, job, job.attempt, job.worker_id or "")))
        for _, start in sorted(starts, key=itemgetter(0)):
            start()

    def is_gone(self, job: Job) -> bool:
        """Whether the job is not known any more."""
        self.sweep()
        return self.jobs.get(job.id) is not job

    def sweep(self) -> None:
        """Let go of what has expired."""
        for job_id in self._expiries.due(self.now()):
            self._expire(self.jobs[job_id])

    def _expire(self, job: Job) -> None:
        if self.options.ttl_over == "timed_out" and job.status is Status.IN_QUEUE:
            self.line.remove(job)
            job.gone_at = math.inf
            self.end(job, Status.TIMED_OUT)
        else:
            self._forget(job)

    def _forget(self, job: Job) -> None:
        self.line.remove(job)
        self._expiries.drop(job.id)
        del self.jobs[job.id]
        self._live[job.status] -= 1
        job.stop()
        job.bell.ring()

    def _expire_at(self, job: Job, instant: float) -> None:
        job.gone_at = instant
        self._expiries.set(job.id, instant)

    # Parts

    def _queue(self, job: Job) -> None:
        self._trace(job)
        self.line.add(job)
        hold = self.hold_of(job)
        if hold is not None:
            self.crew.wake_at(hold)
        self.crew.pump()

    async def _take(self, job: Job, worker: Worker) -> None:
        await Shift(self, job, worker).work()

    def _new_id(self, via: str) -> str:
        prefix = "sync-" if via == "runsync" else ""
        return f"{prefix}{self.dice.uuid4()}-{self.options.id_suffix}"

    def _occasion(self, job: Job, body: bytes) -> Occasion:
        order = job.order
        return Occasion(
            Point.JOB, self.control.service, method="POST", route=f"POST /{job.via}", module=order.module,
            trace_id=order.trace_id, key=order.key or job.id, endpoint=self.name, body=body,
        )  # fmt: skip

    def _trace(self, job: Job) -> None:
        known = {"module": job.order.module, "trace_id": job.order.trace_id, "worker": job.worker_id}
        details = {name: value for name, value in known.items() if value is not None}
        self.seams.trace.record(
            self.control.service, "job", job=job.id, status=str(job.status), endpoint=self.name, **details
        )
