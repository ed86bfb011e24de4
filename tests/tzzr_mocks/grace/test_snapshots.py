"""Jobs that a snapshot finds running, waiting or just ended, and what becomes of them when it is brought back."""

from __future__ import annotations

import asyncio
import copy
import json
from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import pytest

from tests.tzzr_mocks.grace.caller import QUICK, Caller, calling
from tests.tzzr_mocks.grace.contracts import text_request
from tests.tzzr_mocks.grace.test_webhooks import URL, Receiver
from tests.tzzr_mocks.small import expect_refusal
from tzzr_mocks.grace import Assignment, Deployment, Options, Script, Workers

Story = Callable[[Caller], Awaitable[Any]]
ONE = Options(workers=Workers(warm=1, most=1, pickup_s=0.0))


async def both(caller: Caller, story: Story) -> tuple[Any, Any]:
    """What a story tells from here on, and what it tells when the moment is brought back after it."""
    plan, kept = caller.plan.snapshot(), caller.fake.snapshot()
    first = await story(caller)
    await caller.clock.sleep(1.5)
    caller.plan.restore(plan)
    caller.fake.restore(kept)
    return first, await story(caller)


def kinds(caller: Caller, kind: str) -> int:
    """How many events of a kind there have been."""
    return sum(event.kind == kind for event in caller.fake.control.seams.trace)


async def test_a_job_that_runs_ends_after_the_time_that_it_had_left() -> None:
    async def told(caller: Caller) -> Any:
        seen = []
        for pause in (5.9, 0.2):
            await caller.clock.sleep(pause)
            seen.append(await caller.status(job))
        return seen

    async with calling(Script(seconds=10, returns="done")) as caller:
        job = await caller.run()
        await caller.clock.sleep(4)
        first, again = await both(caller, told)

    assert again == first
    assert [one["status"] for one in first] == ["IN_PROGRESS", "COMPLETED"]
    assert first[1]["executionTime"] == 10_000


async def test_a_program_that_waits_again_and_again_is_led_to_the_wait_it_was_in() -> None:
    async def three_waits(assignment: Assignment) -> float:
        began = assignment.seams.clock.monotonic()
        for _ in range(3):
            await assignment.seams.clock.sleep(3)
        return round(assignment.seams.clock.monotonic() - began, 6)

    async def told(caller: Caller) -> Any:
        await caller.clock.sleep(1.9)
        running = (await caller.status(job))["status"]
        await caller.clock.sleep(0.2)
        return running, (await caller.status(job))["output"]

    async with calling(Deployment(three_waits)) as caller:
        job = await caller.run()
        await caller.clock.sleep(7)
        assert await both(caller, told) == (("IN_PROGRESS", 9.0),) * 2


@pytest.mark.parametrize("workers", [Workers(warm=1, pickup_s=5.0), Workers(warm=0, cold_start_s=5.0)])
async def test_a_worker_on_its_way_to_a_job_arrives_when_it_would_have(workers: Workers) -> None:
    async def told(caller: Caller) -> Any:
        await caller.clock.sleep(2.9)
        before = await caller.status(job)
        await caller.clock.sleep(0.2)
        return before["status"], (await caller.status(job))["status"]

    async with calling(Script(seconds=1), options=Options(workers=workers)) as caller:
        job = await caller.run()
        await caller.clock.sleep(2)
        assert await both(caller, told) == (("IN_QUEUE", "IN_PROGRESS"),) * 2


async def test_the_line_stands_as_it_stood_and_the_ids_that_come_are_the_same() -> None:
    async def told(caller: Caller) -> Any:
        more = await caller.run()
        await caller.ask("POST", f"cancel/{waiting[0]}")
        await caller.clock.sleep(9.5)
        listed = await caller.read("requests")
        return more, [(one["id"], one["status"]) for one in listed["requests"]], await caller.read("health")

    async with calling(Script(seconds=4), options=ONE) as caller:
        await caller.run()
        waiting = [await caller.run() for _ in range(2)]
        await caller.clock.sleep(1)
        first, again = await both(caller, told)

    assert again == first
    assert [status for _, status in first[1]] == ["COMPLETED", "CANCELLED", "COMPLETED", "IN_PROGRESS"]


