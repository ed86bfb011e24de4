"""Puts the fake GRACE together: RunPod's HTTP around endpoints, of which one runs GRACE's worker."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import httpx
from fastapi import FastAPI

from tzzr_mcp.contract.catalogue import MODULES
from tzzr_mocks.control import Control, Occasion, Surface
from tzzr_mocks.control.asgi import ASGIApp
from tzzr_mocks.control.errors import unknown
from tzzr_mocks.grace import faults as _faults  # noqa: F401 - registers the kinds
from tzzr_mocks.grace.calls import Gate, Keys
from tzzr_mocks.grace.job import Order
from tzzr_mocks.grace.limits import Meter
from tzzr_mocks.grace.options import Options
from tzzr_mocks.grace.programs import Deployment
from tzzr_mocks.grace.routes import Routes
from tzzr_mocks.grace.schemas import load
from tzzr_mocks.grace.seed import API_KEY, GRACE_ENDPOINT, start_named
from tzzr_mocks.grace.shortcut import Shortcut
from tzzr_mocks.grace.specs import document
from tzzr_mocks.grace.store import Endpoint
from tzzr_mocks.grace.tasks import Tasks
from tzzr_mocks.grace.webhooks import Webhooks
from tzzr_mocks.openapi import Json


class GraceFake:
    """GRACE on a fake RunPod.

    ``deployments`` are endpoints beside those of the starting world; ``keys`` maps each accepted API key to the
    endpoints that it may call (None: all). ``door`` is the way out for webhooks. Background work runs on the loop that
    serves the requests; `stop` ends it.
    """

    def __init__(
        self,
        control: Control,
        *,
        options: Options | None = None,
        starting: str = "default",
        deployments: Mapping[str, Deployment] | None = None,
        keys: Keys | None = None,
        door: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self.control = control
        self._start = start_named(starting)
        self.options = options or self._start.options
        self.endpoints: dict[str, Endpoint] = {}
        self.tasks = Tasks()
        self.webhooks = Webhooks(control.seams, self.options, self.tasks, door)
        self._deployments = dict(deployments or {})
        keys = {API_KEY: None} if keys is None else keys
        self.environment = {"RUNPOD_API_KEY": next(iter(keys), ""), "GRACE_ENDPOINT_ID": GRACE_ENDPOINT}
        self._meter = Meter(self.options.limits, control.seams.clock)
        self.routes = Routes(self.options, Gate(self.options, keys, self.endpoints, self._meter))
        self.api = FastAPI(title="RunPod Serverless, faked", version="2")
        self.api.openapi = self.openapi  # type: ignore[method-assign]  # as FastAPI's docs replace it
        self.routes.add_to(self.api)
        self.app: ASGIApp = control.wrap(Shortcut(self.api, ["run", "status"]), self._surface())
        self._open()

    def _surface(self) -> Surface:
        prefix = f"{self.options.api_base}/{{endpoint_id}}"
        return Surface.of(self.api, modules=MODULES, prefix=prefix, recognise=self._recognise)

    def _open(self) -> None:
        for name, deployment in {**self._start.deploy(self.control), **self._deployments}.items():
            self.endpoints[name] = Endpoint(name, deployment, self.options, self.control, self.webhooks)

    def openapi(self) -> Json:
        """What this fake answers, as an OpenAPI document."""
        return document(self.options)

    async def start(self) -> None:
        """Nothing runs before the first job."""

    async def stop(self) -> None:
        """Cancel and await everything that still runs: workers, webhooks, timers."""
        await self.tasks.stop()

    def reset(self) -> None:
        """Back to the starting world: no jobs, fresh workers, counters at zero."""
        for endpoint in self.endpoints.values():
            endpoint.close()
        self.tasks.cancel()
        self.webhooks.clear()
        self._meter.clear()
        self.endpoints.clear()
        self._open()

    def snapshot(self) -> dict[str, Any]:
        """Jobs, workers, counters, results and webhooks, for `restore`."""
        endpoints = {name: endpoint.snapshot() for name, endpoint in self.endpoints.items()}
        return {"endpoints": endpoints, "webhooks": self.webhooks.snapshot(), "meter": self._meter.snapshot()}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go on from a snapshot: what ran then runs for as long as it had left. Requests that wait hear of jobs gone.

        Raises:
            PlanError: the snapshot has an endpoint that this fake has not.
        """
        for name in state["endpoints"]:
            if name not in self.endpoints:
                raise unknown("endpoint of the snapshot", name, self.endpoints)
        self.reset()
        self._meter.restore(state["meter"])
        for name, kept in state["endpoints"].items():
            self.endpoints[name].restore(kept)
        self.webhooks.restore(state["webhooks"])

    def _recognise(self, occasion: Occasion, parameters: Mapping[str, str]) -> Occasion:
        """Module, trace and key of a request: those in its body, or those of the job that its path names."""
        order = self._order_of(occasion, parameters)
        if order is None:
            return occasion._replace(key=parameters.get("job_id"))
        key = order.key or parameters.get("job_id")
        return occasion._replace(module=order.module, trace_id=order.trace_id, key=key)

    def _order_of(self, occasion: Occasion, parameters: Mapping[str, str]) -> Order | None:
        endpoint = self.endpoints.get(occasion.endpoint or "")
        if endpoint is None:
            return None
        if "job_id" in parameters:
            job = endpoint.jobs.get(parameters["job_id"])
            return job.order if job else None
        return Order(_input_of(occasion.body or b""))


def _input_of(body: bytes) -> Any:
    try:
        document = load(body)
    except ValueError:
        return None
    return document.get("input") if isinstance(document, dict) else None
