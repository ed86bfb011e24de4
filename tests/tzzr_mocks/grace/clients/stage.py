"""The fake on a loopback port in a thread of its own, with one endpoint for each thing that the recordings met."""

from __future__ import annotations

import asyncio
import json
import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import httpx

from tests.tzzr_mocks.grace.caller import KEY, control, served
from tests.tzzr_mocks.grace.clients.altered import altered, before
from tzzr_mcp.seams import Clock, SystemClock
from tzzr_mocks.grace import Chunk, Deployment, GraceFake, Options, Script, Workers

GOLDEN: Final = Path(__file__).parents[3] / "golden" / "runpod"
OPTIONS: Final = Options(workers=Workers(pickup_s=0.2), late_kill_s=(0.0, 0.0))
ANSWER: Final = {"answer": 42}

ENDPOINTS: Final[Mapping[str, Script]] = {
    "ok": Script(ANSWER, seconds=0.6),
    "failed": Script(chunks=("a",), raises=ValueError("boom")),
    "timed_out": Script(seconds=3600.0),
    "cancelled": Script(seconds=3600.0),
    "noout": Script(None),
    "falsy": Script(0),
    "running": Script(seconds=3600.0),
    "never": Script(seconds=3600.0),
    "queued_then_ok": Script(ANSWER, seconds=0.6),
    "inprog": Script(ANSWER, seconds=2.0),
    "streams": Script(chunks=("a", "b", "c"), pause_s=0.3),
    "splitfinal": Script(chunks=("a", "b", "c")),
    "chunkerr": Script(chunks=("a",)),
    "chunkmetrics": Script(chunks=(Chunk({"text": [" How"]}, {"stream_index": 1}),)),
}
"""What the workers of the endpoints that work do."""

FAULTS: Final[Mapping[str, dict[str, Any]]] = {
    "timed_out": {"kind": "execution_timeout", "seconds": 0.05, "timed_out": True},
    "queued_then_ok": {"kind": "runsync_outlasts_wait"},
    "inprog": {"kind": "runsync_outlasts_wait"},
    "never": {"kind": "runsync_outlasts_wait"},
    "slow": {"kind": "client_timeout_loses_id", "seconds": 12.0},
    "nostream": {"kind": "drift", "field": "stream"},
    "reset": {"kind": "conn_reset_keepalive"},
    "noid": {"kind": "non_terminal_without_id"},
    "nostatus": {"kind": "drift", "field": "status"},
    "e400": {"kind": "wait_out_of_range"},
    "e401": {"kind": "unauthorized_plain"},
    "e401j": {"kind": "unauthorized_json"},
    "e403": {"kind": "client_refused_1010"},
    "e404t": {"kind": "unknown_endpoint_non_json"},
    "e408": {"kind": "status", "status": 408},
    "e413": {"kind": "payload_too_large", "status": 413},
    "e429": {"kind": "too_many_requests"},
    "e429ra": {"kind": "too_many_requests", "retry_after": 1},
    **{f"e{status}": {"kind": "gateway_html", "status": status} for status in (500, 502, 503, 504, 524)},
    "html200": {"kind": "html_at_200"},
    "empty200": {"kind": "empty_200"},
    "text200json": {"kind": "wrong_content_type"},
}
"""What goes wrong at each endpoint, by the fake's own faults; ``e404`` is an endpoint that is not there."""


