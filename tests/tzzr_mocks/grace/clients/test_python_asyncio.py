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
from tests.tzzr_mocks.grace.clients.cases import ASYNC
from tests.tzzr_mocks.grace.clients.stage import Stage, recorded

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    runpod = pytest.importorskip("runpod", reason="the official client is not installed (dependency group `clients`)")
    from runpod.endpoint.asyncio import asyncio_runner
    from runpod.http_client import AsyncClientSession

pytestmark = [pytest.mark.realtime, pytest.mark.enable_socket, pytest.mark.filterwarnings("ignore::ResourceWarning")]

CASES = recorded("python_asyncio")
UNKNOWN_JOB = "00000000-0000-4000-8000-000000000000-u1"


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
@pytest.mark.parametrize("case", ASYNC["run meets"])
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
@pytest.mark.parametrize("case", ASYNC["status meets"])
async def test_status_meets_an_answer_as_recorded(stage: Stage, monkeypatch: pytest.MonkeyPatch, case: str) -> None:
    endpoint = case.removeprefix("a_status_")
    value = "value" in CASES[case] or endpoint == "nostatus"
    known = await asyncio.to_thread(stage.known, endpoint, endpoint != "noid") if value else UNKNOWN_JOB
    async with opened(stage, monkeypatch) as session:
        mark = stage.mark()
        job = _job(endpoint, known, session)

        assert await outcome(job.status) == expected(case)
        assert stage.since(mark) == CASES[case]["requests"]


def _job(endpoint: str, job: str, session: Any) -> Any:
    return asyncio_runner.Job(endpoint, job, session, headers={"Authorization": f"Bearer {KEY}"})


@pytest.mark.parametrize("case", ASYNC["sent"])
async def test_run_wraps_whatever_it_is_given_and_the_fake_takes_it(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, case: str
) -> None:
    given = {"input": {"a": 1}} if case == "a_run_with_input_key" else {"a": 1}
    async with opened(stage, monkeypatch) as session:
        mark = stage.mark()
        job = await runpod.AsyncioEndpoint("ok", session).run(given)

        assert job.job_id in stage.fake.endpoints["ok"].jobs
        assert stage.sent(mark) == CASES[case]["sent"] == {"input": given}
        assert stage.since(mark) == CASES[case]["requests"]


async def test_a_job_goes_through_its_states_to_its_output(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    async with opened(stage, monkeypatch) as session:
        job = await runpod.AsyncioEndpoint("ok", session).run({"a": 1})
        seen = [await job.status()]
        while seen[-1] != "COMPLETED":
            await stage.fake.control.seams.clock.sleep(0.05)
            seen += [status] if (status := await job.status()) != seen[-1] else []

        (case,) = ASYNC["states"]
        assert [*seen, await job.output()] == CASES[case]["value"]


@pytest.mark.parametrize("case", ASYNC["output"])
async def test_output_is_what_was_recorded(stage: Stage, monkeypatch: pytest.MonkeyPatch, case: str) -> None:
    name = case.removeprefix("a_output_")
    endpoint = {"t10": "ok"}.get(name, name)
    async with opened(stage, monkeypatch) as session:
        job = _job(endpoint, await asyncio.to_thread(stage.job, endpoint, ended=name != "t10"), session)
        mark = stage.mark()

        assert await outcome(lambda: job.output(timeout=10)) == expected(case)
        assert set(stage.since(mark)) == set(CASES[case]["requests"])


async def test_output_without_a_timeout_asks_nobody(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    async with opened(stage, monkeypatch) as session:
        job = _job("running", await asyncio.to_thread(stage.job, "running"), session)
        mark = stage.mark()

        (case,) = ASYNC["asks nobody"]

        assert await outcome(job.output) == expected(case)
        assert stage.since(mark) == []


@pytest.mark.parametrize("case", ASYNC["stream"])
@check(30)
async def test_stream_is_what_was_recorded(stage: Stage, monkeypatch: pytest.MonkeyPatch, case: str) -> None:
    name = case.removeprefix("a_stream_")
    endpoint = {"ok": "streams"}.get(name, name)
    async with opened(stage, monkeypatch) as session:
        job = _job(endpoint, await asyncio.to_thread(stage.job, endpoint, ended=name != "ok"), session)

        assert await outcome(lambda: chunks_of(job)) == expected(case)


async def chunks_of(job: Any) -> list[Any]:
    """Every chunk that the client yields."""
    return [chunk async for chunk in job.stream()]


@check(30)
async def test_the_stream_of_a_cancelled_job_never_ends_for_this_client(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    (case,) = ASYNC["endless"]
    async with opened(stage, monkeypatch) as session:
        job = _job("cancelled", await asyncio.to_thread(stage.job, "cancelled"), session)
        mark = stage.mark()
        endless = asyncio.create_task(chunks_of(job))

        await asyncio.wait({endless}, timeout=3.5)
        still_there = not endless.done()
        endless.cancel()
        await asyncio.wait({endless})

        assert CASES[case]["hangs"] is still_there is True
        assert len(stage.since(mark)) >= 2


async def test_cancel_health_and_purge_answer_in_the_recorded_form(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(stage, monkeypatch) as session:
        job = _job("ok", await asyncio.to_thread(stage.job, "ok"), session)
        endpoint = runpod.AsyncioEndpoint("ok", session)
        mark = stage.mark()

        seen = [await job.cancel(), await endpoint.health(), await endpoint.purge_queue()]

        (case,) = ASYNC["others"]
        told = CASES[case]["value"]
        assert [sorted(one) for one in seen] == [sorted(one) for one in told]
        assert sorted(seen[1]["workers"]) == sorted(told[1]["workers"])
        assert stage.since(mark) == CASES[case]["requests"]
