"""The fake as a whole: starting worlds, reset, stop."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tzzr_mocks.grace.caller import calling, control
from tests.tzzr_mocks.grace.contracts import text_request
from tzzr_mocks.control import PlanError
from tzzr_mocks.grace import GraceFake, Script
from tzzr_mocks.grace.seed import STARTS
from tzzr_mocks.grace.tasks import Tasks
from tzzr_mocks.network.virtual import new_virtual_loop

ROOT = Path(__file__).resolve().parents[3]


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


def played() -> str:
    """The digest of the trace of one busy world, on a loop of its own."""

    async def play() -> str:
        faults = ["grace: 2nd job loses its worker 1 times", "grace: HASHER fails 50% of the time"]
        async with calling(Script("done", seconds=1.5), faults=faults) as runpod:
            jobs = [await runpod.run({"n": number}) for number in range(6)]
            runpod.endpoint = "grace"
            await asyncio.gather(*[runpod.runsync(text_request("HASHER", f"texto {number}")) for number in range(8)])
            runpod.endpoint = "ep"
            await asyncio.gather(*[runpod.ended(job) for job in jobs])
            return runpod.fake.control.seams.trace.digest()

    with asyncio.Runner(loop_factory=new_virtual_loop) as runner:
        return runner.run(play())


@pytest.mark.slow
@pytest.mark.parametrize("hash_seed", ["1", "4242"])
def test_the_trace_is_the_same_in_every_process(hash_seed: str) -> None:
    script = "from tests.tzzr_mocks.grace.test_app import played; print(played())"
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )

    assert done.stdout.strip() == played()
