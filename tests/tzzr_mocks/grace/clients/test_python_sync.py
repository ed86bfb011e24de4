"""RunPod's own Python client, unmodified, case by case as it was recorded (runpod.md §11; checks 10, 19, 23, 30, 31, 40)."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from tests.tzzr_mocks.grace.caller import KEY
from tests.tzzr_mocks.grace.checks import check
from tests.tzzr_mocks.grace.clients.stage import FAULTS, Stage, recorded

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    runpod = pytest.importorskip("runpod", reason="the official client is not installed (dependency group `clients`)")
    from runpod.endpoint.runner import Job, RunPodClient

pytestmark = [pytest.mark.realtime, pytest.mark.enable_socket, pytest.mark.filterwarnings("ignore::ResourceWarning")]

CASES = recorded("python_sync")
INPUT = {"input": {"a": 1}}


@pytest.fixture
def client(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The client, told where the fake is as its documents say."""
    monkeypatch.setattr(runpod, "endpoint_url_base", stage.base)
    monkeypatch.setattr(runpod, "api_key", KEY)
    return RunPodClient()


def outcome(act: Callable[[], Any]) -> dict[str, Any]:
    """What comes of ``act``, in the form of the recordings."""
    try:
        return {"value": act()}
    except Exception as error:  # whatever the client raises is the result
        return {"exc": f"{type(error).__module__}.{type(error).__qualname__}"}


def expected(case: str) -> dict[str, Any]:
    """What was recorded of a case."""
    return {name: CASES[case][name] for name in ("value", "exc") if name in CASES[case]}


RUNS = sorted(case for case in CASES if case.startswith("run_") and case.removeprefix("run_") in {*FAULTS, "e404"})
READS = sorted(
    case for case in CASES if case.startswith("status_") and case.removeprefix("status_") in {*FAULTS, "e404"}
)


@check(10, 19, 40)
@pytest.mark.parametrize("case", RUNS)
def test_run_meets_an_answer_as_recorded(stage: Stage, client: Any, case: str) -> None:
    mark = stage.mark()

    seen = outcome(lambda: runpod.Endpoint(case.removeprefix("run_")).run(INPUT).job_id)

    if "value" in seen:
        seen["value"] = "JOB" if seen["value"].endswith("-u1") else seen["value"]
    assert seen == {name: "JOB" if name == "value" else told for name, told in expected(case).items()}
    assert stage.since(mark) == CASES[case]["requests"]


@check(10, 19, 40)
@pytest.mark.parametrize("case", [case for case in READS if not case.startswith(("status_e408", "status_e429"))])
def test_status_meets_an_answer_as_recorded(stage: Stage, client: Any, case: str) -> None:
    endpoint = case.removeprefix("status_")
    if endpoint in ("noid", "nostatus", "text200json"):
        job = ended(stage, endpoint)
    else:
        job = "00000000-0000-4000-8000-000000000000-u1"
    mark = stage.mark()

    seen = outcome(lambda: Job(endpoint, job, client).status())

    if case == "status_noid":
        assert seen["value"] in ("IN_QUEUE", "IN_PROGRESS", "COMPLETED")
    else:
        assert seen == expected(case)
    assert stage.since(mark) == CASES[case]["requests"]


def ended(stage: Stage, endpoint: str) -> str:
    """A job that has ended, of an endpoint whose answers cannot be read."""
    httpx.post(f"{stage.base}/{endpoint}/run", json=INPUT, headers={"Authorization": KEY})
    job = list(stage.fake.endpoints[endpoint].jobs.values())[-1]
    while not job.status.final:
        threading.Event().wait(0.05)
    return job.id


@pytest.mark.parametrize(
    "case", ["run_wrapped", "run_unwrapped", "run_full", "run_empty_input", "run_empty_input_with_policy"]
)
def test_run_sends_what_was_recorded_and_the_fake_takes_it(stage: Stage, client: Any, case: str) -> None:
    given = {
        "run_wrapped": INPUT,
        "run_unwrapped": {"a": 1},
        "run_full": {**INPUT, "webhook": "https://h", "policy": {"ttl": 60000}, "s3Config": {"accessId": "x"}},
        "run_empty_input": {"input": {}},
        "run_empty_input_with_policy": {"input": {}, "policy": {"ttl": 1}},
    }[case]
    mark = stage.mark()

    job = runpod.Endpoint("ok").run(given).job_id

    assert job in stage.fake.endpoints["ok"].jobs
    assert stage.sent(mark) == CASES[case]["sent"]
    assert stage.since(mark) == CASES[case]["requests"]


def test_status_goes_through_the_states_and_the_final_one_is_cached(stage: Stage, client: Any) -> None:
    job = Job("ok", stage.job("ok"), client)
    seen = [job.status()]
    while seen[-1] != "COMPLETED":
        threading.Event().wait(0.05)
        seen += [status] if (status := job.status()) != seen[-1] else []
    mark = stage.mark()

    assert seen == CASES["status_seq"]["value"][:3]
    assert [job.status(), job.output()] == CASES["status_cached_after_final"]["value"][-2:]
    assert stage.since(mark) == []


