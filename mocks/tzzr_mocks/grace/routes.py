"""The HTTP of the fake RunPod: every route of runpod.md §4, in and out. The rules are the endpoint's."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import Response

from tzzr_mocks.grace import openai, schemas
from tzzr_mocks.grace.calls import Call, Gate
from tzzr_mocks.grace.errors import JSON, BadRequest, NotFound, Refusal, TooLarge
from tzzr_mocks.grace.job import Job
from tzzr_mocks.grace.lifecycle import Status
from tzzr_mocks.grace.limits import MEGABYTE
from tzzr_mocks.grace.options import Options

Act = Callable[[Call], Awaitable[Any]]

OPERATIONS = {
    "run": ["POST"],
    "status": ["GET", "POST"],
    "runsync": ["POST"],
    "status-sync": ["GET", "POST"],
    "stream": ["GET", "POST"],
    "cancel": ["POST"],
    "health": ["GET"],
    "retry": ["POST"],
    "purge-queue": ["POST"],
    "requests": ["GET"],
    "metrics": ["GET"],
}
"""The operations and their methods, those first that are asked for most: routes are tried in this order."""

OF_A_JOB = frozenset({"status", "status-sync", "stream", "cancel", "retry"})


class Routes:
    """Answers requests with what the endpoints say."""

    def __init__(self, options: Options, gate: Gate) -> None:
        self._options = options
        self._gate = gate

    def add_to(self, api: FastAPI) -> None:
        """Every route below ``/v2/{endpoint_id}``."""
        prefix = f"{self._options.api_base}/{{endpoint_id}}"
        acts: dict[str, Act] = {
            "run": self.run, "status": self.status, "runsync": self.runsync, "status-sync": self.status_sync,
            "stream": self.stream, "cancel": self.cancel, "health": self.health, "retry": self.retry,
            "purge-queue": self.purge, "requests": self.requests, "metrics": self.metrics,
        }  # fmt: skip
        for name, methods in OPERATIONS.items():
            path = f"{prefix}/{name}/{{job_id}}" if name in OF_A_JOB else f"{prefix}/{name}"
            api.add_route(path, self._served(name, acts[name]), methods=methods, name=name)
        api.add_route(prefix + openai.ROUTE, self._served("openai", openai.pass_on), methods=["POST"], name="openai")
        every = ["GET", "POST", "PUT", "PATCH", "DELETE"]
        api.add_route(
            f"{prefix}/{{rest:path}}", self._served("other", self.other), methods=every, include_in_schema=False
        )

    def _served(self, operation: str, act: Act) -> Callable[[Request], Awaitable[Response]]:
        async def serve(request: Request) -> Response:
            try:
                with self._gate.open(request, operation) as call:
                    result = await act(call)
                    return (
                        result if isinstance(result, Response) else Response(schemas.dump(result), 200, media_type=JSON)
                    )
            except Refusal as refusal:
                return refused(refusal)

        return serve

    async def run(self, call: Call) -> dict[str, Any]:
        """Queue a job and answer at once."""
        limit_mb = self._options.limits.run_mb
        body = await self._body(call, limit_mb)
        job = call.endpoint.submit(self._order(body), "run", body)
        return self._shown(call, job, schemas.accepted(job))

    async def runsync(self, call: Call) -> dict[str, Any]:
        """Queue a job and hold the answer until it has ended or ``wait`` is over."""
        wait_s = schemas.read_wait(call.query("wait"), self._options.default_wait_ms)
        body = await self._body(call, self._options.limits.runsync_mb)
        job = call.endpoint.submit(self._order(body), "runsync", body)
        await self._hold(call, job, wait_s, lambda: job.status.final)
        return self._shown(call, job, self._answer(job))

    async def status(self, call: Call) -> dict[str, Any]:
        """The job as it stands; ``ttl`` sets the rest of its life."""
        ttl_s = schemas.read_ttl(call.query("ttl"))
        job = self._read(call)
        if ttl_s is not None:
            call.endpoint.live_for(job, ttl_s)
        return self._shown(call, job, self._answer(job))

    async def status_sync(self, call: Call) -> dict[str, Any]:
        """The job when it has ended, or as it stands when ``wait`` is over."""
        wait_s = schemas.read_wait(call.query("wait"), self._options.default_wait_ms)
        job = self._read(call)
        await self._hold(call, job, wait_s, lambda: job.status.final)
        return self._shown(call, job, self._answer(job))

    async def stream(self, call: Call) -> dict[str, Any]:
        """Every chunk that nobody has read yet, and the status; held while there is none."""
        wait_s = schemas.read_wait(call.query("wait"), self._options.default_stream_wait_ms)
        job = self._read(call)
        await self._hold(call, job, wait_s, lambda: bool(job.unread) or job.status.final)
        chunks = list(job.unread)
        job.unread.clear()
        return self._shown(call, job, schemas.stream_answer(job.status, chunks))

    async def cancel(self, call: Call) -> dict[str, Any]:
        """End a job."""
        try:
            job = call.endpoint.cancel(call.job_id)
        except NotFound:
            if self._options.cancel_unknown == "refused":
                raise
            return {"id": call.job_id, "status": Status.CANCELLED}
        return self._shown(call, job, {"id": job.id, "status": job.status})

    async def retry(self, call: Call) -> dict[str, Any]:
        """Queue a failed job again."""
        job = call.endpoint.retry(call.job_id)
        return self._shown(call, job, schemas.accepted(job))

    async def purge(self, call: Call) -> dict[str, Any]:
        """Remove what waits; what runs goes on."""
        return {"removed": call.endpoint.purge(), "status": "completed"}

    async def health(self, call: Call) -> dict[str, Any]:
        """The counters of jobs and workers."""
        return call.endpoint.health()

    async def requests(self, call: Call) -> dict[str, Any]:
        """The jobs that are known, oldest first. The body is documented nowhere: this one is the fake's own."""
        call.endpoint.sweep()
        return {"requests": [self._answer(job) for job in call.endpoint.jobs.values()]}

    async def metrics(self, call: Call) -> dict[str, Any]:
        """The ready workers by name and the six counters."""
        crew = call.endpoint.crew
        return {"readyWorkers": crew.ready, "workers": crew.counts()}

    async def other(self, call: Call) -> Response:
        """Whatever else a queue endpoint is asked."""
        name = str(call.request.path_params["rest"]).partition("/")[0]
        allowed = OPERATIONS.get(name, [])
        if allowed and call.request.method not in allowed:
            raise BadRequest("method not allowed", 405)
        raise BadRequest("not allowed for QB API", self._options.unknown_route_status)

    async def _body(self, call: Call, limit_mb: int) -> bytes:
        body = await call.request.body()
        if len(body) > limit_mb * MEGABYTE:
            raise TooLarge(limit_mb, self._options.too_large_status)
        return body

    def _order(self, body: bytes) -> Any:
        return schemas.read_order(body, object_input=self._options.object_input)

    def _read(self, call: Call) -> Job:
        job = call.endpoint.find(call.job_id)
        job.reads += 1
        for fault in call.endpoint.faults_of(job):
            fault.read(job, call.operation)
        return job

    async def _hold(self, call: Call, job: Job, seconds: float, reached: Callable[[], bool]) -> None:
        """Wait until ``reached()``, ``seconds`` have passed, or the job is gone. Raises `NotFound` when it is gone."""
        endpoint = call.endpoint
        for fault in endpoint.faults_of(job):
            seconds = fault.waits(job, call.operation, seconds)
        seconds = min(seconds, self._options.longest_hold_s)
        left = min(seconds, job.gone_at - endpoint.now())
        await job.bell.until(lambda: reached() or endpoint.is_gone(job), left, endpoint.seams.clock)
        if endpoint.is_gone(job):
            raise NotFound("job", self._options.not_found)

    def _answer(self, job: Job) -> dict[str, Any]:
        return schemas.answer(job, null_output=self._options.null_output)

    def _shown(self, call: Call, job: Job, body: dict[str, Any]) -> dict[str, Any]:
        for fault in call.endpoint.faults_of(job):
            body = fault.shown(job, call.operation, body)
        return body


def refused(refusal: Refusal) -> Response:
    """A refusal as HTTP."""
    return Response(refusal.body, refusal.status, refusal.headers, refusal.media_type)
