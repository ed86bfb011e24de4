"""What an endpoint remembers of a job, tells the trace and offers to rules; how its jobs and workers are named."""

from __future__ import annotations

from typing import Any

import pytest

from tests.tzzr_mocks.grace.caller import Caller, calling
from tests.tzzr_mocks.grace.contracts import TRACE, text_request
from tzzr_mocks.desk.jobs import jobs_of
from tzzr_mocks.grace import Deployment, Options, Script, Status
from tzzr_mocks.grace.lifecycle import IllegalTransition

HASHER = text_request("HASHER")
KEY = HASHER["envelope"]["idempotency_key"]


def told(runpod: Caller) -> list[dict[str, Any]]:
    """What the trace was told of jobs, without the instants."""
    events = [event.as_json() for event in runpod.fake.control.seams.trace if event.kind == "job"]
    return [{name: value for name, value in event.items() if name != "at"} for event in events]


async def test_the_trace_is_told_each_step_of_a_job_with_what_is_known_of_it() -> None:
    async with calling() as runpod:
        runpod.endpoint = "grace"
        body = await runpod.runsync(HASHER)

    known = {
        "source": "grace", "kind": "job", "job": body["id"], "endpoint": "grace", "module": "HASHER", "trace_id": TRACE,
    }  # fmt: skip
    worker = {"worker": body["workerId"]}
    assert told(runpod) == [
        {**known, "status": "IN_QUEUE"},
        {**known, "status": "IN_PROGRESS", **worker},
        {**known, "status": "COMPLETED", **worker},
    ]


async def test_of_a_job_without_contract_the_trace_is_told_neither_module_nor_trace() -> None:
    async with calling(Script("done")) as runpod:
        job = (await runpod.runsync())["id"]

    known = {"source", "kind", "job", "endpoint", "status"}
    assert [(event["job"], set(event)) for event in told(runpod)] == [
        (job, known), (job, {*known, "worker"}), (job, {*known, "worker"}),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("attribute", "right", "wrong"),
    [
        ("method", "POST", "GET"),
        ("route", "POST /runsync", "POST /run"),
        ("endpoint", "grace", "ep"),
        ("module", "HASHER", "SENTIMENT"),
        ("trace_id", TRACE, "another"),
        ("key", KEY, "another"),
        ("contains", '"HASHER"', '"SENTIMENT"'),
        ("body", {"/input/profile": "LITE"}, {"/input/profile": "FULL"}),
    ],
)
async def test_a_jobs_fault_is_for_those_that_were_asked_for_in_just_this_way(
    attribute: str, right: object, wrong: object
) -> None:
    seen = []
    for value in (right, wrong):
        async with calling() as runpod:
            runpod.endpoint = "grace"
            runpod.plan.add(
                {"match": {"service": "grace", attribute: value}, "effect": {"kind": "job_expired_404", "seconds": 5}}
            )
            job = (await runpod.runsync(HASHER))["id"]
            await runpod.clock.sleep(5)
            seen.append((await runpod.ask("GET", f"status/{job}")).status_code)

    assert seen == [404, 200]


async def test_a_jobs_fault_may_be_for_what_the_openai_route_was_sent() -> None:
    async with calling() as runpod:
        runpod.plan.add({"match": {"service": "grace", "contains": "special"}, "effect": "nested_output"})
        plain, special = [
            (await runpod.ask("POST", "openai/v1/models", json={"model": name})).json() for name in ("any", "special")
        ]

    assert special == {"output": {**plain, "openai_input": {"model": "special"}}}


async def test_the_jobs_and_workers_of_two_endpoints_are_named_apart() -> None:
    async with calling(others={"other": Deployment()}) as runpod:
        first = await runpod.runsync()
        runpod.endpoint = "other"
        second = await runpod.runsync()

        assert first["id"] != second["id"]
        assert first["workerId"] != second["workerId"]
        assert {job["id"]: job["endpoint"] for job in jobs_of(runpod.fake)} == {
            first["id"]: "ep", second["id"]: "other",
        }  # fmt: skip


async def test_a_step_that_no_job_takes_is_a_defect_that_names_the_job() -> None:
    async with calling() as runpod:
        job = (await runpod.runsync())["id"]
        endpoint = runpod.fake.endpoints["ep"]

        with pytest.raises(IllegalTransition, match=f"^job {job}: COMPLETED may be followed by nothing"):
            endpoint.move(endpoint.jobs[job], Status.IN_PROGRESS)


async def test_of_a_job_that_is_done_no_content_is_held_but_the_names() -> None:
    async with calling() as runpod:
        runpod.endpoint = "grace"
        done = (await runpod.runsync(text_request("HASHER", "s3cr3t")))["id"]
        held = runpod.fake.endpoints["grace"].jobs[done].order

        assert "s3cr3t" not in repr(held)
        assert (held.module, held.trace_id) == ("HASHER", TRACE)


async def test_health_counts_among_the_failed_those_that_ran_out_of_time() -> None:
    faults = ["grace: 2nd job has execution_timeout seconds=10s timed_out=true", "grace: 3rd job raises in the worker"]
    async with calling(faults=faults) as runpod:
        ended = [(await runpod.ended(await runpod.run()))["status"] for _ in range(3)]

        assert ended == ["COMPLETED", "TIMED_OUT", "FAILED"]
        jobs = (await runpod.read("health"))["jobs"]
        assert (jobs["completed"], jobs["failed"]) == (1, 2)


@pytest.mark.parametrize("purged", ["gone", "cancelled"])
async def test_purged_jobs_are_forgotten_with_the_end_of_the_life_that_they_had(purged: Any) -> None:
    async with calling(options=Options(purged=purged), faults=["grace: job stays in the queue"]) as runpod:
        await runpod.run(policy={"ttl": 10_000})
        await runpod.ask("POST", "purge-queue")
        await runpod.clock.sleep(10)

        assert (await runpod.read("requests"))["requests"] == []
        assert (await runpod.read("health"))["jobs"]["inQueue"] == 0
