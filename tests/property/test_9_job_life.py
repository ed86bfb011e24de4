"""Contract §7.9: jobs live as a model says: no undocumented step, nothing lost, nothing doubled."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Coroutine
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeVar

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    initialize,
    invariant,
    multiple,
    rule,
    run_state_machine_as_test,
)

from tests.property.sides import SEEN, side
from tests.searching import examples
from tests.tzzr_mocks.grace.caller import QUICK, Caller, calling
from tzzr_mocks.grace import Assignment, Deployment, Limits, Status
from tzzr_mocks.grace.lifecycle import FINAL, TRANSITIONS
from tzzr_mocks.network.virtual import new_virtual_loop

T = TypeVar("T")

KEEP_RUN_S = 30 * 60.0
KEEP_RUNSYNC_S = 60.0
REST_S = 1e-6
SLACK_S = 1e-3

TRIES = {"COMPLETED": 1, "FAILED": 1, "hangs": 1, "raises": 1, "lost": 1 + QUICK.platform_retries}
ENDS = st.sampled_from(list(TRIES))
SECONDS = st.sampled_from([0.0, 0.5, 3.0, 20.0])
OverTime = Literal[Status.FAILED, Status.TIMED_OUT]
OVER_TIME: tuple[OverTime, ...] = (Status.FAILED, Status.TIMED_OUT)
PAUSES = st.sampled_from([0.1, 1.0, 7.0, 7.0, 20.0, 40.0, 40.0, 70.0, 1801.0])


@dataclass
class Expected:
    """What the model knows of one job."""

    id: str
    keep_s: float
    ttl_at: float
    since: float
    """When it was last known not to have ended."""
    seen: Status = Status.IN_QUEUE
    final_at: float | None = None
    """When it was first seen to have ended."""
    purged: bool = False
    cancelled: bool = False
    tries: int = 1
    """How often a worker takes it each time: once, and anew where nothing was heard of the last one."""
    turns: int = 1
    """How often it was given to the queue: once, and once more for each /retry that was taken."""
    ran_before: int | None = None
    """How often it had run when it was cancelled."""


async def play(assignment: Assignment) -> Any:
    """A program that does what its input says."""
    given = assignment.input
    await assignment.seams.clock.sleep(10_000.0 if given["end"] == "hangs" else given["seconds"])
    if given["end"] == "raises":
        raise ValueError("planned")
    if given["end"] == "lost":
        return b"never posted"
    return {"error": "planned"} if given["end"] == "FAILED" else {"done": given["seconds"]}


class Lifecycle(RuleBasedStateMachine):
    """Jobs of one endpoint with two workers, driven over HTTP; the model knows what may be seen of each."""

    jobs: Bundle[Expected] = Bundle("jobs")

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner(loop_factory=new_virtual_loop)
        self.stack = AsyncExitStack()
        self.known: list[Expected] = []
        self.ran: Counter[str] = Counter()

    async def play(self, assignment: Assignment) -> Any:
        """The program, which notes that it ran."""
        self.ran[assignment.id] += 1
        return await play(assignment)

    def do(self, work: Coroutine[Any, Any, T]) -> T:
        """Run on the machine's own loop."""
        return self.runner.run(work)

    @initialize(warm=st.integers(0, 2), most=st.integers(1, 3), over_time=st.sampled_from(OVER_TIME))
    def open(self, warm: int, most: int, over_time: OverTime) -> None:
        """An endpoint with its workers, and how it tells a job that took too long or fell silent: RunPod was seen to do either."""
        options = replace(QUICK, limits=Limits.off(), over_time_status=over_time, silent_status=over_time)
        self.runpod: Caller = self.do(
            self.stack.enter_async_context(calling(Deployment(self.play, warm=warm, most=most), options=options))
        )

    def now(self) -> float:
        """Seconds on the world's clock."""
        return self.runner.get_loop().time()

    @rule(
        target=jobs,
        end=ENDS,
        seconds=SECONDS,
        ttl_s=st.sampled_from([10.0, 60.0, 86_400.0]),
        limit_ms=st.sampled_from([5000, 600_000]),
        low=st.booleans(),
    )
    def run(self, end: str, seconds: float, ttl_s: float, limit_ms: int, low: bool) -> Expected:
        """Submit with /run."""
        policy = {"ttl": round(ttl_s * 1000), "executionTimeout": limit_ms, "lowPriority": low}
        job = self.do(self.runpod.run({"end": end, "seconds": seconds}, policy=policy))
        return self._expect(Expected(job, KEEP_RUN_S, self.now() + ttl_s, self.now(), tries=TRIES[end]))

    @rule(target=jobs, end=ENDS, seconds=SECONDS, wait=st.sampled_from([1000, 5000]))
    def runsync(self, end: str, seconds: float, wait: int) -> Expected:
        """Submit with /runsync, and wait a little."""
        began = self.now()
        body = self.do(self.runpod.runsync({"end": end, "seconds": seconds}, f"runsync?wait={wait}"))
        assert self.now() - began <= wait / 1000 + SLACK_S
        expected = self._expect(Expected(body["id"], KEEP_RUNSYNC_S, began + 86_400.0, began, tries=TRIES[end]))
        self._see(expected, body)
        return expected

    def _expect(self, expected: Expected) -> Expected:
        assert expected.id not in {other.id for other in self.known}
        self.known.append(expected)
        return expected

    @rule(seconds=PAUSES)
    def wait(self, seconds: float) -> None:
        """Time goes by."""
        self.do(self.runpod.clock.sleep(seconds))

    @rule(job=jobs, route=st.sampled_from(["status", "status-sync", "stream"]), post=st.booleans())
    def read(self, job: Expected, route: str, post: bool) -> None:
        """Ask for a job in one of the ways there are."""
        response = self.do(
            self.runpod.ask("POST" if post else "GET", f"{route}/{job.id}{'' if route == 'status' else '?wait=1000'}")
        )
        if response.status_code == 404:
            self._gone(job)
        else:
            assert response.status_code == 200
            self._see(job, response.json())

    def _see(self, job: Expected, body: dict[str, Any]) -> None:
        """What is seen must follow from what was seen before."""
        after = Status(body["status"])
        assert not job.purged
        assert not self._must_be_gone(job)
        assert _reachable(job.seen, after), f"{job.seen} → {after}"
        assert not job.cancelled or after is Status.CANCELLED
        if job.final_at is not None:
            assert after is job.seen
        if after not in FINAL:
            job.since = self.now()
        elif job.final_at is None:
            job.final_at = self.now()
        job.seen = after
        side(str(after))

    def _gone(self, job: Expected) -> None:
        """A job is gone only when it was purged, or its time was over."""
        side("gone")
        assert self._may_be_gone(job)

    def _may_be_gone(self, job: Expected) -> bool:
        return job.purged or self.now() >= min(job.ttl_at, job.since + job.keep_s) - SLACK_S

    def _must_be_gone(self, job: Expected) -> bool:
        ended = float("inf") if job.final_at is None else job.final_at
        return self.now() > min(job.ttl_at, ended + job.keep_s) + SLACK_S

    @rule(job=jobs)
    def cancel(self, job: Expected) -> None:
        """Cancel, twice: the second time changes nothing."""
        first = self.do(self.runpod.ask("POST", f"cancel/{job.id}"))
        second = self.do(self.runpod.ask("POST", f"cancel/{job.id}"))
        assert (first.status_code, first.content) == (second.status_code, second.content)
        if first.status_code == 404:
            self._gone(job)
            return
        if job.final_at is None and first.json()["status"] == "CANCELLED":
            job.cancelled, job.ran_before = True, self.ran[job.id]
        self._see(job, first.json())

    @rule(target=jobs, job=consumes(jobs))
    def retry(self, job: Expected) -> Any:
        """Retry: only what has failed is taken, and it lives on under its id."""
        ttl_s = self.runpod.fake.endpoints["ep"].jobs[job.id].order.policy.ttl_ms / 1000 if self._holds(job) else 0.0
        response = self.do(self.runpod.ask("POST", f"retry/{job.id}"))
        if response.status_code == 404:
            self._gone(job)
        elif response.status_code == 200:
            assert job.final_at is None or job.seen in (Status.FAILED, Status.TIMED_OUT)
            job.seen, job.final_at, job.turns = Status.IN_QUEUE, None, job.turns + 1
            job.ttl_at, job.since = self.now() + ttl_s, self.now()
        else:
            assert job.seen not in (Status.FAILED, Status.TIMED_OUT)
        return multiple(job)

    def _holds(self, job: Expected) -> bool:
        return job.id in self.runpod.fake.endpoints["ep"].jobs

    @rule()
    def purge(self) -> None:
        """Purge: just what waits is removed."""
        listed, _ = self.do(self._at_rest())
        waiting = {name for name, status in listed.items() if status == "IN_QUEUE"}
        answer = self.do(self.runpod.ask("POST", "purge-queue")).json()
        assert answer == {"removed": len(waiting), "status": "completed"}
        for job in self.known:
            job.purged = job.purged or job.id in waiting

    @invariant()
    def nothing_is_lost_or_doubled(self) -> None:
        """What is kept is known; counters, queue and workers agree with it."""
        if not hasattr(self, "runpod"):
            return
        listed, health = self.do(self._at_rest())
        statuses = list(listed.values())
        assert health["jobs"]["inQueue"] == statuses.count("IN_QUEUE")
        assert health["jobs"]["inProgress"] == statuses.count("IN_PROGRESS") == health["workers"]["running"]
        assert not (health["workers"]["idle"] and health["jobs"]["inQueue"]), "a job waits and a worker is idle"
        assert set(listed) <= {job.id for job in self.known if not job.purged}
        for job in self.known:
            assert self._may_be_gone(job) if job.id not in listed else not self._must_be_gone(job)

    @invariant()
    def nothing_runs_more_often_than_it_was_asked_for(self) -> None:
        """A job runs once for each time that it was given to the queue, and never once it was cancelled."""
        for job in self.known:
            assert self.ran[job.id] <= job.turns * job.tries
            assert job.ran_before is None or self.ran[job.id] == job.ran_before
            assert self.ran[job.id] or job.seen not in (Status.COMPLETED, Status.FAILED)

    async def _at_rest(self) -> tuple[dict[str, str], dict[str, Any]]:
        """The jobs and the counters at one instant at which nobody is about to move."""
        await self.runpod.clock.sleep(REST_S)
        endpoint = self.runpod.fake.endpoints["ep"]
        health = endpoint.health()
        return {name: str(job.status) for name, job in endpoint.jobs.items()}, health

    def teardown(self) -> None:
        """Close the world."""
        self.do(self.stack.aclose())
        self.runner.close()


def _reachable(before: Status, after: Status) -> bool:
    """Whether the documented machine leads from one status to the other without /retry."""
    seen, coming = {before}, [before]
    while coming:
        for follower in TRANSITIONS[coming.pop()] - seen - {Status.IN_QUEUE}:
            seen.add(follower)
            coming.append(follower)
    return after in seen


SEARCH = settings(max_examples=examples(dev=20, ci=120), stateful_step_count=25)
"""A run of 25 steps is worth many examples."""


@pytest.mark.hypothesis
@pytest.mark.sides(*map(str, Status), "gone")
def test_jobs_live_as_the_model_says_whatever_is_done_to_them() -> None:
    run_state_machine_as_test(Lifecycle, settings=SEARCH)
    assert SEEN
