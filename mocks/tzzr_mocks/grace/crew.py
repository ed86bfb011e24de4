"""The workers of one endpoint: how many there are, what each does, and who takes the next job (runpod.md §8).

No HTTP and no rule about jobs: the crew hands each job to ``take``, and the worker is free again when that returns.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from tzzr_mcp.seams import Dice, Seams
from tzzr_mocks.grace.faults.base import Hold
from tzzr_mocks.grace.job import Job
from tzzr_mocks.grace.line import Line
from tzzr_mocks.grace.options import Workers
from tzzr_mocks.grace.tasks import Tasks

_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
COUNTERS = ("idle", "initializing", "ready", "running", "throttled", "unhealthy")


class Doing(StrEnum):
    """What a worker does."""

    INITIALIZING = "initializing"
    IDLE = "idle"
    RUNNING = "running"


@dataclass(eq=False)
class Worker:
    """One worker. ``claimed``: it is idle and on its way to the queue.

    ``until`` is when its start or its way to the queue ends, ``job`` the id of the one that it runs.
    """

    id: str
    doing: Doing
    since: float
    claimed: bool = False
    until: float = 0.0
    job: str | None = None


def worker_id(dice: Dice) -> str:
    """Fourteen letters and digits, as in the captures."""
    return "".join(dice.choice(_LETTERS) for _ in range(14))


Take = Callable[[Job, Worker], Awaitable[None]]
"""Runs one job on one worker, to its end."""


class Crew:
    """Starts, feeds and retires the workers of one endpoint."""

    def __init__(self, seams: Seams, workers: Workers, tasks: Tasks, line: Line, take: Take) -> None:
        self._seams = seams
        self._dice = seams.dice.named("workers")
        self._workers = workers
        self._tasks = tasks
        self._line = line
        self._take = take
        self.members: list[Worker] = []

    def pump(self) -> None:
        """Bring waiting jobs and idle workers together, and start workers for what is left."""
        self._staff()
        self._line.release()
        free = [worker for worker in self.members if worker.doing is Doing.IDLE and not worker.claimed]
        walking = sum(worker.claimed for worker in self.members)
        for worker in free[: max(0, self._line.waiting - walking)]:
            worker.claimed = True
            self._tasks.start(self._serve(worker, self._workers.pickup_s))
        self._grow()

    def _staff(self) -> None:
        now = self._seams.clock.monotonic()
        while len(self.members) < self._workers.warm:
            self.members.append(Worker(worker_id(self._dice), Doing.IDLE, now))
        for worker in self.members[self._workers.warm :]:
            if worker.doing is Doing.IDLE and not worker.claimed and now - worker.since >= self._workers.idle_timeout_s:
                self.members.remove(worker)

    def _grow(self) -> None:
        coming = sum(worker.claimed or worker.doing is Doing.INITIALIZING for worker in self.members)
        room = self._workers.most - len(self.members)
        for _ in range(min(room, self._line.urgent(room + coming) - coming)):
            worker = Worker(worker_id(self._dice), Doing.INITIALIZING, self._seams.clock.monotonic())
            self.members.append(worker)
            self._tasks.start(self._warm_up(worker, self._workers.cold_start_s))

    async def _warm_up(self, worker: Worker, seconds: float) -> None:
        await self._busy(worker, seconds)
        self._rest(worker)
        self.pump()

    async def _serve(self, worker: Worker, pickup_s: float) -> None:
        """Pick up jobs until none may be taken."""
        await self._busy(worker, pickup_s)
        while job := self._line.next():
            await self._run(worker, job)
            await self._busy(worker, self._workers.pickup_s)
        worker.claimed = False
        self._rest(worker)

    async def _run(self, worker: Worker, job: Job) -> None:
        worker.claimed, worker.doing, worker.job = False, Doing.RUNNING, job.id
        await self._take(job, worker)
        worker.claimed, worker.doing, worker.job = True, Doing.IDLE, None

    async def _serve_on(self, worker: Worker, job: Job | None) -> None:
        """Go on with a job that was running, and then with the queue."""
        if job is not None:
            await self._run(worker, job)
        await self._serve(worker, self._workers.pickup_s)

    async def _busy(self, worker: Worker, seconds: float) -> None:
        worker.until = self._seams.clock.monotonic() + seconds
        await self._seams.clock.sleep(seconds)

    def _rest(self, worker: Worker) -> None:
        worker.doing, worker.since = Doing.IDLE, self._seams.clock.monotonic()

    def replace(self, worker: Worker) -> None:
        """The worker was lost: another one is in its place."""
        worker.id = worker_id(self._dice)

    def counts(self) -> dict[str, int]:
        """The six counters of ``/health``."""
        self._staff()
        counts = dict.fromkeys(COUNTERS, 0)
        for worker in self.members:
            counts[worker.doing] += 1
        for hold in self._line.holds():
            self._count_hold(counts, hold)
        counts["ready"] = counts["idle"]
        return counts

    def _count_hold(self, counts: dict[str, int], hold: Hold) -> None:
        """A job that waits for a worker which is not able turns an idle worker into one that is not."""
        if hold.counter is None:
            return
        counts["idle"] = 0
        counts[hold.counter] = min(counts[hold.counter] + 1, max(1, self._workers.most))

    @property
    def ready(self) -> list[str]:
        """The ids of the idle workers, for ``/metrics``."""
        self._staff()
        return [worker.id for worker in self.members if worker.doing is Doing.IDLE]

    @property
    def most(self) -> int:
        """How many workers there may be."""
        return self._workers.most

    @property
    def capacity(self) -> int:
        """How many requests the running workers take at the same time."""
        return self._workers.requests_per_worker * sum(worker.doing is Doing.RUNNING for worker in self.members)

    def wake_at(self, hold: Hold) -> None:
        """Look at the queue again when a hold ends."""
        if not math.isinf(hold.until):
            self._tasks.start(self._wake(hold.until))

    def snapshot(self) -> tuple[list[Worker], Dice]:
        """Each worker, its instants in seconds from now; and the dice."""
        now = self._seams.clock.monotonic()
        return [_moved(worker, -now) for worker in self.members], copy.deepcopy(self._dice)

    def restore(self, state: tuple[list[Worker], Dice], jobs: Mapping[str, Job]) -> None:
        """Let the workers of a snapshot go on with what they did; those that ran one of the ``jobs``, with that."""
        members, dice = state
        now = self._seams.clock.monotonic()
        self._dice = copy.deepcopy(dice)
        self.members = [_moved(worker, now) for worker in members]
        for worker in self.members:
            if worker.doing is Doing.INITIALIZING:
                self._tasks.start(self._warm_up(worker, worker.until - now))
            elif worker.doing is Doing.RUNNING:
                self._tasks.start(self._serve_on(worker, jobs.get(worker.job or "")))
            elif worker.claimed:
                self._tasks.start(self._serve(worker, worker.until - now))

    async def _wake(self, until: float) -> None:
        await self._seams.clock.sleep(until - self._seams.clock.monotonic())
        self.pump()


def _moved(worker: Worker, seconds: float) -> Worker:
    return replace(worker, since=worker.since + seconds, until=worker.until + seconds)
