"""What parts of the chain cost alone: so much of a call's time is theirs, whoever makes the rest of it faster."""

from __future__ import annotations

import itertools
from collections.abc import Awaitable, Callable
from uuid import UUID

import httpx
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, Response
from pydantic import SecretStr

from tests.bench.timing import each
from tzzr_mcp.contract.translation import translate
from tzzr_mcp.seams import Deadline
from tzzr_mcp.services import http
from tzzr_mcp.services.grace import Grace
from tzzr_mcp.services.jobs import JobState
from tzzr_mcp.services.runpod import RunPod
from tzzr_mcp.services.upstream import Upstream
from tzzr_mocks.control.asgi import answer_json
from tzzr_mocks.network.direct import DirectTransport
from tzzr_scenarios.stage import staged

_TRACE = UUID("7c9e6679-7425-40de-944b-e07fc1f90ae7")


async def client() -> float:
    """Two requests of a stock httpx client to an empty FastAPI route: what a job takes before anybody does anything."""
    app = FastAPI()

    @app.post("/run")
    async def run(request: Request) -> Response:
        await request.body()
        return JSONResponse({"id": "1", "status": "IN_QUEUE"})

    async with httpx.AsyncClient(base_url="http://grace.tzzr.test", transport=DirectTransport(app)) as asking:

        async def ask() -> object:
            return (await asking.post("/run", json={"input": {}})).json()

        return await each(lambda: _twice(ask))


async def door() -> float:
    """Two requests of the server's own door, with deadline, breaker, retries and trace, to an empty application."""
    transport = DirectTransport(answer_json(200, {"id": "1", "status": "IN_QUEUE"}))
    async with staged() as stage:
        seams = stage.world.seams
        upstream = Upstream(http.Door("grace", "http://grace.tzzr.test", seams, transport=transport), seams)
        request = http.Request("POST", "/run", body=b'{"input":{}}')

        async def ask() -> object:
            deadline = Deadline.after(30, seams.clock)
            return await upstream.ask(request, lambda answer: http.read_object("grace", answer), deadline, _TRACE)

        return await each(lambda: _twice(ask))


async def job() -> float:
    """One question to the fake GRACE and its answer, contract and job queue included, without MCP and without a tool."""
    async with staged() as stage:
        seams, environ = stage.world.seams, stage.environ
        key, base = SecretStr(environ["RUNPOD_API_KEY"]), environ["GRACE_BASE_URL"]
        way = http.Door("grace", base, seams, token=key, transport=stage.world.transport)
        grace = Grace(RunPod(Upstream(way, seams), environ["GRACE_ENDPOINT_ID"]))
        numbers = itertools.count()

        async def ask() -> object:
            arguments = {"texto": f"Factura de la luz {next(numbers)}"}
            request = translate("generar_hash", arguments, trace_id=_TRACE, timestamp=seams.clock.now())
            return await grace.run(request, Deadline.after(30, seams.clock), _nobody)

        return await each(ask)


async def _twice(ask: Callable[[], Awaitable[object]]) -> None:
    await ask()
    await ask()


async def _nobody(state: JobState, text: str) -> None:
    """Hears how far the job is, and tells nobody."""
