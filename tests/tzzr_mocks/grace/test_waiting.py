"""Held answers: /runsync and /status-sync (runpod.md §4; checks 20 to 22, 24)."""

from __future__ import annotations

import asyncio

import httpx
import pytest

from tests.tzzr_mocks.grace.caller import KEY, QUICK, START, calling, control
from tests.tzzr_mocks.grace.checks import both_ways, check
from tzzr_mcp.seams import LoopClock
from tzzr_mocks.grace import Deployment, GraceFake, Script
from tzzr_mocks.network.direct import DirectTransport
from tzzr_mocks.network.steered import SteeredClock


@check(20)
@both_ways
async def test_runsync_answers_with_the_final_job(way: str) -> None:
    async with calling(Script(returns="done", seconds=0.2), way=way) as runpod:
        body = await runpod.runsync()

        assert (body["status"], body["output"]) == ("COMPLETED", "done")
        assert 200 <= body["executionTime"] < 2000


@check(21)
@both_ways
async def test_runsync_lets_go_after_wait_and_the_job_goes_on(way: str) -> None:
    async with calling(Script(returns="done", seconds=1.6), way=way) as runpod:
        began = runpod.clock.monotonic()
        body = await runpod.runsync(route="runsync?wait=1000")

        assert 1.0 <= runpod.clock.monotonic() - began < 1.5
        assert body["status"] == "IN_PROGRESS"
        assert body["id"].startswith("sync-")
        assert "output" not in body
        assert (await runpod.ended(body["id"]))["output"] == "done"


@check(22)
@both_ways
@pytest.mark.parametrize("wait", ["29", "999", "300001", "-1", "", "1e4", "9" * 5000])
@pytest.mark.parametrize("route", ["runsync", "status-sync/x", "stream/x"])
async def test_a_wait_out_of_range_is_refused_in_the_platforms_words(way: str, route: str, wait: str) -> None:
    async with calling(way=way) as runpod:
        response = await runpod.ask("POST", f"{route}?wait={wait}", json={"input": {"a": 1}})

        assert response.status_code == 400
        assert response.json() == {"error": "wait is invalid; must be between 1000 and 300000"}
        assert await runpod.read("requests") == {"requests": []}


@check(22)
@both_ways
@pytest.mark.parametrize("wait", [1000, 300_000])
async def test_both_ends_of_wait_are_taken(way: str, wait: int) -> None:
    async with calling(way=way) as runpod:
        assert (await runpod.runsync(route=f"runsync?wait={wait}"))["status"] == "COMPLETED"


async def test_runsync_waits_ninety_seconds_when_nothing_is_said() -> None:
    async with calling(Script(seconds=1000.0)) as runpod:
        began = runpod.clock.monotonic()

        assert (await runpod.runsync())["status"] == "IN_PROGRESS"
        assert runpod.clock.monotonic() - began == pytest.approx(90.0)


@check(24)
@both_ways
@pytest.mark.parametrize(("seconds", "wait", "held"), [(0.5, 1000, 0.5), (30.0, 1000, 1.0), (30.0, 90_000, 30.0)])
async def test_status_sync_is_held_until_the_end_or_the_wait(way: str, seconds: float, wait: int, held: float) -> None:
    async with calling(Script(seconds=seconds), way=way) as runpod:
        job = await runpod.run()
        began = runpod.clock.monotonic()

        await runpod.read(f"status-sync/{job}?wait={wait}")

        assert runpod.clock.monotonic() - began == pytest.approx(held)


async def test_a_job_that_is_purged_while_somebody_waits_for_it_is_404() -> None:
    async with calling(faults=["grace: job stays in the queue"]) as runpod:
        job = await runpod.run(policy={"ttl": 10_000})

        response = await runpod.ask("GET", f"status-sync/{job}")

        assert response.status_code == 404
        assert runpod.clock.monotonic() == pytest.approx(10.0)


async def test_held_answers_and_running_jobs_follow_the_worlds_clock_and_no_other() -> None:
    clock = SteeredClock(START)
    clock.freeze()
    deployments = {"ep": Deployment(Script("done", seconds=3600.0))}
    fake = GraceFake(control(clock=clock), options=QUICK, deployments=deployments, keys={KEY: None})
    http = httpx.AsyncClient(
        transport=DirectTransport(fake.app), base_url="http://runpod.test/v2/ep/", headers={"Authorization": KEY}
    )
    held = asyncio.create_task(http.post("runsync?wait=60000", json={"input": {"a": 1}}, timeout=9e9))
    await turns(100)
    assert not held.done()

    clock.advance(60)
    response = await held
    clock.advance(700)
    await turns(100)
    later = await http.get(f"status/{response.json()['id']}")
    await fake.stop()

    assert response.json()["status"] == "IN_PROGRESS"
    assert later.json()["error"] == "executionTimeout exceeded"


async def turns(number: int) -> None:
    """Let everybody run who can."""
    for _ in range(number):
        await LoopClock(START).sleep(0)