async def test_a_program_that_fails_later_tells_the_worker_that_it_ran_on() -> None:
    async def told(caller: Caller) -> Any:
        body = await caller.ended(job)
        return json.loads(body["error"])["worker_id"], body["workerId"]

    async with calling(Script(seconds=10, raises=ValueError("boom"))) as caller:
        job = await caller.run()
        await caller.clock.sleep(4)
        first, again = await both(caller, told)

    assert again == first
    assert first[0] == first[1]


async def test_a_stream_goes_on_behind_what_was_read_and_repeats_nothing() -> None:
    async def told(caller: Caller) -> Any:
        return [await caller.read(f"stream/{job}") for _ in range(3)]

    async with calling(Script(chunks=tuple("abcde"), pause_s=2)) as caller:
        job = await caller.run()
        await caller.clock.sleep(3)
        assert [chunk["output"] for chunk in (await caller.read(f"stream/{job}"))["stream"]] == ["a"]
        await caller.clock.sleep(2)
        first, again = await both(caller, told)

    assert again == first
    assert [[chunk["output"] for chunk in one["stream"]] for one in first] == [["b"], ["c"], ["d"]]


async def test_a_module_that_runs_is_neither_struck_nor_told_twice_and_takes_as_long_as_it_did() -> None:
    async def told(caller: Caller) -> Any:
        await caller.clock.sleep(100)
        status = await caller.status(job)
        return status["output"]["metrics"], status["output"]["routing"], caller.plan.unfired(), kinds(caller, "fault")

    faults = ["grace: first run to LANG_DETECT takes 40s", "grace: 2nd run to LANG_DETECT is down optional"]
    async with calling(faults=faults) as caller:
        caller.endpoint = "grace"
        job = await caller.run(text_request("LANG_DETECT"))
        await caller.clock.sleep(7)
        first, again = await both(caller, told)

    assert again == first
    assert first[0]["duration_ms"] > 40_000
    assert kinds(caller, "module") == 2, "once in each of the two courses of events"


async def test_who_waits_for_another_s_result_gets_it_again() -> None:
    async def told(caller: Caller) -> Any:
        await caller.clock.sleep(100)
        return [(await caller.status(job))["output"]["metrics"] for job in jobs]

    async with calling(faults=["grace: LANG_DETECT takes 40s"]) as caller:
        caller.endpoint = "grace"
        jobs = [await caller.run(text_request("LANG_DETECT"))]
        await caller.clock.sleep(3)
        jobs.append(await caller.run(text_request("LANG_DETECT")))
        await caller.clock.sleep(4)
        first, again = await both(caller, told)

    assert again == first
    assert first[0]["duration_ms"] - first[1]["duration_ms"] == pytest.approx(3000, abs=30)
    assert kinds(caller, "module") == 2


async def test_a_result_that_is_kept_for_a_key_is_kept_again() -> None:
    async def told(caller: Caller) -> Any:
        await caller.ended(await caller.run(text_request("LANG_DETECT")))
        return kinds(caller, "module")

    async with calling() as caller:
        caller.endpoint = "grace"
        await caller.ended(await caller.run(text_request("LANG_DETECT")))
        assert await both(caller, told) == (1, 1)


async def test_a_second_worker_that_nobody_hears_goes_on_too() -> None:
    async def told(caller: Caller) -> Any:
        before = kinds(caller, "module")
        await caller.clock.sleep(15)
        return kinds(caller, "module") - before

    faults = ["grace: first job runs twice", "grace: first job loses its workers", "grace: LANG_DETECT takes 10s"]
    async with calling(faults=faults) as caller:
        caller.endpoint = "grace"
        await caller.run(text_request("LANG_DETECT"))
        await caller.clock.sleep(4)
        assert await both(caller, told) == (1, 1)


