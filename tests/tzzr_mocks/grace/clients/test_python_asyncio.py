"""RunPod's own asyncio client, unmodified, case by case as it was recorded (runpod.md §11; checks 10, 19, 30)."""

from __future__ import annotations

import asyncio
import warnings
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from tests.tzzr_mocks.grace.caller import KEY
from tests.tzzr_mocks.grace.checks import check
from tests.tzzr_mocks.grace.clients.stage import FAULTS, Stage, recorded

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    runpod = pytest.importorskip("runpod", reason="the official client is not installed (dependency group `clients`)")
    from runpod.endpoint.asyncio import asyncio_runner
    from runpod.http_client import AsyncClientSession

pytestmark = [pytest.mark.realtime, pytest.mark.enable_socket, pytest.mark.filterwarnings("ignore::ResourceWarning")]

CASES = recorded("python_asyncio")
KNOWN = {*FAULTS, "e404"}
RUNS = sorted(case for case in CASES if case.startswith("a_run_") and case.removeprefix("a_run_") in KNOWN)
READS = sorted(case for case in CASES if case.startswith("a_status_") and case.removeprefix("a_status_") in KNOWN)


@asynccontextmanager
async def opened(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Any]:
    """The client's session, told where the fake is."""
    monkeypatch.setattr(runpod, "endpoint_url_base", stage.base)
    monkeypatch.setattr(runpod, "api_key", KEY)
    async with AsyncClientSession() as session:
        yield session


async def outcome(act: Callable[[], Awaitable[Any]]) -> dict[str, Any]:
    """What comes of ``act``, in the form of the recordings."""
    try:
        return {"value": await act()}
    except Exception as error:  # whatever the client raises is the result
        return {"exc": f"{type(error).__module__}.{type(error).__qualname__}"}


def expected(case: str) -> dict[str, Any]:
    """What was recorded of a case; an id is any id."""
    return {name: CASES[case][name] for name in ("value", "exc") if name in CASES[case]}


@check(10, 19)
@pytest.mark.parametrize("case", RUNS)
async def test_run_meets_an_answer_as_recorded(stage: Stage, monkeypatch: pytest.MonkeyPatch, case: str) -> None:
    async with opened(stage, monkeypatch) as session:
        mark = stage.mark()
        endpoint = runpod.AsyncioEndpoint(case.removeprefix("a_run_"), session)

        async def act() -> str:
            job = await endpoint.run({"a": 1})
            return "JOB" if job.job_id.endswith("-u1") else str(job.job_id)

        assert await outcome(act) == expected(case)
        assert stage.since(mark) == CASES[case]["requests"]


@check(10, 19)
@pytest.mark.parametrize("case", [case for case in READS if case not in ("a_status_noid", "a_status_nostatus")])
async def test_status_meets_an_answer_as_recorded(stage: Stage, monkeypatch: pytest.MonkeyPatch, case: str) -> None:
    async with opened(stage, monkeypatch) as session:
        mark = stage.mark()
        job = _job(case.removeprefix("a_status_"), "00000000-0000-4000-8000-000000000000-u1", session)

        assert await outcome(job.status) == expected(case)
        assert stage.since(mark) == CASES[case]["requests"]


def _job(endpoint: str, job: str, session: Any) -> Any:
    return asyncio_runner.Job(endpoint, job, session, headers={"Authorization": f"Bearer {KEY}"})


async def test_run_wraps_whatever_it_is_given_and_the_fake_takes_it(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(stage, monkeypatch) as session:
        mark = stage.mark()
        job = await runpod.AsyncioEndpoint("ok", session).run({"input": {"a": 1}})

        assert job.job_id in stage.fake.endpoints["ok"].jobs
        assert stage.sent(mark) == CASES["a_run_with_input_key"]["sent"] == {"input": {"input": {"a": 1}}}


async def test_a_job_goes_through_its_states_to_its_output(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    async with opened(stage, monkeypatch) as session:
        job = await runpod.AsyncioEndpoint("ok", session).run({"a": 1})
        seen = [await job.status()]
        while seen[-1] != "COMPLETED":
            await stage.fake.control.seams.clock.sleep(0.05)
            seen += [status] if (status := await job.status()) != seen[-1] else []

        assert [*seen, await job.output()] == CASES["a_run_status_output"]["value"]


@pytest.mark.parametrize(("case", "endpoint"), [
    ("a_output_failed", "failed"), ("a_output_timed_out", "timed_out"), ("a_output_cancelled", "cancelled"),
    ("a_output_noout", "noout"), ("a_output_falsy", "falsy"),
])  # fmt: skip
async def test_output_is_what_was_recorded(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, case: str, endpoint: str
) -> None:
    async with opened(stage, monkeypatch) as session:
        job = _job(endpoint, await asyncio.to_thread(stage.job, endpoint, ended=True), session)
        mark = stage.mark()

        assert await outcome(lambda: job.output(timeout=5)) == expected(case)
        assert set(stage.since(mark)) == set(CASES[case]["requests"])


async def test_output_without_a_timeout_asks_nobody(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    async with opened(stage, monkeypatch) as session:
        job = _job("running", await asyncio.to_thread(stage.job, "running"), session)
        mark = stage.mark()

        seen = await outcome(job.output)

        assert (seen["exc"].rpartition(".")[2], stage.since(mark)) == ("TimeoutError", [])


@pytest.mark.parametrize(("case", "endpoint"), [
    ("a_stream_ok", "streams"), ("a_stream_failed", "failed"), ("a_stream_splitfinal", "streams"),
    ("a_stream_nostream", "nostream"),
])  # fmt: skip
@check(30)
async def test_stream_is_what_was_recorded(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, case: str, endpoint: str
) -> None:
    async with opened(stage, monkeypatch) as session:
        job = _job(endpoint, await asyncio.to_thread(stage.job, endpoint, ended=case != "a_stream_ok"), session)

        async def act() -> list[Any]:
            return [chunk async for chunk in job.stream()]

        assert await outcome(act) == expected(case)


async def test_cancel_health_and_purge_answer_in_the_recorded_form(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(stage, monkeypatch) as session:
        job = _job("ok", await asyncio.to_thread(stage.job, "ok"), session)
        endpoint = runpod.AsyncioEndpoint("ok", session)
        mark = stage.mark()

        seen = [await job.cancel(), await endpoint.health(), await endpoint.purge_queue()]

        told = CASES["a_cancel_health_purge"]["value"]
        assert [sorted(one) for one in seen] == [sorted(one) for one in told]
        assert sorted(seen[1]["workers"]) == sorted(told[1]["workers"])
        assert stage.since(mark) == CASES["a_cancel_health_purge"]["requests"]