@pytest.mark.parametrize(("case", "endpoint", "timeout"), [
    ("output_t10", "ok", 10), ("output_failed_t3", "failed", 3), ("output_timed_out_t3", "timed_out", 3),
    ("output_cancelled_t3", "cancelled", 3), ("output_noout_t3", "noout", 3), ("output_falsy_t3", "falsy", 3),
    ("output_running_t3", "running", 3), ("output_t1", "running", 1), ("output_t0_in_queue", "ok", 0),
])  # fmt: skip
@check(31)
def test_output_is_what_was_recorded(stage: Stage, client: Any, case: str, endpoint: str, timeout: int) -> None:
    ended = endpoint not in ("ok", "running")
    job = Job(endpoint, stage.job(endpoint, ended), client)
    mark = stage.mark()

    assert outcome(lambda: job.output(timeout)) == expected(case)
    polls = stage.since(mark)
    assert set(polls) == {one.replace("/ok/", f"/{endpoint}/") for one in CASES[case]["requests"]}
    assert len(polls) == len(CASES[case]["requests"]) or endpoint == "ok"


@pytest.mark.parametrize("case", ["ok", "failed", "timed_out", "cancelled", "queued_then_ok", "never"])
@check(23)
def test_run_sync_is_what_was_recorded(stage: Stage, client: Any, case: str) -> None:
    mark = stage.mark()
    if case == "cancelled":
        threading.Thread(target=_cancel_soon, args=(stage,)).start()

    seen = outcome(lambda: runpod.Endpoint(case).run_sync(INPUT, timeout=4))

    case_name = f"run_sync_{case}_t4"
    assert seen == expected(case_name)
    asked = [one for one in stage.since(mark) if "/cancel/" not in one]
    assert asked[0] == CASES[case_name]["requests"][0]
    assert set(asked) == set(CASES[case_name]["requests"])
    if case not in ("queued_then_ok", "never"):
        assert len(asked) == len(CASES[case_name]["requests"])


def _cancel_soon(stage: Stage) -> None:
    jobs = stage.fake.endpoints["cancelled"].jobs
    for _ in range(200):
        threading.Event().wait(0.05)
        for job in [name for name in jobs if name.startswith("sync-") and jobs[name].status == "IN_PROGRESS"]:
            stage.raw("POST", f"cancelled/cancel/{job}")
            return


@pytest.mark.parametrize(("case", "endpoint"), [
    ("stream_ok", "streams"), ("stream_failed", "failed"), ("stream_timed_out", "timed_out"),
    ("stream_splitfinal", "streams"), ("stream_chunkmetrics", "chunkmetrics"), ("stream_nostream", "nostream"),
])  # fmt: skip
@check(30)
def test_stream_is_what_was_recorded(stage: Stage, client: Any, case: str, endpoint: str) -> None:
    job = Job(endpoint, stage.job(endpoint, ended=case != "stream_ok"), client)
    mark = stage.mark()

    assert outcome(lambda: list(job.stream())) == expected(case)
    assert set(stage.since(mark)) == {f"GET /v2/{endpoint}/stream/JOB"}


@check(30)
def test_the_stream_of_a_cancelled_job_never_ends_for_this_client(stage: Stage, client: Any) -> None:
    job = Job("cancelled", stage.job("cancelled"), client)
    mark = stage.mark()
    endless = threading.Thread(target=lambda: outcome(lambda: list(job.stream())), daemon=True)
    endless.start()
    endless.join(3.5)

    still_there = endless.is_alive()
    stage.raw("GET", f"cancelled/status/{job.job_id}?ttl=0")  # the job is gone, and the client stops at its 404
    endless.join(10)

    assert CASES["stream_cancelled"]["hangs"] is still_there is True
    assert not endless.is_alive()
    assert len(stage.since(mark)) >= 2


@pytest.mark.parametrize("case", ["cancel", "health", "purge"])
@check(31)
def test_the_other_calls_answer_in_the_recorded_form(stage: Stage, client: Any, case: str) -> None:
    endpoint = runpod.Endpoint("ok")
    job = Job("ok", stage.job("ok"), client)
    mark = stage.mark()

    seen = {"cancel": job.cancel, "health": endpoint.health, "purge": endpoint.purge_queue}[case]()

    told = CASES[case]["value"]
    assert shape(seen) == shape(told)
    assert stage.since(mark) == CASES[case]["requests"]
    if case == "cancel":
        assert (job.status(), job.output()) == ("CANCELLED", None)


def shape(value: Any) -> Any:
    """The keys and kinds of a value; words as they are, unless they are ids."""
    if isinstance(value, dict):
        return {name: shape(item) for name, item in value.items() if name != "id"}
    return type(value).__name__ if isinstance(value, int) else value


def test_a_429_with_retry_after_is_asked_again_six_times_on_get_and_not_on_post(stage: Stage, client: Any) -> None:
    mark = stage.mark()
    outcome(lambda: Job("e429ra", "x", client).status())
    reads = stage.since(mark)
    outcome(lambda: runpod.Endpoint("e429ra").run(INPUT))

    assert len(reads) == 6
    assert len(stage.since(mark)) == 7


def test_without_a_key_the_client_asks_nobody(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runpod, "api_key", None)
    mark = stage.mark()

    assert outcome(lambda: runpod.Endpoint("ok")) == expected("no_key")
    assert stage.since(mark) == []
