"""Checks that wait long, on the fakes' own ports in real time: the control plane moves their clock (checks 16, 17, 21, 37)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from tests.tzzr_mocks.grace.checks import check
from tests.tzzr_mocks.grace.contracts import text_request
from tzzr_mocks.served import serve
from tzzr_mocks.world import World

pytestmark = [pytest.mark.realtime, pytest.mark.enable_socket]


@dataclass
class Served:
    """GRACE on a port, and its clock."""

    http: httpx.AsyncClient
    control: str

    async def pass_by(self, seconds: float) -> None:
        """Let time pass, and then everybody run who has something to do."""
        answer = await self.http.post(f"{self.control}/clock/advance", json={"seconds": seconds})
        assert answer.status_code == 200, answer.text

    async def seen(self, job: str, status: str) -> dict[str, Any]:
        """The job once it has that status, in a moment of real time."""
        for _ in range(200):
            body: dict[str, Any] = (await self.http.get(f"status/{job}")).json()
            if body.get("status") == status:
                return body
            await self.pass_by(0.05)
        raise AssertionError(f"{job} is never {status}: {body}")


@asynccontextmanager
async def on_a_port(*faults: str) -> AsyncIterator[Served]:
    """The fakes on ports, with a clock that stands still."""
    async with serve(World(time="real", faults=faults)) as server:
        told = server.environment
        base = f"{told['GRACE_BASE_URL']}/{told['GRACE_ENDPOINT_ID']}/"
        headers = {"Authorization": told["RUNPOD_API_KEY"]}
        async with httpx.AsyncClient(base_url=base, headers=headers, timeout=30.0, trust_env=False) as http:
            served = Served(http, server.page.rstrip("/"))
            assert (await http.post(f"{served.control}/clock/freeze")).status_code == 200
            yield served


@check(16, 17)
async def test_a_result_is_there_for_thirty_minutes_and_then_gone() -> None:
    async with on_a_port() as grace:
        job = (await grace.http.post("run", json={"input": text_request("HASHER")})).json()["id"]
        first = await grace.seen(job, "COMPLETED")
        await grace.pass_by(29 * 60)
        again = (await grace.http.get(f"status/{job}")).json()
        await grace.pass_by(60)
        gone = await grace.http.get(f"status/{job}")

    assert again == first
    assert gone.status_code == 404


@check(21, 37)
async def test_a_held_answer_is_let_go_and_the_job_is_killed_when_its_time_is_over() -> None:
    async with on_a_port("grace: HASHER takes 1h") as grace:
        body = {"input": text_request("HASHER"), "policy": {"executionTimeout": 300_000}}
        held = asyncio.create_task(grace.http.post("runsync?wait=60000", json=body))
        while not any((await grace.http.get("health")).json()["jobs"].values()):
            await grace.pass_by(0)
        (submitted,) = (await grace.http.get("requests")).json()["requests"]
        running = await grace.seen(submitted["id"], "IN_PROGRESS")
        assert not held.done()
        await grace.pass_by(60)
        answer = (await held).json()
        await grace.pass_by(260)
        killed = await grace.seen(running["id"], "FAILED")

    assert (answer["id"], answer["status"]) == (running["id"], "IN_PROGRESS")
    assert killed["error"] == "executionTimeout exceeded"
    assert 303_000 <= killed["executionTime"] <= 321_000