@dataclass
class Stage:
    """The running fake: where it is, and what it was asked."""

    base: str
    fake: GraceFake

    def raw(self, method: str, path: str, **options: Any) -> dict[str, Any]:
        """One request beside the client under test."""
        response = httpx.request(method, f"{self.base}/{path}", headers={"Authorization": KEY}, timeout=30.0, **options)
        response.raise_for_status()
        return dict(response.json())

    def job(self, endpoint: str, ended: bool = False) -> str:
        """A job of an endpoint, submitted beside the client; if so asked it has ended."""
        job = str(self.raw("POST", f"{endpoint}/run", json={"input": {"a": 1}})["id"])
        if endpoint == "cancelled":
            self.raw("POST", f"{endpoint}/cancel/{job}")
        if ended:
            self.raw("GET", f"{endpoint}/status-sync/{job}")
        return job

    def known(self, endpoint: str, ended: bool) -> str:
        """A job of an endpoint whose answers cannot be read, found beside its door."""
        httpx.post(f"{self.base}/{endpoint}/run", json={"input": {"a": 1}}, headers={"Authorization": KEY})
        job = list(self.fake.endpoints[endpoint].jobs.values())[-1]
        while ended and not job.status.final:
            threading.Event().wait(0.05)
        return job.id

    def mark(self) -> int:
        """How many requests there have been."""
        return max((exchange.number for exchange in self.fake.control.journal), default=0)

    def since(self, mark: int) -> list[str]:
        """The requests after ``mark``, with the ids of jobs replaced as in the recordings."""
        asked = [exchange for exchange in self.fake.control.journal if exchange.number > mark]
        return [f"{exchange.method} {without_ids(exchange.path)}" for exchange in asked]

    def queries(self, mark: int) -> list[str]:
        """The queries of the requests after ``mark``."""
        return [exchange.query for exchange in self.fake.control.journal if exchange.number > mark]

    def cancel_soon(self, endpoint: str) -> None:
        """Cancel the job that somebody waits for with `/runsync`, as soon as it runs."""
        jobs = self.fake.endpoints[endpoint].jobs
        for _ in range(200):
            threading.Event().wait(0.05)
            for job in [name for name in list(jobs) if name.startswith("sync-") and jobs[name].status == "IN_PROGRESS"]:
                self.raw("POST", f"{endpoint}/cancel/{job}")
                return

    def pauses(self, path: str) -> list[int]:
        """Whole seconds between the requests to a path, from the first on."""
        times = [exchange.at for exchange in self.fake.control.journal if exchange.path == path]
        return [round(later - sooner) for sooner, later in pairwise(times)]

    def sent(self, mark: int) -> Any:
        """The body of the first POST after ``mark``."""
        return next(
            json.loads(exchange.body.text)
            for exchange in self.fake.control.journal
            if exchange.number > mark and exchange.method == "POST"
        )


def without_ids(text: str) -> str:
    """``text`` with the ids of jobs replaced as in the recordings."""
    uuid = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}-\w\d"
    return re.sub(uuid, "JOB", re.sub(f"sync-{uuid}", "SYNC", text))


def recorded(name: str) -> dict[str, Any]:
    """The recordings of one client, by case."""
    cases: dict[str, Any] = json.loads((GOLDEN / f"{name}.json").read_text("utf-8"))
    return cases


def build(clock: Clock) -> GraceFake:
    """The fake with every endpoint of the recordings."""
    names = {*ENDPOINTS, *FAULTS, *altered()}
    deployments = {name: Deployment(ENDPOINTS.get(name, Script(ANSWER))) for name in names}
    plane = control(clock=clock)
    fake = GraceFake(plane, options=replace(OPTIONS), deployments=deployments, keys={KEY: None})
    for endpoint, effect in [*FAULTS.items(), ("noid", {"kind": "stuck_in_queue"})]:
        plane.plan.add({"match": {"service": "grace", "endpoint": endpoint}, "effect": effect})
    return fake


@contextmanager
def open_stage() -> Iterator[Stage]:
    """The fake on a port, in a thread with a loop of its own."""
    fake = build(SystemClock())
    ready, done = threading.Event(), threading.Event()
    found: list[str] = []

    async def serve() -> None:
        async with served(before(fake.app)) as base:
            found.append(f"{base}/v2")
            ready.set()
            while not done.is_set():
                await fake.control.seams.clock.sleep(0.02)
            await fake.stop()

    thread = threading.Thread(target=lambda: asyncio.run(serve()), daemon=True)
    thread.start()
    assert ready.wait(30)
    try:
        yield Stage(found[0], fake)
    finally:
        done.set()
        thread.join(30)
