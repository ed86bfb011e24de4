"""Webhooks over the world's door (runpod.md §9; check 39)."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import httpx
import pytest
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from tests.tzzr_mocks.grace.caller import Caller, calling, served
from tests.tzzr_mocks.grace.checks import both_ways, check
from tzzr_mocks.grace import Script


@dataclass
class Receiver(httpx.AsyncBaseTransport):
    """Takes webhooks: answers each with the next status, the last one for ever."""

    statuses: tuple[int, ...] = (200,)
    holds_s: float = 0.0
    caller: Caller | None = None
    seen: list[tuple[float, httpx.Request]] = field(default_factory=list)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Note the request and answer it."""
        assert self.caller is not None
        self.seen.append((self.caller.clock.monotonic(), request))
        await self.caller.clock.sleep(self.holds_s)
        return httpx.Response(self.statuses[min(len(self.seen), len(self.statuses)) - 1])

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The same as an application, for a receiver on a port."""
        request = Request(scope, receive)
        heard = httpx.Request("POST", str(request.url), headers=request.headers.raw, content=await request.body())
        answer = await self.handle_async_request(heard)
        await Response(status_code=answer.status_code)(scope, receive, send)

    @property
    def times(self) -> list[float]:
        """When each delivery came."""
        return [at for at, _ in self.seen]

    @property
    def bodies(self) -> list[dict[str, object]]:
        """What each delivery said."""
        return [json.loads(request.content) for _, request in self.seen]


URL = "http://receiver.test/hook?x=1"


@asynccontextmanager
async def listening(receiver: Receiver, way: str) -> AsyncIterator[tuple[httpx.AsyncBaseTransport, str]]:
    """The door through which webhooks leave, and the address behind it: a port when the way is a socket."""
    if way == "direct":
        yield receiver, URL
        return
    async with served(receiver) as base, httpx.AsyncHTTPTransport() as door:
        yield door, f"{base}/hook?x=1"


@check(39)
@both_ways
async def test_a_webhook_posts_the_answer_with_input_and_webhook(way: str) -> None:
    receiver = Receiver()
    async with (
        listening(receiver, way) as (door, url),
        calling(Script("done"), door=door, way=way) as runpod,
    ):
        receiver.caller = runpod
        job = await runpod.run({"a": "ñ"}, webhook=url)
        answer = await runpod.ended(job)
        await runpod.clock.sleep(60)

    (_, request), *more = receiver.seen
    assert not more
    assert (request.method, str(request.url)) == ("POST", url)
    assert request.headers["content-type"] == "application/json"
    assert request.headers["user-agent"] == "Go-http-client/2.0"
    assert request.headers["traceparent"].startswith("00-")
    assert receiver.bodies == [{**answer, "input": {"a": "ñ"}, "webhook": url}]
    assert (
        request.content
        == json.dumps(receiver.bodies[0], sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    )


@check(39)
@both_ways
@pytest.mark.parametrize(("statuses", "times"), [
    ((500,), [0.0, 5.0, 20.0]), ((500, 204), [0.0, 5.0]), ((302, 404, 200), [0.0, 5.0, 20.0]),
])  # fmt: skip
async def test_a_webhook_that_is_not_taken_is_delivered_three_times_in_all(
    way: str, statuses: tuple[int, ...], times: list[float]
) -> None:
    receiver = Receiver(statuses)
    async with (
        listening(receiver, way) as (door, url),
        calling(Script("done"), door=door, way=way) as runpod,
    ):
        receiver.caller = runpod
        job = await runpod.run(webhook=url)
        await runpod.clock.sleep(100)

        assert receiver.times == pytest.approx(times)
        assert (await runpod.status(job))["status"] == "COMPLETED"


@check(39)
@both_ways
async def test_a_failed_job_calls_its_webhook_and_a_cancelled_one_does_not(way: str) -> None:
    receiver = Receiver()
    async with (
        listening(receiver, way) as (door, url),
        calling(Script({"error": "bad"}, seconds=1.0), door=door, way=way) as runpod,
    ):
        receiver.caller = runpod
        await runpod.run(webhook=url)
        cancelled = await runpod.run(webhook=url)
        await runpod.ask("POST", f"cancel/{cancelled}")
        await runpod.clock.sleep(60)

    assert [(body["status"], body["error"]) for body in receiver.bodies] == [("FAILED", "bad")]


async def test_a_receiver_that_does_not_answer_is_given_up_and_called_again() -> None:
    receiver = Receiver(holds_s=100.0)
    async with calling(Script("done"), door=receiver) as runpod:
        receiver.caller = runpod
        await runpod.run(webhook=URL)
        await runpod.clock.sleep(100)

    assert receiver.times == pytest.approx([0.0, 17.0, 44.0])


@pytest.mark.parametrize("url", ["not a url", "ftp://x", "http://", "http://[", "https://h"])
async def test_a_webhook_that_cannot_be_called_harms_nobody(url: str) -> None:
    async with calling(Script("done"), door=httpx.MockTransport(lambda _: httpx.Response(599))) as runpod:
        job = await runpod.run(webhook=url)
        await runpod.clock.sleep(60)

        assert (await runpod.status(job))["status"] == "COMPLETED"
        assert [event.kind for event in runpod.fake.control.seams.trace].count("webhook") == 3


async def test_without_a_door_nothing_leaves_and_the_trace_says_so() -> None:
    async with calling(Script("done")) as runpod:
        await runpod.run(webhook=URL)
        await runpod.clock.sleep(60)

        told = [event.details["status"] for event in runpod.fake.control.seams.trace if event.kind == "webhook"]
        assert told == ["no door"] * 3


@pytest.mark.parametrize(("fault", "times"), [
    ("grace: every job has webhook_duplicate times=2", [0.0, 5.0, 10.0]),
    ("grace: every job has webhook_slow_receiver", [0.0, 12.0, 24.0]),
])  # fmt: skip
async def test_a_webhook_that_was_taken_comes_again(fault: str, times: list[float]) -> None:
    receiver = Receiver()
    async with calling(Script("done"), door=receiver, faults=[fault]) as runpod:
        receiver.caller = runpod
        await runpod.run(webhook=URL)
        await runpod.clock.sleep(100)

    assert receiver.times == pytest.approx(times)
    assert receiver.bodies[0] == receiver.bodies[1]


async def test_a_failed_job_calls_nobody_when_its_webhook_is_missing_on_failure() -> None:
    receiver = Receiver()
    async with calling(door=receiver, faults=["grace: every job has webhook_missing_on_failure"]) as runpod:
        receiver.caller = runpod
        await runpod.run({}, webhook=URL)
        done = await runpod.run({"a": 1}, webhook=URL)
        await runpod.clock.sleep(100)

    assert [body["id"] for body in receiver.bodies] == [done]


async def test_a_bare_webhook_tells_the_output_alone() -> None:
    receiver = Receiver()
    async with calling(door=receiver, faults=["grace: every job has webhook_bare_body"]) as runpod:
        receiver.caller = runpod
        await runpod.run({"a": 1}, webhook=URL)
        await runpod.clock.sleep(100)

    assert receiver.bodies == [{"output": {"a": 1}}]
