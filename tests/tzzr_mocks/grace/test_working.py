"""What becomes of whatever a worker returns (runpod.md §6; checks 35, 36), and /health (§8; check 34)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.tzzr_mocks.grace.caller import calling
from tests.tzzr_mocks.grace.checks import both_ways, check
from tzzr_mocks.grace import Deployment, Options, Script, Status, Workers

SIX = ["error_message", "error_traceback", "error_type", "hostname", "runpod_version", "worker_id"]


@pytest.mark.parametrize("value", [0, 1.5, "", "text", True, False, [], [1, {"a": None}], {"a": {"b": []}}])
async def test_any_json_value_is_the_output(value: Any) -> None:
    async with calling(Script(value)) as runpod:
        body = await runpod.runsync()

        assert (body["status"], body["output"]) == ("COMPLETED", value)


@pytest.mark.parametrize("value", [None, {}, {"error": ""}, {"error": None}, {"refresh_worker": True}])
async def test_nothing_returned_completes_the_job_without_output(value: Any) -> None:
    async with calling(Script(value)) as runpod:
        body = await runpod.runsync()

        assert body["status"] == "COMPLETED"
        assert "output" not in body


async def test_none_is_shown_as_null_when_so_switched() -> None:
    async with calling(options=Options(null_output=True), program=Script(None)) as runpod:
        assert (await runpod.runsync())["output"] is None


@check(36)
@both_ways
async def test_an_error_with_other_keys_fails_the_job_and_keeps_them_as_its_output(way: str) -> None:
    async with calling(Script({"error": "t", "k": 1}), way=way) as runpod:
        body = await runpod.runsync()

        assert (body["status"], body["error"], body["output"]) == ("FAILED", "t", {"k": 1})


@pytest.mark.parametrize(("completes", "status"), [(True, "COMPLETED"), (False, "FAILED")])
async def test_an_error_that_is_an_object_completes_or_fails_the_job_by_switch(completes: bool, status: str) -> None:
    options = Options(error_object_completes=completes)
    async with calling(Script({"error": {"type": "V"}}), options=options) as runpod:
        body = await runpod.runsync()

        assert body["status"] == status
        assert "output" not in body
        assert body.get("error") == (None if completes else '{"type":"V"}')


@check(35)
@both_ways
async def test_an_exception_fails_the_job_with_six_keys_of_json_in_a_string(way: str) -> None:
    async with calling(Script(raises=ValueError("boom: bad value")), way=way) as runpod:
        body = await runpod.runsync()
        error = json.loads(body["error"])

        assert body["status"] == "FAILED"
        assert sorted(error) == SIX
        assert error["error_type"] == "<class 'ValueError'>"
        assert error["error_message"] == "boom: bad value"
        assert error["worker_id"] == body["workerId"]
        assert "/work" not in body["error"]
        assert "/home" not in body["error"]


@pytest.mark.parametrize("chunks", [None, ("a",)])
async def test_a_program_that_raises_again_and_again_tells_each_time_of_one_run(chunks: tuple[str] | None) -> None:
    async with calling(Script(raises=ValueError("boom"), chunks=chunks)) as runpod:
        errors = [(await runpod.runsync())["error"] for _ in range(3)]

    assert len({len(error.splitlines()) for error in errors}) == 1
    assert len({error.count("programs.py") for error in errors}) == 1


@pytest.mark.parametrize("value", [b"bytes", {"a": {1, 2}}, float("nan"), [float("inf")]])
async def test_what_json_cannot_say_never_arrives_and_the_job_times_out(value: Any) -> None:
    async with calling(Script(value)) as runpod:
        body = await runpod.runsync()

        assert (body["status"], body["error"]) == ("FAILED", "job timed out after 1 retries")


@pytest.mark.parametrize(("route", "megabytes", "kept"), [
    ("run", 9, True), ("run", 11, False), ("runsync", 19, True), ("runsync", 21, False),
])  # fmt: skip
async def test_an_output_over_the_limit_is_lost(route: str, megabytes: int, kept: bool) -> None:
    async with calling(Script("x" * megabytes * 1_000_000)) as runpod:
        job = await runpod.run() if route == "run" else (await runpod.runsync())["id"]
        body = await runpod.ended(job)

        assert body["status"] == "COMPLETED"
        assert ("output" in body) is kept


async def test_progress_is_the_output_of_a_running_job() -> None:
    async with calling(Script("done", seconds=5.0, progress=("10 %", "50 %"))) as runpod:
        job = await runpod.run()
        await runpod.clock.sleep(1)

        running = await runpod.status(job)
        assert (running["status"], running["output"]) == ("IN_PROGRESS", "50 %")
        assert (await runpod.ended(job))["output"] == "done"


async def test_half_a_character_becomes_the_replacement_character() -> None:
    async with calling() as runpod:
        response = await runpod.ask("POST", "runsync", content=b'{"input": {"a": "x\\ud800y"}}')

        assert response.json()["output"] == {"a": "x\ufffdy"}


@check(34)
@both_ways
async def test_health_counts_jobs_and_workers_as_they_go(way: str) -> None:
    async with calling(Deployment(Script(seconds=5.0), warm=2, most=3), way=way) as runpod:
        before = await runpod.read("health")
        jobs = [await runpod.run() for _ in range(4)]
        await runpod.clock.sleep(1)
        during = await runpod.read("health")
        for job in jobs:
            await runpod.ended(job)
        after = await runpod.read("health")

    assert before == {
        "jobs": {"completed": 0, "failed": 0, "inProgress": 0, "inQueue": 0, "retried": 0},
        "workers": {"idle": 2, "initializing": 0, "ready": 2, "running": 0, "throttled": 0, "unhealthy": 0},
    }
    assert during["jobs"] == {"completed": 0, "failed": 0, "inProgress": 2, "inQueue": 2, "retried": 0}
    assert during["workers"]["running"] == 2
    assert during["workers"]["initializing"] == 1
    assert after["jobs"]["completed"] == 4


@check(34)
@both_ways
async def test_health_of_a_failing_job_goes_the_way_that_was_captured(way: str) -> None:
    async with calling(options=Options(workers=Workers(pickup_s=0.5)), way=way) as runpod:
        seen = [await runpod.read("health")]
        await runpod.run({})
        for seconds in (0.1, 1.0, 50.0):
            await runpod.clock.sleep(seconds)
            seen.append(await runpod.read("health"))

    assert [one["jobs"]["inQueue"] for one in seen] == [0, 1, 0, 0]
    assert [one["jobs"]["inProgress"] for one in seen] == [0, 0, 1, 0]
    assert [(one["jobs"]["failed"], one["jobs"]["retried"]) for one in seen] == [(0, 0), (0, 0), (0, 0), (1, 1)]
    assert [one["workers"]["running"] for one in seen] == [0, 0, 1, 0]


async def test_a_worker_goes_away_when_it_has_been_idle_and_a_cold_one_takes_its_time() -> None:
    async with calling(Deployment(Script("done"), warm=0, most=1)) as runpod:
        job = await runpod.run()
        assert (await runpod.read("health"))["workers"]["initializing"] == 1
        assert (await runpod.ended(job))["delayTime"] == 8000
        assert (await runpod.read("metrics"))["readyWorkers"] == [(await runpod.status(job))["workerId"]]
        await runpod.clock.sleep(5)

        assert set((await runpod.read("health"))["workers"].values()) == {0}


async def test_low_priority_jobs_start_no_worker() -> None:
    async with calling(Deployment(Script("done"), warm=0, most=1)) as runpod:
        low = await runpod.run(policy={"lowPriority": True})
        await runpod.clock.sleep(60)
        assert (await runpod.status(low))["status"] == "IN_QUEUE"

        await runpod.run()

        assert (await runpod.ended(low))["status"] == "COMPLETED"


async def test_endpoints_have_queues_of_their_own() -> None:
    async with calling(Deployment(Script(seconds=60.0), warm=1, most=1), others={"other": Deployment()}) as runpod:
        busy = [await runpod.run() for _ in range(3)]
        runpod.endpoint = "other"

        assert (await runpod.runsync())["status"] == "COMPLETED"
        assert (await runpod.ask("GET", f"status/{busy[0]}")).status_code == 404
        assert (await runpod.read("health"))["jobs"]["inQueue"] == 0


@pytest.mark.parametrize("retries", [0, 1, 3])
async def test_how_often_the_platform_tries_again_and_how_it_ends_are_switches(retries: int) -> None:
    options = Options(platform_retries=retries, silent_status=Status.TIMED_OUT)
    async with calling(options=options) as runpod:
        body = await runpod.ended(await runpod.run({}))

        assert (body["status"], body.get("retries", 0)) == ("TIMED_OUT", retries)
        assert body["error"] == f"job timed out after {retries} retries"
