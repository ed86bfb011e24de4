"""/cancel, /retry and /purge-queue (runpod.md §4, §7; checks 31 to 33)."""

from __future__ import annotations

import pytest

from tests.tzzr_mocks.grace.caller import calling
from tests.tzzr_mocks.grace.checks import both_ways, check
from tzzr_mocks.grace import Deployment, Options, Script

HELD = ["grace: job stays in the queue"]


@check(31)
@both_ways
@pytest.mark.parametrize("sent", [{}, {"json": {}}, {"content": b""}])
async def test_cancel_takes_no_body_or_an_empty_one(way: str, sent: dict[str, object]) -> None:
    async with calling(Script(seconds=30.0), way=way) as runpod:
        job = await runpod.run()

        response = await runpod.ask("POST", f"cancel/{job}", **sent)

        assert (response.status_code, response.json()) == (200, {"id": job, "status": "CANCELLED"})
        assert await runpod.status(job) == {"id": job, "status": "CANCELLED"}


@check(31)
@both_ways
async def test_a_cancelled_job_never_runs_again_and_cancelling_twice_changes_nothing(way: str) -> None:
    script = Script(returns=1, seconds=5.0)
    async with calling(script, way=way) as runpod:
        waiting = [await runpod.run() for _ in range(4)]
        await runpod.clock.sleep(1)
        last_first = waiting[::-1]  # or a free worker takes the next one before it is cancelled
        first = [await runpod.ask("POST", f"cancel/{job}") for job in last_first]
        second = [await runpod.ask("POST", f"cancel/{job}") for job in last_first]
        await runpod.clock.sleep(100)

        assert [one.content for one in first] == [one.content for one in second]
        assert {(await runpod.status(job))["status"] for job in waiting} == {"CANCELLED"}
        assert set(script.ran) == set(waiting[:2])
        assert (await runpod.read("health"))["workers"]["idle"] == 2


async def test_cancelling_what_runs_frees_its_worker_at_once() -> None:
    async with calling(Deployment(Script(seconds=1000.0), warm=1, most=1)) as runpod:
        first, second = [await runpod.run() for _ in range(2)]
        await runpod.clock.sleep(1)
        await runpod.ask("POST", f"cancel/{first}")
        await runpod.clock.sleep(0.1)

        assert (await runpod.status(second))["status"] == "IN_PROGRESS"


@pytest.mark.parametrize(
    ("cancel_final", "status", "told"),
    [
        ("unchanged", 200, {"status": "COMPLETED"}),
        ("refused", 400, {"error": "job is COMPLETED and cannot be cancelled"}),
    ],
)
async def test_what_cancel_says_of_a_completed_job_is_a_switch(
    cancel_final: str, status: int, told: dict[str, str]
) -> None:
    async with calling(options=Options(cancel_final=cancel_final)) as runpod:  # type: ignore[arg-type]  # a parameter
        job = (await runpod.runsync())["id"]

        response = await runpod.ask("POST", f"cancel/{job}")

        assert response.status_code == status
        assert response.json().items() >= told.items()
        assert (await runpod.status(job))["status"] == "COMPLETED"


@check(32)
@both_ways
async def test_retry_queues_a_failed_job_again_under_its_id_without_its_output(way: str) -> None:
    script = Script(returns={"error": "bad", "k": 1}, seconds=0.2)
    async with calling(script, way=way) as runpod:
        job = await runpod.run()
        assert (await runpod.ended(job))["output"] == {"k": 1}

        response = await runpod.ask("POST", f"retry/{job}")

        assert (response.status_code, response.json()) == (200, {"id": job, "status": "IN_QUEUE"})
        assert "output" not in await runpod.status(job)
        assert (await runpod.ended(job))["status"] == "FAILED"
        assert script.ran == [job, job]


@check(32)
@both_ways
async def test_retry_refuses_a_job_that_has_not_failed(way: str) -> None:
    async with calling(way=way) as runpod:
        job = (await runpod.runsync())["id"]

        response = await runpod.ask("POST", f"retry/{job}")

        assert (response.status_code, response.json()) == (
            400, {"error": "job is COMPLETED; only FAILED and TIMED_OUT jobs can be retried"},
        )  # fmt: skip
        assert (await runpod.status(job))["status"] == "COMPLETED"


async def test_a_job_that_is_retried_has_its_input_again() -> None:
    async with calling(faults=["grace: first job raises in the worker"]) as runpod:
        job = await runpod.run({"a": "input"})
        assert (await runpod.ended(job))["status"] == "FAILED"
        runpod.plan.heal()
        await runpod.ask("POST", f"retry/{job}")

        assert (await runpod.ended(job))["output"] == {"a": "input"}


async def test_a_job_that_is_retried_has_as_many_attempts_as_at_first() -> None:
    async with calling() as runpod:
        job = await runpod.run({})
        ends = [await runpod.ended(job)]
        await runpod.ask("POST", f"retry/{job}")
        assert "retries" not in await runpod.status(job)
        ends.append(await runpod.ended(job))

    assert [(end["status"], end["retries"]) for end in ends] == [("FAILED", 1)] * 2


async def test_a_job_that_is_retried_may_wait_as_long_as_at_first() -> None:
    failing = Deployment(Script({"error": "bad"}), warm=1, most=1)
    async with calling(failing) as runpod:
        job = await runpod.run(policy={"ttl": 60_000})
        await runpod.ended(job)
        await runpod.clock.sleep(30)
        runpod.plan.add("grace: job never ends")
        await runpod.run()  # the only worker has this one now
        await runpod.ask("POST", f"retry/{job}")

        await runpod.clock.sleep(59.99)
        assert (await runpod.status(job))["status"] == "IN_QUEUE"
        await runpod.clock.sleep(0.01)
        assert (await runpod.ask("GET", f"status/{job}")).status_code == 404


@check(33)
@both_ways
async def test_purge_removes_what_waits_and_lets_run_what_runs(way: str) -> None:
    one_worker = Deployment(Script(returns="done", seconds=0.5), warm=1, most=1)
    async with calling(one_worker, way=way) as runpod:
        jobs = [await runpod.run() for _ in range(3)]
        await runpod.clock.sleep(0.1)

        response = await runpod.ask("POST", "purge-queue")

        assert response.json() == {"removed": 2, "status": "completed"}
        assert [(await runpod.ask("GET", f"status/{job}")).status_code for job in jobs] == [200, 404, 404]
        assert (await runpod.ended(jobs[0]))["output"] == "done"


async def test_purged_jobs_are_cancelled_when_so_switched() -> None:
    async with calling(options=Options(purged="cancelled"), faults=HELD) as runpod:
        job = await runpod.run()

        assert (await runpod.ask("POST", "purge-queue", json={})).json()["removed"] == 1
        assert (await runpod.status(job))["status"] == "CANCELLED"
