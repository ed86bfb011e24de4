"""Rates, concurrency and the length of the queue (runpod.md §4; check 40)."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from tests.tzzr_mocks.grace.caller import QUICK, Caller, calling
from tests.tzzr_mocks.grace.checks import both_ways, check
from tzzr_mocks.grace import Deployment, Limits, Options, Rate, Script


def limited(**rates: Rate) -> Options:
    """Options with these rates alone."""
    return replace(QUICK, limits=Limits(rates={name.replace("_", "-"): rate for name, rate in rates.items()}))


@check(40)
@both_ways
async def test_a_request_over_the_rate_is_429_with_an_empty_text(way: str) -> None:
    async with calling(options=limited(run=Rate(2)), way=way) as runpod:
        answers = [await runpod.ask("POST", "run", json={"input": {"a": 1}}) for _ in range(3)]

        assert [answer.status_code for answer in answers] == [200, 200, 429]
        assert answers[2].content == b""
        assert answers[2].headers["content-type"].startswith("text/plain")
        assert "retry-after" not in answers[2].headers


@check(40)
@both_ways
async def test_the_window_slides_over_ten_seconds(way: str) -> None:
    async with calling(options=limited(cancel=Rate(2)), way=way) as runpod:
        seen = []
        for pause in (0.0, 6.0, 0.0, 4.0, 0.0, 6.0):
            await runpod.clock.sleep(pause)
            seen.append((await runpod.ask("POST", "cancel/x")).status_code)

    assert seen == [404, 404, 429, 404, 429, 404]


@check(40)
@both_ways
async def test_limits_are_counted_per_operation_and_per_endpoint(way: str) -> None:
    options = limited(run=Rate(1), purge_queue=Rate(1))
    async with calling(options=options, others={"other": Deployment()}, way=way) as runpod:
        first = [await _statuses(runpod), await _statuses(runpod)]
        runpod.endpoint = "other"
        second = [await _statuses(runpod), await _statuses(runpod)]

    assert first == second == [[200, 200, 200], [429, 429, 200]]


async def _statuses(runpod: Caller) -> list[int]:
    answers = [
        await runpod.ask("POST", "run", json={"input": {"a": 1}}),
        await runpod.ask("POST", "purge-queue"),
        await runpod.ask("GET", "health"),
    ]
    return [answer.status_code for answer in answers]


async def test_status_and_status_sync_share_their_limit_and_retries_have_none() -> None:
    async with calling(options=limited(status=Rate(2))) as runpod:
        job = await runpod.run()
        answers = [await runpod.ask("GET", f"{route}/{job}") for route in ("status-sync", "status", "status")]
        retries = [await runpod.ask("POST", f"retry/{job}") for _ in range(20)]

    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert {answer.status_code for answer in retries} == {400}


async def test_held_requests_count_as_long_as_they_are_held() -> None:
    async with calling(
        Deployment(Script(seconds=5.0), warm=0, most=1), options=limited(runsync=Rate(None, 2))
    ) as runpod:
        body = {"input": {"a": 1}}
        answers = await asyncio.gather(*[runpod.ask("POST", "runsync?wait=1000", json=body) for _ in range(3)])
        later = await runpod.ask("POST", "runsync?wait=1000", json=body)

    assert sorted(answer.status_code for answer in answers) == [200, 200, 429]
    assert later.status_code == 200


async def test_as_many_as_the_running_workers_take_are_never_refused() -> None:
    async with calling(Deployment(Script(seconds=60.0), warm=3, most=3), options=limited(run=Rate(2))) as runpod:
        body = {"input": {"a": 1}}
        for _ in range(3):
            await runpod.ask("POST", "runsync?wait=1000", json=body)
        answers = [await runpod.ask("POST", "run", json=body) for _ in range(4)]

    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]


@pytest.mark.parametrize(("per_worker", "taken"), [(10, 6), (1, 5)])
async def test_a_queue_is_full_over_fifty_and_over_five_hundred_per_worker(per_worker: int, taken: int) -> None:
    options = replace(QUICK, limits=Limits(queue=4, queue_per_worker=per_worker))
    deployment = Deployment(Script(seconds=60.0), warm=0, most=1)
    async with calling(deployment, options=options) as runpod:
        answers = [await runpod.ask("POST", "run", json={"input": {"a": 1}}) for _ in range(6)]

    assert [answer.status_code for answer in answers].count(200) == taken


def test_the_limits_are_those_of_the_documents() -> None:
    table = {name: (rate.requests, rate.concurrent) for name, rate in Limits().rates.items()}
    limits = Limits()

    assert table == {
        "run": (1000, 200), "runsync": (2000, 400), "status": (2000, 400), "stream": (2000, 400), "cancel": (100, 20),
        "purge-queue": (2, None), "requests": (10, 2), "openai": (2000, 400),
    }  # fmt: skip
    assert (limits.run_mb, limits.runsync_mb, limits.chunk_bytes) == (10, 20, 1_000_000)
    assert (limits.queue, limits.queue_per_worker) == (50, 500)


ASKED = {
    "run": ("POST", "run"), "runsync": ("POST", "runsync?wait=1000"), "status": ("GET", "status/x"),
    "stream": ("GET", "stream/x"), "cancel": ("POST", "cancel/x"), "purge-queue": ("POST", "purge-queue"),
    "requests": ("GET", "requests"), "openai": ("POST", "openai/v1/models"),
}  # fmt: skip


@pytest.mark.parametrize("operation", Limits().rates)
async def test_each_operation_has_its_rate_on_each_endpoint(operation: str) -> None:
    method, route = ASKED[operation]
    async with calling(
        options=limited(**{operation.replace("-", "_"): Rate(2)}), others={"other": Deployment()}
    ) as runpod:
        first = [(await runpod.ask(method, route, json={"input": {"a": 1}})).status_code for _ in range(3)]
        runpod.endpoint = "other"
        second = (await runpod.ask(method, route, json={"input": {"a": 1}})).status_code

    assert [status == 429 for status in first] == [False, False, True]
    assert second != 429


@pytest.mark.parametrize("operation", ["runsync", "status", "stream", "openai"])
async def test_each_operation_that_is_held_has_its_concurrency(operation: str) -> None:
    options = limited(**{operation: Rate(None, 2)})
    async with calling(Deployment(Script(seconds=5.0), warm=0, most=1), options=options) as runpod:
        job = await runpod.run()
        route = {"status": f"status-sync/{job}?wait=1000", "stream": f"stream/{job}?wait=1000"}.get(
            operation, ASKED[operation][1]
        )
        answers = await asyncio.gather(*[runpod.ask("POST", route, json={"input": {"a": 1}}) for _ in range(3)])

    assert sorted(answer.status_code == 429 for answer in answers) == [False, False, True]


async def test_a_full_queue_is_full_for_its_own_endpoint_alone() -> None:
    options = replace(QUICK, limits=Limits(queue=1, queue_per_worker=1))
    others = {"other": Deployment()}
    async with calling(Deployment(Script(seconds=60.0), warm=0, most=1), options=options, others=others) as runpod:
        refused = [(await runpod.ask("POST", "run", json={"input": {"a": 1}})).status_code for _ in range(4)]
        runpod.endpoint = "other"
        taken = (await runpod.ask("POST", "run", json={"input": {"a": 1}})).status_code

    assert (refused[-1], taken) == (429, 200)


async def test_limits_that_are_off_refuse_nobody() -> None:
    async with calling(options=replace(QUICK, limits=Limits.off())) as runpod:
        answers = [await runpod.ask("POST", "purge-queue") for _ in range(20)]

    assert {answer.status_code for answer in answers} == {200}
