"""A caller of the fake RunPod, over the direct transport or over a loopback socket, on virtual time either way."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import httpx

from tzzr_mcp.seams import Clock, Dice, LoopClock, Seams, Trace
from tzzr_mocks.control import Control, FaultPlan
from tzzr_mocks.control.asgi import ASGIApp
from tzzr_mocks.grace import Deployment, GraceFake, Options, Script, Workers
from tzzr_mocks.network.direct import DirectTransport
from tzzr_mocks.served.port import Port

KEY = "rpa_test"
START = datetime(2026, 1, 4, 10, tzinfo=UTC)

QUICK = Options(workers=Workers(pickup_s=0.0))
"""Workers that take a job at once; everything else as captured."""


def control(seed: int = 7, clock: Clock | None = None) -> Control:
    """A control plane of its own, on a seeded world."""
    clock = clock or LoopClock(START)
    return Control("grace", Seams(clock, Dice(seed), Trace(clock.elapsed if isinstance(clock, LoopClock) else float)))


@dataclass
class Caller:
    """One endpoint of a fake, as its caller sees it."""

    fake: GraceFake
    http: httpx.AsyncClient
    endpoint: str = "ep"

    @property
    def clock(self) -> Clock:
        """The world's clock."""
        return self.fake.control.seams.clock

    @property
    def plan(self) -> FaultPlan:
        """The world's fault plan."""
        return self.fake.control.plan

    async def ask(self, method: str, route: str, **options: Any) -> httpx.Response:
        """Any request below the endpoint."""
        return await self.http.request(method, f"{self.endpoint}/{route}", **options)

    async def run(self, given: Any = None, **body: Any) -> str:
        """Submit a job; its id."""
        response = await self.ask("POST", "run", json={"input": {"a": 1} if given is None else given, **body})
        assert response.status_code == 200, response.text
        return str(response.json()["id"])

    async def runsync(self, given: Any = None, route: str = "runsync", **body: Any) -> dict[str, Any]:
        """Submit a job and wait; what is answered."""
        response = await self.ask("POST", route, json={"input": {"a": 1} if given is None else given, **body})
        assert response.status_code == 200, response.text
        return dict(response.json())

    async def read(self, route: str) -> dict[str, Any]:
        """GET something that is there."""
        response = await self.ask("GET", route)
        assert response.status_code == 200, response.text
        return dict(response.json())

    async def status(self, job: str) -> dict[str, Any]:
        """What ``/status`` shows."""
        return await self.read(f"status/{job}")

    async def ended(self, job: str) -> dict[str, Any]:
        """What ``/status-sync`` shows when the job has ended."""
        return await self.read(f"status-sync/{job}")


@asynccontextmanager
async def calling(
    program: Script | Deployment | None = None,
    *,
    options: Options = QUICK,
    faults: Sequence[str] = (),
    others: Mapping[str, Deployment] | None = None,
    way: str = "direct",
    door: httpx.AsyncBaseTransport | None = None,
) -> AsyncIterator[Caller]:
    """A fake with an endpoint ``ep`` that runs ``program`` (echo by default), and a caller of it."""
    deployment = program if isinstance(program, Deployment) else Deployment(program) if program else Deployment()
    deployments = {"ep": deployment, **(others or {})}
    fake = GraceFake(control(), options=options, deployments=deployments, keys={KEY: None}, door=door)
    for fault in faults:
        fake.control.plan.add(fault)
    async with AsyncExitStack() as stack:
        stack.push_async_callback(fake.stop)
        transport, base = await stack.enter_async_context(_way(fake, way))
        client = httpx.AsyncClient(
            transport=transport, base_url=f"{base}/v2/", headers={"Authorization": f"Bearer {KEY}"}, timeout=3600.0
        )
        yield Caller(fake, await stack.enter_async_context(client))


@asynccontextmanager
async def _way(fake: GraceFake, way: str) -> AsyncIterator[tuple[httpx.AsyncBaseTransport, str]]:
    if way == "direct":
        yield DirectTransport(fake.app), "http://runpod.test"
        return
    async with served(fake.app) as base:
        yield httpx.AsyncHTTPTransport(), base


@asynccontextmanager
async def served(app: ASGIApp) -> AsyncIterator[str]:
    """An application on a loopback port, as the fakes are served; its base address."""
    port = Port(app)
    try:
        yield await port.open()
    finally:
        await port.close()
