"""Ten thousand jobs: nothing lost, nothing doubled, nothing kept after its time."""

from __future__ import annotations

import asyncio
import gc
import tracemalloc
from collections import Counter
from dataclasses import replace

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


@pytest.mark.slow
async def test_ten_thousand_jobs_are_each_done_once_and_each_answered() -> None:
    ran: Counter[str] = Counter()

    async def work(assignment: Assignment) -> int:
        ran[assignment.id] += 1
        await assignment.seams.clock.sleep(1.0)
        return int(assignment.input["n"])

    async with calling(Deployment(work, warm=50, most=50), options=FREE) as runpod:
        await _forget_traces(runpod)
        endpoint = runpod.fake.endpoints["ep"]
        jobs = [endpoint.submit(Order({"n": n}), "run").id for n in range(MANY)]
        await runpod.clock.sleep(MANY / 50 + 1)
        answers = [endpoint.find(job) for job in jobs]

        assert len(set(jobs)) == MANY
        assert ran == Counter(jobs)
        assert [answer.output for answer in answers] == list(range(MANY))
        assert [answer.started_at for answer in answers] == sorted(answer.started_at or 0.0 for answer in answers)
        assert endpoint.health()["jobs"]["completed"] == MANY

        await runpod.clock.sleep(30 * 60)
        endpoint.sweep()
        assert (len(endpoint.jobs), len(endpoint.line), len(runpod.fake.tasks)) == (0, 0, 0)


async def test_memory_is_flat_after_expiry() -> None:
    async with calling(Deployment(warm=20, most=20), options=FREE) as runpod:
        await _forget_traces(runpod)
        sizes: list[int] = []
        tracemalloc.start()
        try:
            for _ in range(3):
                await asyncio.gather(*[runpod.runsync({"text": "x" * 1000}) for _ in range(ROUND)])
                await runpod.clock.sleep(24 * 3600)
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
