"""What RunPod's documents leave open is a switch each, and its default is what was captured (runpod.md §15)."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import httpx
import pytest

from tests.tzzr_mocks.grace.caller import KEY, QUICK, calling, control
from tzzr_mocks.grace import Deployment, GraceFake, Limits, Options, Rate, Script, Workers
from tzzr_mocks.network.direct import DirectTransport

OPEN = {
    "401, 404 and 429 bodies and headers": ("unauthorized", "not_found", "retry_after_s"),
    "whether 401 precedes 404": ("auth_first",),
    "TIMED_OUT in practice": ("over_time_status", "silent_status", "ttl_over"),
    "status of purged jobs": ("purged",),
    "/cancel on final or unknown job": ("cancel_final", "cancel_unknown"),
    "/retry refusals": ("retry_refused_status",),
    "output null vs absent": ("null_output",),
    "upper hold of /runsync": ("longest_hold_s", "default_wait_ms"),
    "dynamic rate-limit factor": ("workers",),
    "retries maximum": ("platform_retries",),
    "whether error dicts still give COMPLETED": ("error_object_completes",),
    "status of a body that is too large": ("too_large_status",),
    "status of another path": ("unknown_route_status",),
}
"""Each open question and the options that answer it. Not among them: the body of /requests, which no client reads, and
``webhookV2``, whose meaning nobody knows; 500s come from faults."""


@pytest.mark.parametrize("question", OPEN)
def test_each_open_question_has_its_switch_and_the_page_explains_it(question: str) -> None:
    named = {option.name for option in fields(Options)}

    assert [name for name in OPEN[question] if name not in named] == []
    told = f"{Options.__doc__}{Workers.__doc__}"
    plain = ("workers", "default_wait_ms", "unknown_route_status")
    assert [name for name in OPEN[question] if name not in plain and f"``{name}``" not in told] == []


async def test_a_world_may_do_as_the_documents_say() -> None:
    fake = GraceFake(
        control(), starting="documented", deployments={"ep": Deployment(Script(seconds=99.0))}, keys={KEY: None}
    )
    transport, headers = DirectTransport(fake.app), {"Authorization": KEY}
    async with httpx.AsyncClient(transport=transport, base_url="http://runpod.test/v2/ep/", headers=headers) as http:
        body = {"input": {"a": 1}, "policy": {"executionTimeout": 5000}}
        job = (await http.post("run", json=body)).json()["id"]
        ended = (await http.get(f"status-sync/{job}", timeout=99.0)).json()
    await fake.stop()

    assert (ended["status"], ended["executionTime"]) == ("TIMED_OUT", 5000)
    assert Options() == GraceFake(control()).options, "what was captured is the default"


@pytest.mark.parametrize(("seconds", "header"), [(None, None), (7, "7")])
async def test_whether_a_429_says_when_to_come_back_is_a_switch(seconds: int | None, header: str | None) -> None:
    options = replace(
        QUICK, limits=Limits(rates={"health": Rate(1)}, queue=0, queue_per_worker=0), retry_after_s=seconds
    )
    async with calling(Deployment(Script(seconds=60.0), warm=0, most=1), options=options) as runpod:
        await runpod.read("health")
        by_rate = await runpod.ask("GET", "health")
        await runpod.run()
        by_queue = await runpod.ask("POST", "run", json={"input": {"a": 1}})

    assert [answer.status_code for answer in (by_rate, by_queue)] == [429, 429]
    assert [answer.headers.get("retry-after") for answer in (by_rate, by_queue)] == [header, header]


@pytest.mark.parametrize(("cancel_unknown", "answer"), [
    ("refused", (404, {"error": "job not found"})), ("cancelled", (200, {"id": "x", "status": "CANCELLED"})),
])  # fmt: skip
async def test_what_cancel_says_of_an_unknown_job_is_a_switch(cancel_unknown: str, answer: tuple[int, object]) -> None:
    async with calling(options=Options(cancel_unknown=cancel_unknown)) as runpod:  # type: ignore[arg-type]  # a parameter
        response = await runpod.ask("POST", "cancel/x")

    assert (response.status_code, response.json()) == answer


@pytest.mark.parametrize(("not_found", "media_type", "body"), [
    ("json", "application/json", '{"error":"job not found"}'), ("empty", "text/plain", ""), ("html", "text/html", "<!DOCTYPE"),
])  # fmt: skip
@pytest.mark.parametrize("route", ["status", "stream", "status-sync"])
async def test_how_an_unknown_job_is_told_is_a_switch(not_found: Any, media_type: str, body: str, route: str) -> None:
    async with calling(options=Options(not_found=not_found)) as runpod:
        response = await runpod.ask("GET", f"{route}/x")

    assert response.status_code == 404
    assert response.headers["content-type"].startswith(media_type)
    assert response.text.startswith(body)
    assert bool(response.text) is bool(body)


async def test_how_a_retry_is_refused_is_a_switch() -> None:
    async with calling(options=replace(QUICK, retry_refused_status=409)) as runpod:
        job = (await runpod.runsync())["id"]

        assert (await runpod.ask("POST", f"retry/{job}")).status_code == 409


@pytest.mark.parametrize("route", ["runsync?wait=300000", "status-sync", "stream"])
async def test_a_gateway_may_bound_every_held_answer(route: str) -> None:
    async with calling(Script(seconds=1000.0), options=replace(QUICK, longest_hold_s=5.0)) as runpod:
        job = await runpod.run()
        began = runpod.clock.monotonic()
        body = await runpod.runsync(route=route) if "runsync" in route else await runpod.read(f"{route}/{job}")

        assert body["status"] == "IN_PROGRESS"
        assert runpod.clock.monotonic() - began == pytest.approx(5.0)
