"""A job whose text is shown while it is written: read from RunPod's stream, and polled for whatever the stream does."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import httpx
import pytest
import respx

from tests.tzzr_mcp.services.worlds import TRACE_ID, Reply, job, new_router, new_seams, new_upstream, script, within
from tzzr_mcp.services.http import Door
from tzzr_mcp.services.jobs import JobState
from tzzr_mcp.services.runpod import Errand, RunPod
from tzzr_mcp.services.streams import HOLD_S, read_batch
from tzzr_mcp.services.troubles import Trouble, UpstreamError
from tzzr_mcp.services.upstream import Upstream

WHOLE = {"answer": 42}
DONE = job("COMPLETED", output=["uno ", "dos", WHOLE])
RUNNING = job("IN_PROGRESS")
ONE_LEFT = 10 / 9
"""Seconds of a call of which exactly one is left, once a tenth is kept for cancelling."""


def batch(status: str, *items: Any) -> httpx.Response:
    """One answer of ``/stream``."""
    return httpx.Response(200, json={"status": status, "stream": [{"output": item} for item in items]})


def text_of(item: Any) -> str:
    return item if isinstance(item, str) else ""


def is_whole(output: Any) -> bool:
    last = output[-1] if isinstance(output, list) and output else output
    return isinstance(last, dict)


class Scene:
    """One job that streams: what its ``/stream`` and ``/status`` reply."""

    def __init__(self, *stream: Reply, status: Sequence[Reply] = (DONE,)) -> None:
        self.seams = new_seams()
        self.router: respx.MockRouter = new_router()
        self.router.post("/grace/run").mock(side_effect=script(job("IN_QUEUE")))
        self.stream = self.router.get("/grace/stream/job-1-u1").mock(side_effect=script(*stream))
        self.status = self.router.get("/grace/status/job-1-u1").mock(side_effect=script(*status))
        self.cancel = self.router.post("/grace/cancel/job-1-u1").mock(side_effect=script(job("CANCELLED")))
        self.client = RunPod(new_upstream(self.router, self.seams), "grace")
        self.told: list[tuple[str, str]] = []

    async def run(self, seconds: float = 50) -> Any:
        """The output of the job."""
        about = {"module": "SUMMARIZER"}
        errand = Errand({"a": 1}, within(seconds, self.seams), TRACE_ID, self.hear, is_whole, about, text_of)
        done = await self.client.run(errand)
        assert (done.id, done.state, len(self.client.waiting)) == ("job-1-u1", JobState.COMPLETED, 0)
        return done.output

    async def hear(self, state: JobState, text: str) -> None:
        self.told.append((state, text))

    @property
    def text(self) -> str:
        return "".join(text for _, text in self.told)


async def test_a_text_is_told_as_it_is_written_and_the_result_needs_no_poll() -> None:
    scene = Scene(batch("IN_PROGRESS", "uno "), batch("IN_PROGRESS", "dos"), batch("COMPLETED", WHOLE))
    assert await scene.run() == WHOLE
    assert scene.told == [("IN_QUEUE", ""), ("IN_PROGRESS", "uno "), ("IN_PROGRESS", "dos"), ("COMPLETED", "")]
    assert not scene.status.called
    assert dict(scene.stream.calls.last.request.url.params) == {"wait": "1000"}


async def test_a_stream_that_has_nothing_yet_is_asked_again_and_the_status_told() -> None:
    scene = Scene(
        batch("IN_QUEUE"), batch("IN_QUEUE"), batch("COMPLETED", "uno ", WHOLE), status=[job("IN_QUEUE"), RUNNING]
    )
    assert await scene.run() == WHOLE
    assert scene.told == [("IN_QUEUE", ""), ("IN_QUEUE", ""), ("IN_PROGRESS", ""), ("COMPLETED", "uno ")]
    assert scene.status.call_count == 2


@pytest.mark.parametrize(
    "broken",
    [
        httpx.Response(500),
        httpx.Response(404),
        httpx.Response(429, headers={"Retry-After": "20"}),
        httpx.Response(200, text="<html>"),
        httpx.Response(200, json=[{"output": "uno "}]),
        httpx.Response(200, json={"status": "IN_PROGRESS"}),
        httpx.ReadError("reset"),
    ],
)
async def test_a_stream_that_breaks_is_left_and_the_job_polled_to_its_end(broken: Reply) -> None:
    scene = Scene(batch("IN_PROGRESS", "uno "), broken, status=[RUNNING, DONE])
    assert await scene.run() == ["uno ", "dos", WHOLE]
    assert scene.text == "uno "
    assert scene.stream.call_count == 2, "it drains what it gives, so it is not asked a second time"


@pytest.mark.parametrize("end", ["COMPLETED", "CANCELLED", "FAILED", "IN_PROGRESS"])
async def test_what_a_stream_says_of_the_end_is_never_believed_without_the_status(end: str) -> None:
    scene = Scene(batch("IN_PROGRESS", "uno "), batch(end), status=[RUNNING, RUNNING, DONE])
    assert await scene.run() == ["uno ", "dos", WHOLE]
    assert not scene.cancel.called
    assert [state for state, _ in scene.told] == ["IN_QUEUE", *["IN_PROGRESS"] * 3, "COMPLETED"]


async def test_a_worker_that_yields_all_the_time_is_not_read_all_the_time() -> None:
    scene = Scene(*(batch("IN_PROGRESS", "y ") for _ in range(5)), batch("COMPLETED", WHOLE))
    began = scene.seams.clock.monotonic()
    await scene.run()
    assert scene.seams.clock.monotonic() - began > 2.0
    assert scene.stream.call_count == 6


async def test_a_stream_that_hangs_costs_one_requests_time_and_no_answer() -> None:
    scene = Scene(batch("IN_PROGRESS", "uno "))

    class Half(httpx.AsyncBaseTransport):
        async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
            if "/stream/" in request.url.path:
                await scene.seams.clock.sleep(1e6)
            return await scene.router.async_handler(request)

    client = RunPod(
        Upstream(Door("grace", "http://upstream.test/v2", scene.seams, transport=Half()), scene.seams), "grace"
    )
    errand = Errand({}, within(50, scene.seams), TRACE_ID, scene.hear, is_whole, part_of=text_of)
    assert (await client.run(errand)).output == ["uno ", "dos", WHOLE]
    assert scene.seams.clock.monotonic() < 10 + HOLD_S + 1


async def test_a_stream_may_be_held_a_second_longer_than_another_request_takes() -> None:
    scene = Scene()

    async def held(request: httpx.Request) -> httpx.Response:
        await scene.seams.clock.sleep(10 + HOLD_S - 0.01)
        return batch("COMPLETED", WHOLE)

    scene.stream.mock(side_effect=held)
    assert await scene.run() == WHOLE


@pytest.mark.parametrize(("seconds", "asked"), [(1.1, False), (ONE_LEFT, False), (1.2, True)])
async def test_a_stream_is_read_where_there_is_more_time_than_it_may_be_held(seconds: float, asked: bool) -> None:
    scene = Scene(batch("COMPLETED", WHOLE))
    await scene.run(seconds)
    assert scene.stream.called is asked


async def test_a_stream_ends_at_the_calls_deadline_and_its_job_is_cancelled() -> None:
    scene = Scene(batch("IN_PROGRESS", "y "), status=[RUNNING])
    began = scene.seams.clock.monotonic()
    with pytest.raises(UpstreamError) as caught:
        await scene.run(seconds=20)
    assert (caught.value.trouble, caught.value.state) == (Trouble.DEADLINE, "IN_PROGRESS")
    assert scene.seams.clock.monotonic() - began <= 20
    assert scene.cancel.called


async def test_who_leaves_in_the_middle_of_a_stream_has_the_job_cancelled() -> None:
    scene = Scene(batch("IN_PROGRESS", "y "), status=[RUNNING])
    calling = asyncio.ensure_future(scene.run())
    await scene.seams.clock.sleep(1.0)
    calling.cancel()
    with pytest.raises(asyncio.CancelledError):
        await calling
    assert scene.cancel.call_count == 1


async def test_a_call_that_nobody_watches_reads_no_stream() -> None:
    scene = Scene(batch("IN_PROGRESS", "uno "))
    errand = Errand({}, within(50, scene.seams), TRACE_ID, scene.hear, is_whole)
    assert (await scene.client.run(errand)).output == ["uno ", "dos", WHOLE]
    assert not scene.stream.called


@pytest.mark.parametrize(
    ("document", "items"),
    [
        ({"status": "IN_PROGRESS", "stream": [{"output": 1, "metrics": {}}, {"metrics": {}}, "x"]}, [1]),
        ({"status": "IN_QUEUE", "stream": []}, []),
    ],
)
def test_an_answer_of_the_stream_is_read_leniently(document: dict[str, Any], items: list[Any]) -> None:
    seen = read_batch(json.loads(json.dumps(document)))
    assert seen is not None
    assert seen.items == items


async def test_every_reading_of_a_stream_is_told_as_the_call_s_own() -> None:
    scene = Scene(batch("IN_PROGRESS", "uno "), batch("COMPLETED", WHOLE))
    await scene.run()
    asked = [event.details for event in scene.seams.trace if event.kind == "upstream.request"]
    own = {"service": "grace", "trace_id": str(TRACE_ID), "module": "SUMMARIZER"}
    assert asked == [
        {**own, "method": "POST", "path": "/grace/run"},
        {**own, "method": "GET", "path": "/grace/stream/job-1-u1"},
        {**own, "method": "GET", "path": "/grace/stream/job-1-u1"},
    ]
