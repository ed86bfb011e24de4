"""Webhooks: one POST per completion, twice more when the receiver does not take it (runpod.md §9).

A failed delivery never fails the job. The door is whatever httpx transport the world gives: in process its own
network, on ports the real one. Without a door nothing leaves the fake, and the trace says so.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import httpx

from tzzr_mcp.seams import Seams
from tzzr_mocks.grace.faults.base import JobFault
from tzzr_mocks.grace.job import Job
from tzzr_mocks.grace.options import Options
from tzzr_mocks.grace.schemas import dump, webhook_body
from tzzr_mocks.grace.tasks import Tasks
from tzzr_mocks.grace.timing import at_most

USER_AGENT = "Go-http-client/2.0"


class Webhooks:
    """Delivers the webhooks of every endpoint of one fake."""

    def __init__(self, seams: Seams, options: Options, tasks: Tasks, door: httpx.AsyncBaseTransport | None) -> None:
        self.tasks = tasks
        self.door = door
        self._seams = seams
        self._dice = seams.dice.named("webhooks")
        self._options = options

    def call(self, job: Job, faults: Iterable[JobFault]) -> None:
        """Deliver in the background that ``job`` has ended."""
        body: Any = webhook_body(job)
        again: list[float] = []
        for fault in faults:
            body = None if body is None else fault.webhook(job, body)
            again.extend(fault.repeats_webhook_s(job))
        if body is not None and job.order.webhook is not None:
            self.tasks.start(self._deliver(job.id, job.order.webhook, dump(body), again))

    async def _deliver(self, job_id: str, url: str, body: bytes, again: list[float]) -> None:
        """Try until it is taken; then repeat what nobody needs."""
        for pause in (0.0, *self._options.webhook_pauses_s):
            await self._seams.clock.sleep(pause)
            if await self._post(job_id, url, body):
                break
        for pause in again:
            await self._seams.clock.sleep(pause)
            await self._post(job_id, url, body)

    async def _post(self, job_id: str, url: str, body: bytes) -> bool:
        status = await self._status(url, body)
        self._seams.trace.record("grace", "webhook", job=job_id, status=status)
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