@pytest.mark.parametrize(
    "fault",
    [
        "grace: first job loses its worker 1 times",
        "grace: first job starts cold in 20s",
        "grace: first job never ends",
        "grace: first job stays in the queue",
    ],
)
@pytest.mark.parametrize("at", [3.0, 25.0])
async def test_a_job_that_a_fault_has_in_hand_stays_in_it(fault: str, at: float) -> None:
    async def told(caller: Caller) -> Any:
        seen = []
        for _ in range(6):
            await caller.clock.sleep(5.3)
            seen.append((await caller.status(job), await caller.read("health")))
        return seen

    policy = {"executionTimeout": 30_000}
    async with calling(Script(seconds=6), options=Options(workers=Workers(warm=0)), faults=[fault]) as caller:
        job = await caller.run(policy=policy)
        await caller.clock.sleep(at)
        first, again = await both(caller, told)

    assert again == first


async def test_a_webhook_that_is_being_repeated_is_repeated_as_often_as_was_left() -> None:
    async def told(caller: Caller) -> Any:
        before = len(receiver.seen)
        began = caller.clock.monotonic()
        await caller.clock.sleep(60)
        return [round(at - began, 3) for at in receiver.times[before:]]

    receiver = Receiver(statuses=(500,))
    async with calling(Script(), door=receiver) as receiver.caller:
        await receiver.caller.run(webhook=URL)
        await receiver.caller.clock.sleep(3)
        first, again = await both(receiver.caller, told)

    assert (again, first) == ([2.0, 17.0], [2.0, 17.0])


async def test_a_request_that_waits_hears_that_its_job_is_gone() -> None:
    async with calling(Script(seconds=10)) as caller:
        kept = caller.fake.snapshot()
        waiting = asyncio.ensure_future(caller.ask("POST", "runsync", json={"input": {"a": 1}}))
        await caller.clock.sleep(4)
        caller.fake.restore(kept)
        reply = await waiting

    assert reply.status_code == 404


async def test_a_moment_can_be_brought_back_again_and_again_and_nothing_in_it_has_changed() -> None:
    async with calling(Script(seconds=10, progress=({"at": 1},))) as caller:
        job = await caller.run({"deep": {"list": [1]}})
        await caller.clock.sleep(4)
        kept = caller.fake.snapshot()
        seen = []
        for _ in range(3):
            caller.fake.endpoints["ep"].jobs[job].order.input["deep"]["list"].append(2)
            caller.fake.restore(kept)
            await caller.clock.sleep(3)
            held = caller.fake.endpoints["ep"].jobs[job].order.input
            more = await caller.run()
            seen.append(copy.deepcopy((await caller.status(job), held, more)))

    assert seen[0] == seen[1] == seen[2]
    assert seen[0][1] == {"deep": {"list": [1]}}


async def test_the_requests_of_the_last_ten_seconds_count_again() -> None:
    async def told(caller: Caller) -> list[int]:
        replies: list[httpx.Response] = [await caller.ask("POST", "purge-queue") for _ in range(2)]
        await caller.clock.sleep(7)
        return [reply.status_code for reply in (*replies, await caller.ask("POST", "purge-queue"))]

    async with calling() as caller:
        await caller.ask("POST", "purge-queue")
        await caller.clock.sleep(4)
        assert await both(caller, told) == ([200, 429, 200], [200, 429, 200])


async def test_an_endpoint_that_this_fake_has_not_is_refused_before_anything_changes() -> None:
    async with calling(others={"more": Deployment()}) as other, calling(options=QUICK) as caller:
        job = await caller.run()
        with expect_refusal("unknown endpoint of the snapshot 'more'"):
            caller.fake.restore(other.fake.snapshot())
        assert (await caller.status(job))["id"] == job
