"""Webhooks: one POST per completion, twice more when the receiver does not take it (runpod.md §9).

A failed delivery never fails the job. The door is whatever httpx transport the world gives: in process its own
network, on ports the real one. Without a door nothing leaves the fake, and the trace says so.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import httpx

from tzzr_mcp.seams import Dice, Seams
from tzzr_mocks.grace.course import Course, Ran
from tzzr_mocks.grace.faults.base import JobFault
from tzzr_mocks.grace.job import Job
from tzzr_mocks.grace.options import Options
from tzzr_mocks.grace.schemas import dump, webhook_body
from tzzr_mocks.grace.tasks import Tasks
from tzzr_mocks.grace.timing import at_most

USER_AGENT = "Go-http-client/2.0"


@dataclass(frozen=True)
class Delivery:
    """One job's webhook. ``again`` are the seconds before each repetition that nobody needs."""

    job_id: str
    url: str
    body: bytes
    again: tuple[float, ...]


class Webhooks:
    """Delivers the webhooks of every endpoint of one fake."""

    def __init__(self, seams: Seams, options: Options, tasks: Tasks, door: httpx.AsyncBaseTransport | None) -> None:
        self.tasks = tasks
        self.door = door
        self._seams = seams
        self._dice = seams.dice.named("webhooks")
        self._options = options
        self._under_way: dict[Course, Delivery] = {}

    def call(self, job: Job, faults: Iterable[JobFault]) -> None:
        """Deliver in the background that ``job`` has ended."""
        body: Any = webhook_body(job)
        again: list[float] = []
        for fault in faults:
            body = None if body is None else fault.webhook(job, body)
            again.extend(fault.repeats_webhook_s(job))
        if body is not None and job.order.webhook is not None:
            delivery = Delivery(job.id, job.order.webhook, dump(body), tuple(again))
            self._start(Course(self._seams.clock), delivery)

    def _start(self, course: Course, delivery: Delivery) -> None:
        self._under_way[course] = delivery
        self.tasks.start(self._deliver(course, delivery))

    async def _deliver(self, course: Course, delivery: Delivery) -> None:
        """Try until it is taken; then repeat what nobody needs."""
        for pause in (0.0, *self._options.webhook_pauses_s):
            await course.sleep(pause)
            if await course.outcome("post", lambda: self._post(delivery)):
                break
        for pause in delivery.again:
            await course.sleep(pause)
            await course.outcome("post", lambda: self._post(delivery))
        del self._under_way[course]

    def snapshot(self) -> tuple[Dice, list[tuple[Ran, Delivery]]]:
        """The dice, and how far each delivery is."""
        return copy.deepcopy(self._dice), [(course.keep(), delivery) for course, delivery in self._under_way.items()]

    def restore(self, state: tuple[Dice, list[tuple[Ran, Delivery]]]) -> None:
        """Go on with the deliveries of a snapshot; a request that was under way is sent again."""
        dice, deliveries = state
        self._dice = copy.deepcopy(dice)
        for ran, delivery in deliveries:
            self._start(Course(self._seams.clock, ran), delivery)

    def clear(self) -> None:
        """Forget every delivery; whoever owns the tasks cancels them."""
        self._under_way = {}

    async def _post(self, delivery: Delivery) -> bool:
        status = await self._status(delivery.url, delivery.body)
        self._seams.trace.record("grace", "webhook", job=delivery.job_id, status=status)
        return isinstance(status, int) and 200 <= status < 300

    async def _status(self, url: str, body: bytes) -> int | str:
        """The receiver's status, or why there is none."""
        if self.door is None:
            return "no door"
        sending = self.tasks.start(self._send(self.door, url, body))
        if await at_most(self._options.webhook_timeout_s, self._seams.clock, sending):
            return sending.result()
        sending.cancel()
        return "timed out"

    async def _send(self, door: httpx.AsyncBaseTransport, url: str, body: bytes) -> int | str:
        try:
            request = httpx.Request("POST", url, headers=self._headers(), content=body)
            response = await door.handle_async_request(request)
            await response.aread()
            await response.aclose()
        except (httpx.HTTPError, httpx.InvalidURL, ValueError) as failure:
            return type(failure).__name__
        return response.status_code

    def _headers(self) -> dict[str, str]:
        parent = f"00-{self._dice.hex(32)}-{self._dice.hex(16)}-01"
        return {"Content-Type": "application/json", "User-Agent": USER_AGENT, "traceparent": parent}
