"""Ten thousand jobs: nothing lost, nothing doubled, nothing kept after its time."""

from __future__ import annotations

import asyncio
import gc
import tracemalloc
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from tests.tzzr_mocks.grace.caller import QUICK, Caller, calling
from tests.tzzr_mocks.grace.contracts import TRACE, text_request
from tzzr_mcp.seams import NoTrace, Seams
from tzzr_mocks.grace import Assignment, Deployment, Limits, Script
from tzzr_mocks.grace.job import Order

MANY = 10_000
ROUND = 100
FREE = replace(QUICK, limits=Limits.off())


async def _forget_traces(runpod: Caller) -> None:
    """The trace keeps everything on purpose; here it must not."""
    seams = runpod.fake.control.seams
    silent = Seams(seams.clock, seams.dice, NoTrace())
    runpod.fake.control.seams = silent
    runpod.fake.control.journal.length = 10
    for endpoint in runpod.fake.endpoints.values():
        endpoint.seams = silent


class Works:
    """A program that gives each job its number back after a second, and counts how often each ran."""

    def __init__(self) -> None:
        self.ran: Counter[str] = Counter()

    async def __call__(self, assignment: Assignment) -> int:
        self.ran[assignment.id] += 1
        await assignment.seams.clock.sleep(1.0)
        return int(assignment.input["n"])


async def _through(runpod: Caller, count: int) -> list[tuple[str, Any]]:
    """Submit that many jobs, wait until all have ended, read each; ids and outputs in the order of submission."""
    endpoint = runpod.fake.endpoints["ep"]
    jobs = [endpoint.submit(Order({"n": number}), "run", b"").id for number in range(count)]
    await runpod.clock.sleep(count / 50 + 1)
    return [(job, endpoint.find(job).output) for job in jobs]


async def _bytes_after_expiry(runpod: Caller) -> int:
    """What is held once every result has expired."""
    await runpod.clock.sleep(30 * 60)
    await runpod.read("health")
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


@pytest.mark.slow
async def test_of_ten_thousand_jobs_none_is_lost_none_doubled_and_nothing_is_left_of_them() -> None:
    works, half = Works(), MANY // 2
    async with calling(Deployment(works, warm=50, most=50), options=FREE) as runpod:
        await _forget_traces(runpod)
        endpoint = runpod.fake.endpoints["ep"]
        held = []
        tracemalloc.start()
        try:
            for _ in range(2):
                answers = await _through(runpod, half)

                assert [output for _, output in answers] == list(range(half))
                assert works.ran == Counter({job: 1 for job, _ in answers})
                assert len(works.ran) == half
                answers.clear()
                works.ran.clear()
                held.append(await _bytes_after_expiry(runpod))
        finally:
            tracemalloc.stop()

        assert endpoint.health()["jobs"]["completed"] == MANY
        assert (len(endpoint.jobs), len(endpoint.line), len(runpod.fake.tasks)) == (0, 0, 0)
        assert held[1] - held[0] < 20 * half, "not even an id for each job of the second half"


async def test_jobs_begin_in_the_order_in_which_they_came() -> None:
    async with calling(Deployment(Script("done", seconds=1.0), warm=5, most=5), options=FREE) as runpod:
        jobs = [await runpod.run() for _ in range(ROUND)]
        await runpod.clock.sleep(ROUND / 5 + 1)
        started = [runpod.fake.endpoints["ep"].find(job).started_at or 0.0 for job in jobs]

    assert started == sorted(started)


@pytest.mark.slow
async def test_memory_is_flat_after_expiry() -> None:
    async with calling(Deployment(warm=20, most=20), options=FREE) as runpod:
        await _forget_traces(runpod)
        sizes: list[int] = []
        tracemalloc.start()
        try:
            for _ in range(3):
                await asyncio.gather(*[runpod.runsync({"text": "x" * 1000}) for _ in range(ROUND)])
                await runpod.clock.sleep(30 * 60)
                await runpod.read("health")
                gc.collect()
                sizes.append(tracemalloc.get_traced_memory()[0])
        finally:
            tracemalloc.stop()

    assert sizes[2] - sizes[1] < 100_000, sizes


async def test_a_job_that_is_done_lets_go_of_its_input_and_one_that_may_be_retried_keeps_it() -> None:
    async with calling(Deployment(Script("done"))) as runpod:
        request = text_request("HASHER")
        done, lost = await runpod.run(request), await runpod.run({})
        await runpod.ended(done)
        await runpod.ended(lost)
        jobs = runpod.fake.endpoints["ep"].jobs

        assert "payload" not in jobs[done].order.input
        assert (jobs[done].order.module, jobs[done].order.trace_id) == ("HASHER", TRACE)
        assert jobs[lost].order.input == {}
