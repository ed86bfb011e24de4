"""GET and POST /status over a job's life, and how long it is kept (runpod.md §6, §7; checks 12 to 18, 37, 38)."""

from __future__ import annotations

import pytest

from tests.tzzr_mocks.grace.caller import QUICK, calling
from tests.tzzr_mocks.grace.checks import both_ways, check
from tzzr_mocks.grace import Options, Script, Status, Workers

SLOW_PICKUP = Options(workers=Workers(pickup_s=0.3))


@check(12)
@both_ways
async def test_a_fresh_job_is_in_queue_and_shows_nothing_else(way: str) -> None:
    async with calling(options=SLOW_PICKUP, way=way) as runpod:
        job = await runpod.run()

        assert await runpod.status(job) == {"id": job, "status": "IN_QUEUE"}


@check(13)
@both_ways
async def test_a_running_job_shows_delay_and_worker(way: str) -> None:
    async with calling(Script(seconds=2.0), way=way) as runpod:
        job = await runpod.run()
        await runpod.clock.sleep(0.2)

        body = await runpod.status(job)

        assert list(body) == ["delayTime", "id", "status", "workerId"]
        assert body["status"] == "IN_PROGRESS"
        assert isinstance(body["delayTime"], int)
        assert isinstance(body["workerId"], str)


@check(14)
@both_ways
async def test_a_completed_job_shows_six_keys_in_alphabetical_order_and_compact(way: str) -> None:
    async with calling(Script(returns={"b": 1, "a": "ñ"}, seconds=3.391), options=Options(), way=way) as runpod:
        job = await runpod.run()
        await runpod.ended(job)

        response = await runpod.ask("GET", f"status/{job}")
        body = response.json()

        assert list(body) == ["delayTime", "executionTime", "id", "output", "status", "workerId"]
        assert (body["delayTime"], body["executionTime"]) == (20, 3391)
        assert b'"output":{"a":"\xc3\xb1","b":1},"status":"COMPLETED"' in response.content


@check(15)
@both_ways
async def test_post_status_answers_like_get(way: str) -> None:
    async with calling(way=way) as runpod:
        job = (await runpod.runsync())["id"]

        got = await runpod.ask("GET", f"status/{job}")
        posted = await runpod.ask("POST", f"status/{job}")
        posted_json = await runpod.ask("POST", f"status/{job}", json={})

        assert got.content == posted.content == posted_json.content


@check(16, 17)
@both_ways
async def test_a_result_is_the_same_for_thirty_minutes_and_then_gone(way: str) -> None:
    async with calling(way=way) as runpod:
        job = await runpod.run()
        first = await runpod.ended(job)

        await runpod.clock.sleep(30 * 60 - 1)
        again = await runpod.status(job)
        await runpod.clock.sleep(1)

        assert again == first
        assert (await runpod.ask("GET", f"status/{job}")).status_code == 404


@check(17)
@both_ways
async def test_a_runsync_result_is_kept_for_one_minute(way: str) -> None:
    async with calling(way=way) as runpod:
        job = (await runpod.runsync())["id"]

        await runpod.clock.sleep(59)
        assert (await runpod.status(job))["status"] == "COMPLETED"
        await runpod.clock.sleep(1)
        assert (await runpod.ask("GET", f"status/{job}")).status_code == 404


@check(18)
@both_ways
@pytest.mark.parametrize("seconds", [0.0, 100.0])
async def test_ttl_of_a_status_read_sets_the_rest_of_the_life(way: str, seconds: float) -> None:
    async with calling(Script(seconds=seconds), way=way) as runpod:
        job = await runpod.run()
        await runpod.clock.sleep(1)

        await runpod.read(f"status/{job}?ttl=6000")
        await runpod.clock.sleep(5.9)
        assert (await runpod.ask("GET", f"status/{job}")).status_code == 200
        await runpod.clock.sleep(0.1)
        assert (await runpod.ask("GET", f"status/{job}")).status_code == 404


async def test_a_ttl_that_is_no_number_is_refused() -> None:
    async with calling() as runpod:
        job = await runpod.run()

        assert (await runpod.ask("GET", f"status/{job}?ttl=soon")).status_code == 400


@check(38)
@both_ways
@pytest.mark.parametrize("stuck", [True, False])
async def test_a_policy_ttl_ends_a_job_also_while_it_waits_or_runs(way: str, stuck: bool) -> None:
    script = Script(seconds=60.0)
    async with calling(script, faults=["grace: job stays in the queue"] if stuck else [], way=way) as runpod:
        job = await runpod.run(policy={"ttl": 10_000})

        await runpod.clock.sleep(9.9)
        assert (await runpod.status(job))["status"] == ("IN_QUEUE" if stuck else "IN_PROGRESS")
        await runpod.clock.sleep(0.2)

        assert (await runpod.ask("GET", f"status/{job}")).status_code == 404
        assert (await runpod.read("health"))["jobs"]["inProgress"] == 0
        assert (await runpod.read("health"))["workers"]["running"] == 0


async def test_a_job_that_expires_in_the_queue_is_timed_out_when_so_switched() -> None:
    options = Options(ttl_over="timed_out")
    async with calling(options=options, faults=["grace: job stays in the queue"]) as runpod:
        job = await runpod.run(policy={"ttl": 10_000})
        await runpod.clock.sleep(10)

        assert (await runpod.status(job))["status"] == "TIMED_OUT"


@check(37)
@both_ways
@pytest.mark.parametrize("seed", range(5))
async def test_a_job_over_its_execution_timeout_fails_three_to_twelve_seconds_late(way: str, seed: int) -> None:
    async with calling(Script(seconds=20.0), way=way) as runpod:
        for _ in range(seed):
            runpod.fake.endpoints["ep"].dice.random()
        job = await runpod.run(policy={"executionTimeout": 5000})

        body = await runpod.ended(job)

        assert (body["status"], body["error"]) == ("FAILED", "executionTimeout exceeded")
        assert 8000 <= body["executionTime"] <= 17_000
        assert "output" not in body


@check(37)
@both_ways
async def test_an_execution_timeout_under_five_seconds_is_refused(way: str) -> None:
    async with calling(way=way) as runpod:
        body = {"input": {"a": 1}, "policy": {"executionTimeout": 4999}}
        response = await runpod.ask("POST", "run", json=body)

        assert response.status_code == 400
        assert response.json()["error"].startswith("policy.executionTimeout is invalid")


@pytest.mark.parametrize(
    ("ttl", "status"), [(10_000.0, 200), (1.2e4, 200), (10_000.5, 400), (1e30, 400), ("10000", 400)]
)
async def test_a_whole_number_of_milliseconds_is_one_however_it_is_written(ttl: object, status: int) -> None:
    async with calling() as runpod:
        response = await runpod.ask("POST", "run", json={"input": {"a": 1}, "policy": {"ttl": ttl}})

        assert response.status_code == status


async def test_a_job_over_its_time_is_timed_out_when_so_switched() -> None:
    async with calling(Script(seconds=99.0), options=Options(over_time_status=Status.TIMED_OUT)) as runpod:
        job = await runpod.run(policy={"executionTimeout": 5000})

        assert (await runpod.ended(job))["status"] == "TIMED_OUT"


async def test_a_job_that_ends_before_the_late_kill_is_completed() -> None:
    async with calling(Script(returns=1, seconds=6.0), options=QUICK) as runpod:
        job = await runpod.run(policy={"executionTimeout": 5000})

        assert (await runpod.ended(job))["status"] == "COMPLETED"
