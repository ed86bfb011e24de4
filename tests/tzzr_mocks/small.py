"""A fake small enough to be seen whole, for tests of what all fakes share."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import httpx
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tzzr_mcp.seams import Dice, LoopClock, Seams, Trace
from tzzr_mocks import faults as _faults  # noqa: F401 - registers the kinds
from tzzr_mocks.control import Control, FaultPlan, Journal, Occasion, PlanError, Surface
from tzzr_mocks.control.asgi import ASGIApp, answer_json
from tzzr_mocks.control.stopwatch import Stopwatch
from tzzr_mocks.network.direct import DirectTransport
from tzzr_mocks.ways import WorldTransport
from tzzr_mocks.world import START

MODULES = ("OCR_CORE", "OCR_LOCAL", "OCR_GROQ", "HASHER")
KEY = "a-key-that-nobody-may-read"


def seams_of(seed: int = 7) -> Seams:
    """A world's seams on virtual time, with a trace."""
    clock = LoopClock(START)
    return Seams(clock, Dice(seed), Trace(Stopwatch(clock).elapsed))


def plan_of(*services: str) -> FaultPlan:
    """A plan that knows the small fake's surface as each of these services."""
    plan = FaultPlan(seams_of())
    for service in services or ("grace", "hst", "context"):
        plan.know(service, surface())
    return plan


def recognise(occasion: Occasion, parameters: Mapping[str, str]) -> Occasion:
    """Module, trace and key, from the body's fields of those names."""
    try:
        document = json.loads(occasion.body or b"null")
    except ValueError:
        return occasion
    if not isinstance(document, dict):
        return occasion
    get = document.get
    return occasion._replace(module=get("module"), trace_id=get("trace_id"), key=get("key"))


def surface() -> Surface:
    """What the small fake offers."""
    routes = ("POST /v2/{endpoint_id}/run", "GET /v2/{endpoint_id}/status/{job_id}", "GET /v2/{endpoint_id}/health")
    return Surface(routes, MODULES, "/v2/{endpoint_id}", recognise)


async def _run(request: Request) -> Response:
    body = await request.body()
    return JSONResponse({"id": "job-1", "got": len(body), "status": "IN_QUEUE"})


async def _status(request: Request) -> Response:
    return JSONResponse(
        {"id": request.path_params["job_id"], "status": "COMPLETED", "output": {"id": "x", "text": "ñ"}}
    )


async def _health(request: Request) -> Response:
    return JSONResponse({"ok": True})


@dataclass
class SmallFake:
    """A fake with three routes, under the control plane."""

    control: Control
    app: ASGIApp
    environment: Mapping[str, str]

    def openapi(self) -> Mapping[str, Any]:
        """Nobody asks it."""
        return {}

    async def start(self) -> None:
        """Nothing runs in the background."""

    async def stop(self) -> None:
        """Nothing runs in the background."""

    def reset(self) -> None:
        """There is no state."""


def small_fake(*rules: str | Mapping[str, Any], service: str = "grace", seed: int = 7) -> SmallFake:
    """The small fake with these fault rules."""
    seams = seams_of(seed)
    control = Control(service, seams, FaultPlan(seams), Journal())
    routes = [
        Route("/v2/{endpoint_id}/run", _run, methods=["POST"]),
        Route("/v2/{endpoint_id}/status/{job_id}", _status, methods=["GET"]),
        Route("/v2/{endpoint_id}/health", _health, methods=["GET"]),
    ]
    fake = SmallFake(control, control.wrap(Starlette(routes=routes), surface()), {"RUNPOD_API_KEY": KEY})
    for rule in rules:
        control.plan.add(rule)
    return fake


def direct_client(fake: SmallFake, **options: Any) -> httpx.AsyncClient:
    """A client of the small fake, the direct way."""
    return httpx.AsyncClient(transport=DirectTransport(fake.app), base_url="http://fake/v2/e1", **options)


def world_client(fake: SmallFake, **options: Any) -> httpx.AsyncClient:
    """A client of the small fake, the way that a world takes."""
    transport = WorldTransport({"grace": fake}, {"grace": "fake"}, fake.control.plan, answer_json(404, {}))
    return httpx.AsyncClient(transport=transport, base_url="http://fake/v2/e1", **options)


@contextmanager
def expect_refusal(*parts: str) -> Iterator[Callable[[], PlanError]]:
    """A rule is refused inside, and the message holds each of ``parts``."""
    caught: list[PlanError] = []
    try:
        yield lambda: caught[0]
    except PlanError as error:
        caught.append(error)
    assert caught, "the rule was accepted"
    for part in parts:
        assert part in str(caught[0])
