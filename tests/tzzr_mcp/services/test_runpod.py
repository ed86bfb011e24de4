"""The job's life seen from the client: submitted, followed, and never left behind."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any

import anyio
import httpx
import pytest
import respx

from tests.tzzr_mcp.services.worlds import (
    TRACE_ID,
    Hang,
    Reply,
    job,
    new_router,
    new_seams,
    new_upstream,
    nobody,
    script,
    within,
)
from tzzr_mcp.seams import Seams
from tzzr_mcp.services.jobs import JobState
from tzzr_mcp.services.runpod import FRESH_MISSES, Errand, Listener, RunPod
from tzzr_mcp.services.troubles import Trouble, UpstreamError

DONE = job("COMPLETED", output={"answer": 42})
QUEUED = job("IN_QUEUE")
MISSING = httpx.Response(404)


class Scene:
    """One endpoint of RunPod: what it replies to ``/run``, ``/status`` and ``/cancel``."""

    def __init__(self, *status: Reply, run: Reply | list[Reply] = QUEUED, cancel: Reply | None = None) -> None:
        self.seams: Seams = new_seams()
        self.router: respx.MockRouter = new_router()
        runs = run if isinstance(run, list) else [run]
        self.run = self.router.post("/grace/run").mock(side_effect=script(*runs))
        self.status = self.router.get("/grace/status/job-1-u1").mock(side_effect=script(*status or (QUEUED,)))
        self.cancel = self.router.post("/grace/cancel/job-1-u1").mock(side_effect=script(cancel or job("CANCELLED")))
        self.client = RunPod(new_upstream(self.router, self.seams), "grace")

    def errand(
        self,
        seconds: float = 50,
        listener: Listener = nobody,
        usable: Callable[[Any], bool] = lambda output: output is not None,
    ) -> Errand:
        return Errand({"a": 1}, within(seconds, self.seams), TRACE_ID, listener, usable)

    @property
    def now(self) -> float:
        return self.seams.clock.monotonic()


async def test_a_job_is_submitted_and_followed_to_its_end() -> None:
    scene = Scene(QUEUED, job("IN_PROGRESS", delayTime=3, workerId="w"), DONE)
    told: list[JobState] = []

    async def listener(state: JobState, text: str) -> None:
        told.append(state)

    done = await scene.client.run(scene.errand(listener=listener))
    assert (done.state, done.output) == (JobState.COMPLETED, {"answer": 42})
    assert told == ["IN_QUEUE", "IN_QUEUE", "IN_PROGRESS", "COMPLETED"]
    assert not scene.cancel.called


async def test_the_submission_bounds_the_jobs_own_life() -> None:
    scene = Scene(DONE)
    await scene.client.run(scene.errand(seconds=30))
    body = json.loads(scene.run.calls.last.request.content)
    assert body["input"] == {"a": 1}
    assert body["policy"]["executionTimeout"] == 30_000
    assert body["policy"]["ttl"] > 30_000


async def test_a_short_call_keeps_the_policys_documented_minimum() -> None:
    scene = Scene(DONE)
    await scene.client.run(scene.errand(seconds=2))
    assert json.loads(scene.run.calls.last.request.content)["policy"]["executionTimeout"] == 5_000


async def test_polls_grow_apart_to_two_seconds() -> None:
    scene = Scene(*[job("IN_PROGRESS")] * 15, DONE)
    await scene.client.run(scene.errand())
    polls = [
        event.at
        for event in scene.seams.trace
        if event.details.get("method") == "GET" and event.kind == "upstream.request"
    ]
    gaps = [later - earlier for earlier, later in pairwise(polls)]
    assert gaps == sorted(gaps)
    assert gaps[0] == pytest.approx(0.08)
    assert gaps[-1] == pytest.approx(2)


@pytest.mark.parametrize("status", ["FAILED", "CANCELLED", "TIMED_OUT"])
async def test_each_other_final_state_ends_it(status: str) -> None:
    scene = Scene(job(status, error="because"))
    done = await scene.client.run(scene.errand())
    assert (done.state, done.error) == (JobState(status), "because")
    assert not scene.cancel.called


@pytest.mark.parametrize("status", ["RUNNING", "THROTTLED"])
async def test_a_state_that_no_client_knows_is_waited_through(status: str) -> None:
    scene = Scene(job(status), job(status), DONE)
    assert (await scene.client.run(scene.errand())).state is JobState.COMPLETED


async def test_a_job_that_is_already_final_at_submission_is_not_polled() -> None:
    scene = Scene(run=DONE)
    assert (await scene.client.run(scene.errand())).output == {"answer": 42}
    assert not scene.status.called


async def test_a_fresh_job_may_be_unknown_for_a_while() -> None:
    scene = Scene(*[MISSING] * FRESH_MISSES, DONE)
    assert (await scene.client.run(scene.errand())).state is JobState.COMPLETED


async def test_a_job_that_never_appears_is_gone() -> None:
    scene = Scene(MISSING)
    assert (await scene.client.run(scene.errand())).state is JobState.GONE
    assert scene.status.call_count == FRESH_MISSES + 1


async def test_a_job_that_was_seen_and_vanishes_is_gone_at_once() -> None:
    scene = Scene(job("IN_PROGRESS"), MISSING)
    assert (await scene.client.run(scene.errand())).state is JobState.GONE
    assert scene.status.call_count == 2


async def test_a_premature_completion_is_read_again() -> None:
    scene = Scene(job("COMPLETED"), job("COMPLETED"), DONE)
    assert (await scene.client.run(scene.errand())).output == {"answer": 42}


async def test_how_often_a_job_was_read_at_work_makes_no_premature_completion_believed() -> None:
    scene = Scene(*[job("IN_PROGRESS")] * 5, job("COMPLETED"), DONE)
    assert (await scene.client.run(scene.errand())).output == {"answer": 42}


async def test_a_completion_without_output_is_believed_in_the_end() -> None:
    scene = Scene(job("COMPLETED"))
    assert (await scene.client.run(scene.errand())).output is None
    assert scene.status.call_count == 3


async def test_progress_that_overwrites_the_final_state_ends_with_the_deadline_and_a_cancel() -> None:
    scene = Scene(job("COMPLETED"), job("IN_PROGRESS", output="50 %"))
    with pytest.raises(UpstreamError) as caught:
        await scene.client.run(scene.errand(seconds=20))
    assert caught.value.trouble is Trouble.DEADLINE
    assert scene.cancel.call_count == 1


async def test_a_job_stuck_in_the_queue_is_cancelled_before_the_deadline() -> None:
    scene = Scene(QUEUED)
    with pytest.raises(UpstreamError) as caught:
        await scene.client.run(scene.errand())
    assert caught.value.trouble is Trouble.DEADLINE
    assert scene.cancel.call_count == 1
    assert scene.now == pytest.approx(49)


async def test_a_cancel_that_hangs_does_not_pass_the_deadline() -> None:
    scene = Scene(QUEUED)

    async def hang(request: httpx.Request) -> httpx.Response:
        await scene.seams.clock.sleep(1e6)
        raise AssertionError("unreachable")

    scene.cancel.mock(side_effect=hang)
    with pytest.raises(UpstreamError):
        await scene.client.run(scene.errand())
    assert scene.now == pytest.approx(50)


@pytest.mark.parametrize("cancel", [httpx.Response(404), httpx.Response(401), httpx.ConnectError("gone")])
async def test_a_cancel_that_fails_hides_nothing(cancel: Reply) -> None:
    scene = Scene(QUEUED, cancel=cancel)
    with pytest.raises(UpstreamError) as caught:
        await scene.client.run(scene.errand())
    assert caught.value.trouble is Trouble.DEADLINE


async def test_cancelling_a_job_that_is_unknown_is_no_error() -> None:
    scene = Scene(cancel=MISSING)
    await scene.client.cancel("job-1-u1", within(5, scene.seams), TRACE_ID)
    assert (scene.cancel.call_count, scene.now) == (1, 0), "asked once, and what is gone needs no second try"


async def test_cancelling_without_the_right_is_an_error() -> None:
    scene = Scene(cancel=httpx.Response(401))
    with pytest.raises(UpstreamError) as caught:
        await scene.client.cancel("job-1-u1", within(5, scene.seams), TRACE_ID)
    assert caught.value.trouble is Trouble.AUTH


async def test_a_cancelled_caller_cancels_the_job() -> None:
    scene = Scene(job("IN_PROGRESS"))
    task = asyncio.ensure_future(scene.client.run(scene.errand()))
    await scene.seams.clock.sleep(5)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert scene.cancel.call_count == 1


async def test_a_cancelled_scope_cancels_the_job() -> None:
    scene = Scene(job("IN_PROGRESS"))
    with anyio.move_on_after(5):
        await scene.client.run(scene.errand())
    assert scene.cancel.call_count == 1
    assert scene.now == pytest.approx(5)


@pytest.mark.parametrize("by_scope", [True, False])
async def test_a_caller_cancelled_while_submitting_cancels_the_job_whose_id_comes_later(by_scope: bool) -> None:
    scene = Scene()

    async def slow(request: httpx.Request) -> httpx.Response:
        await scene.seams.clock.sleep(0.7)
        return QUEUED

    scene.run.mock(side_effect=slow)
    if by_scope:
        with anyio.move_on_after(0.1):
            await scene.client.run(scene.errand())
    else:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.1):
                await scene.client.run(scene.errand())
    assert scene.cancel.call_count == 1


async def test_a_caller_cancelled_while_a_submission_hangs_is_let_go_after_two_seconds() -> None:
    seams = new_seams()
    hang = Hang(seams)
    client = RunPod(new_upstream(hang, seams), "grace")
    errand = Errand({}, within(50, seams), TRACE_ID, nobody, lambda output: True)
    with anyio.move_on_after(2):
        await client.run(errand)
    assert seams.clock.monotonic() == pytest.approx(4)
    assert hang.seen == ["POST /v2/grace/run"]
    assert len(asyncio.all_tasks()) == 1


async def test_a_lost_answer_to_the_submission_is_asked_for_again() -> None:
    scene = Scene(DONE, run=[httpx.ReadError(""), httpx.Response(524, text="<html>"), QUEUED])
    assert (await scene.client.run(scene.errand())).state is JobState.COMPLETED
    bodies = {json.dumps(json.loads(call.request.content)["input"]) for call in scene.run.calls}
    assert (scene.run.call_count, len(bodies)) == (3, 1)


@pytest.mark.parametrize(
    "reply",
    [
        httpx.Response(200, json={"status": "IN_QUEUE"}),
        httpx.Response(200, json={"id": 7, "status": "IN_QUEUE"}),
        httpx.Response(200, json={"id": "job-1-u1"}),
        httpx.Response(200, text="<html>"),
        httpx.Response(200),
    ],
)
async def test_a_submission_without_id_or_state_is_repeated_and_then_a_bad_response(reply: httpx.Response) -> None:
    scene = Scene(run=reply)
    with pytest.raises(UpstreamError) as caught:
        await scene.client.run(scene.errand())
    assert (caught.value.trouble, scene.run.call_count) == (Trouble.BAD_RESPONSE, 4)
    assert (caught.value.service, caught.value.status) == ("grace", 200)


@pytest.mark.parametrize(
    ("reply", "trouble"),
    [
        (httpx.Response(401), Trouble.AUTH),
        (httpx.Response(404, text="<html>"), Trouble.NOT_FOUND),
        (httpx.Response(400, json={"error": "json is invalid; max size is 10 MB"}), Trouble.TOO_LARGE),
        (httpx.Response(400, json={"error": "input"}), Trouble.REFUSED),
    ],
)
async def test_a_refused_submission_is_not_repeated(reply: httpx.Response, trouble: Trouble) -> None:
    scene = Scene(run=reply)
    with pytest.raises(UpstreamError) as caught:
        await scene.client.run(scene.errand())
    assert (caught.value.trouble, scene.run.call_count) == (trouble, 1)


async def test_a_status_that_stumbles_is_read_again() -> None:
    scene = Scene(httpx.Response(200, text="<html>"), httpx.Response(502), httpx.ReadTimeout(""), DONE)
    assert (await scene.client.run(scene.errand())).state is JobState.COMPLETED


async def test_a_rate_limited_status_waits_as_long_as_it_is_told() -> None:
    scene = Scene(httpx.Response(429, headers={"Retry-After": "9"}), DONE)
    await scene.client.run(scene.errand())
    assert scene.now == pytest.approx(9.05)


async def test_a_job_that_cannot_be_followed_any_more_is_cancelled() -> None:
    scene = Scene(httpx.Response(502))
    with pytest.raises(UpstreamError) as caught:
        await scene.client.run(scene.errand())
    assert (caught.value.trouble, caught.value.state) == (Trouble.BROKEN, "IN_QUEUE"), "as it was when it was submitted"
    assert scene.cancel.call_count == 1


async def test_ids_and_endpoints_are_escaped_in_paths() -> None:
    router, seams = new_router(), new_seams()
    router.post(url__regex=r".*/my%2Fendpoint/run").respond(json={"id": "a/b?c", "status": "IN_QUEUE"})
    router.route().respond(json={"status": "IN_PROGRESS", "stream": []})
    client = RunPod(new_upstream(router, seams), "my/endpoint")
    with pytest.raises(UpstreamError):
        await client.run(Errand({}, within(9, seams), TRACE_ID, nobody, lambda output: False, part_of=str))
    assert {call.request.url.raw_path.partition(b"?")[0] for call in router.calls} == {
        b"/v2/my%2Fendpoint/run",
        *(f"/v2/my%2Fendpoint/{verb}/a%2Fb%3Fc".encode() for verb in ("stream", "status", "cancel")),
    }


async def test_every_request_of_a_job_names_its_method_its_place_and_the_call_it_is_for() -> None:
    scene, about = Scene(job("IN_PROGRESS")), {"module": "HASHER"}
    with pytest.raises(UpstreamError):
        await scene.client.run(replace(scene.errand(seconds=5), about=about))
    asked = [event.details for event in scene.seams.trace if event.kind == "upstream.request"]
    assert {each["module"] for each in asked if "cancel" not in each["path"]} == {"HASHER"}
    assert {each["trace_id"] for each in asked} == {str(TRACE_ID)}
    assert list(dict.fromkeys((each["method"], each["path"]) for each in asked)) == [
        ("POST", "/grace/run"),
        ("GET", "/grace/status/job-1-u1"),
        ("POST", "/grace/cancel/job-1-u1"),
    ]
    sent = [call.request.headers["X-Trace-Id"] for route in (scene.run, scene.cancel) for call in route.calls]
    assert sent == [str(TRACE_ID)] * 2
    assert scene.cancel.calls.last.request.content == b"{}"


@pytest.mark.parametrize("state", ["IN_QUEUE", "IN_PROGRESS"])
async def test_a_job_that_did_not_end_in_time_is_told_with_the_state_that_it_was_in(state: str) -> None:
    scene = Scene(job(state), job(state), httpx.Response(404))
    scene.status.mock(side_effect=script(job(state)))
    with pytest.raises(UpstreamError) as caught:
        await scene.client.run(scene.errand(seconds=5))
    assert (caught.value.service, caught.value.trouble, caught.value.state) == ("grace", Trouble.DEADLINE, state)


@pytest.mark.parametrize(("seconds", "at"), [(5, 4.5), (10, 9), (50, 49)])
async def test_a_tenth_of_the_time_and_a_second_at_most_is_kept_for_cancelling(seconds: float, at: float) -> None:
    scene = Scene(job("IN_PROGRESS"))
    begun: list[float] = []

    def cancelled(request: httpx.Request) -> httpx.Response:
        begun.append(scene.now)
        return httpx.Response(200, json={"id": "job-1-u1", "status": "CANCELLED"})

    scene.cancel.mock(side_effect=cancelled)
    with pytest.raises(UpstreamError):
        await scene.client.run(scene.errand(seconds=seconds))
    assert begun == [pytest.approx(at)]


@pytest.mark.parametrize(
    ("seconds", "execution", "ttl"), [(2, 5_000, 602_000), (5, 5_000, 605_000), (50, 50_000, 650_000)]
)
async def test_a_job_may_run_as_long_as_its_call_and_be_kept_ten_minutes_more(
    seconds: float, execution: int, ttl: int
) -> None:
    scene = Scene(DONE)
    await scene.client.run(scene.errand(seconds=seconds))
    sent = json.loads(scene.run.calls.last.request.content)
    assert sent == {"input": {"a": 1}, "policy": {"executionTimeout": execution, "ttl": ttl}}


async def test_a_job_is_asked_for_ever_later_but_every_two_seconds_at_least() -> None:
    scene = Scene(job("IN_PROGRESS"))
    with pytest.raises(UpstreamError):
        await scene.client.run(scene.errand(seconds=30))
    at = [
        event.at
        for event in scene.seams.trace
        if event.kind == "upstream.request" and "/status/" in event.details["path"]
    ]
    pauses = [later - sooner for sooner, later in pairwise([0, *at])]
    expected = [min(2.0, 0.05 * 1.6**number) for number in range(len(pauses))]
    assert pauses == pytest.approx(expected, abs=1e-5)


async def test_nothing_waits_in_the_queue_once_the_call_is_over() -> None:
    scene = Scene(QUEUED)
    with pytest.raises(UpstreamError):
        await scene.client.run(scene.errand(seconds=5))
    assert len(scene.client.waiting) == 0
    counts = [event.details for event in scene.seams.trace if event.kind == "queue"]
    assert counts == [{"service": "grace", "waiting": waiting} for waiting in (1, 0)]


@pytest.mark.parametrize("reply", [httpx.Response(200, json={"id": "job-1-u1"}), httpx.Response(200, text="<html>")])
async def test_a_status_without_a_state_is_a_bad_response_with_its_status(reply: httpx.Response) -> None:
    scene = Scene(reply)
    with pytest.raises(UpstreamError) as caught:
        await scene.client.run(scene.errand())
    assert (caught.value.trouble, caught.value.service, caught.value.status) == (Trouble.BAD_RESPONSE, "grace", 200)


async def test_a_cancelled_caller_lets_a_slow_cancel_reach_runpod() -> None:
    scene = Scene(job("IN_PROGRESS"))

    async def slow(request: httpx.Request) -> httpx.Response:
        await scene.seams.clock.sleep(0.5)
        return httpx.Response(200, json={"id": "job-1-u1", "status": "CANCELLED"})

    scene.cancel.mock(side_effect=slow)
    with anyio.move_on_after(5):
        await scene.client.run(scene.errand())
    assert scene.now == pytest.approx(5.5)
    (*_, last) = scene.seams.trace
    assert (last.kind, last.details["path"], last.details.get("status")) == (
        *("upstream.answer", "/grace/cancel/job-1-u1"),
        200,
    )
