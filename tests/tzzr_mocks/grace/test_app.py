"""The fake as a whole: starting worlds, reset, stop."""

from __future__ import annotations

import asyncio

import pytest

from tests.tzzr_mocks.grace.caller import calling, control
from tests.tzzr_mocks.grace.contracts import text_request
from tzzr_mocks.control import PlanError
from tzzr_mocks.grace import GraceFake, Script
from tzzr_mocks.grace.seed import STARTS
from tzzr_mocks.grace.tasks import Tasks


@pytest.mark.parametrize(("starting", "idle"), [("default", 2), ("cold", 0), ("busy", 1), ("unlimited", 8)])
async def test_a_starting_world_says_how_many_workers_grace_has(starting: str, idle: int) -> None:
    fake = GraceFake(control(), starting=starting)

    assert fake.endpoints["grace"].health()["workers"]["idle"] == idle


def test_a_starting_world_that_does_not_exist_is_refused_with_the_nearest() -> None:
    with pytest.raises(PlanError, match="did you mean 'cold'"):
        GraceFake(control(), starting="colt")
    assert "empty" in STARTS


def test_the_environment_holds_the_key_and_the_endpoint_that_it_takes() -> None:
    fake = GraceFake(control(), keys={"k": None})

    assert fake.environment == {"RUNPOD_API_KEY": "k", "GRACE_ENDPOINT_ID": "grace"}


async def test_reset_forgets_jobs_and_counters_and_begins_the_same_ids_again() -> None:
    async with calling(Script(seconds=100.0)) as runpod:
        first = await runpod.run()
        waiting = asyncio.create_task(runpod.ask("GET", f"status-sync/{first}"))
        await runpod.clock.sleep(1)

        runpod.fake.reset()

        assert (await waiting).status_code == 404
        assert await runpod.read("requests") == {"requests": []}
        assert (await runpod.read("health"))["jobs"]["inProgress"] == 0
        assert await runpod.run() == first


async def test_reset_forgets_what_grace_has_kept() -> None:
    async with calling(faults=["grace: SENTIMENT takes 1s"]) as runpod:
        runpod.endpoint = "grace"
        request = text_request("SENTIMENT")
        await runpod.runsync(request)
        runpod.fake.reset()
        body = await runpod.runsync(request)

        assert body["executionTime"] >= 1000


async def test_stop_ends_everything_that_runs() -> None:
    async with calling(Script(seconds=100.0)) as runpod:
        await runpod.run()
        await runpod.clock.sleep(1)
        assert len(runpod.fake.tasks) > 0

        await runpod.fake.stop()

        assert len(runpod.fake.tasks) == 0


async def test_a_background_task_that_breaks_is_not_silent() -> None:
    async def broken() -> None:
        raise ZeroDivisionError

    tasks = Tasks()
    await asyncio.wait({tasks.start(broken())})

    with pytest.raises(BaseExceptionGroup, match="background tasks of the fake failed"):
        await tasks.stop()


async def test_two_worlds_of_one_seed_have_the_same_trace() -> None:
    digests = []
    for _ in range(2):
        async with calling(Script("done", seconds=1.5)) as runpod:
            jobs = [await runpod.run(), await runpod.run({}), await runpod.run()]
            for job in jobs:
                await runpod.ended(job)
            digests.append(runpod.fake.control.seams.trace.digest())

    assert digests[0] == digests[1]
