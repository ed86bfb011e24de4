"""RunPod's own Python client, unmodified, case by case as it was recorded (runpod.md §11; checks 10, 19, 23, 30, 31, 40)."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.tzzr_mocks.grace.caller import KEY
from tests.tzzr_mocks.grace.checks import check
from tests.tzzr_mocks.grace.clients.cases import SYNC
from tests.tzzr_mocks.grace.clients.stage import Stage, recorded

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


UNKNOWN_JOB = "00000000-0000-4000-8000-000000000000-u1"


@check(10, 19, 40)
@pytest.mark.parametrize("case", SYNC["run meets"])
def test_run_meets_an_answer_as_recorded(stage: Stage, client: Any, case: str) -> None:
    mark = stage.mark()

    seen = outcome(lambda: runpod.Endpoint(case.removeprefix("run_")).run(INPUT).job_id)

    if "value" in seen:
        seen["value"] = "JOB" if seen["value"].endswith("-u1") else seen["value"]
    assert seen == {name: "JOB" if name == "value" else told for name, told in expected(case).items()}
    assert stage.since(mark) == CASES[case]["requests"]


@check(10, 19, 40)
@pytest.mark.parametrize("case", SYNC["status meets"])
def test_status_meets_an_answer_as_recorded(stage: Stage, client: Any, case: str) -> None:
    endpoint = case.removeprefix("status_")
    value = "value" in CASES[case] or endpoint == "nostatus"
    job = stage.known(endpoint, ended=endpoint != "noid") if value else UNKNOWN_JOB
    mark = stage.mark()

    assert outcome(lambda: Job(endpoint, job, client).status()) == expected(case)
    assert stage.since(mark) == CASES[case]["requests"]


@check(19)
@pytest.mark.parametrize("case", SYNC["others meet"])
def test_the_other_calls_meet_an_answer_as_recorded(stage: Stage, client: Any, case: str) -> None:
    (request,) = CASES[case]["requests"]
    name = request.split("/")[2]
    endpoint = runpod.Endpoint({"noid": "noid_ever"}.get(name, name))
    acts = {
        "runsync": lambda: endpoint.run_sync(INPUT, timeout=4),
        "health": endpoint.health,
        "cancel": lambda: Job(name, UNKNOWN_JOB, client).cancel(),
    }
    mark = stage.mark()

    assert outcome(acts[request.split("/")[3]]) == expected(case)
    assert [one.replace("noid_ever", "noid") for one in stage.since(mark)] == [request]


@pytest.mark.parametrize("case", SYNC["sent"])
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
    assert SYNC["states"] == ("status_seq", "status_cached_after_final")
    job = Job("ok", stage.job("ok"), client)
    seen = [job.status()]
    while seen[-1] != "COMPLETED":
        threading.Event().wait(0.05)
        seen += [status] if (status := job.status()) != seen[-1] else []
    mark = stage.mark()

    assert seen == CASES["status_seq"]["value"][:3]
    assert [job.status(), job.output()] == CASES["status_cached_after_final"]["value"][-2:]
    assert stage.since(mark) == []


OUTPUT_OF = {"output_t10": "ok", "output_t0_in_queue": "ok", "output_t1": "running"}
"""The endpoints of the cases that are not named after theirs."""


@pytest.mark.parametrize("case", SYNC["output"])
@check(31)
def test_output_is_what_was_recorded(stage: Stage, client: Any, case: str) -> None:
    endpoint = OUTPUT_OF.get(case, case.removeprefix("output_").removesuffix("_t3"))
    timeout = {"output_t10": 10, "output_t1": 1, "output_t0_in_queue": 0}.get(case, 3)
    ended = endpoint not in ("ok", "running")
    job = Job(endpoint, stage.job(endpoint, ended), client)
    mark = stage.mark()

    assert outcome(lambda: job.output(timeout)) == expected(case)
    polls = stage.since(mark)
    assert set(polls) == {one.replace("/ok/", f"/{endpoint}/") for one in CASES[case]["requests"]}
    assert len(polls) == len(CASES[case]["requests"]) or endpoint == "ok"


@pytest.mark.parametrize("case", SYNC["run_sync"])
@check(23)
def test_run_sync_is_what_was_recorded(stage: Stage, client: Any, case: str) -> None:
    endpoint = case.removeprefix("run_sync_").removesuffix("_t4")
    mark = stage.mark()
    if endpoint == "cancelled":
        threading.Thread(target=stage.cancel_soon, args=(endpoint,)).start()

    seen = outcome(lambda: runpod.Endpoint(endpoint).run_sync(INPUT, timeout=4))

    assert seen == expected(case)
    asked = [one for one in stage.since(mark) if "/cancel/" not in one]
    assert asked[0] == CASES[case]["requests"][0]
    assert set(asked) == set(CASES[case]["requests"])
    if endpoint not in ("queued_then_ok", "inprog", "never"):
        assert len(asked) == len(CASES[case]["requests"])


@pytest.mark.parametrize("case", SYNC["stream"])
@check(30)
def test_stream_is_what_was_recorded(stage: Stage, client: Any, case: str) -> None:
    name = case.removeprefix("stream_")
    endpoint = {"ok": "streams"}.get(name, name)
    job = Job(endpoint, stage.job(endpoint, ended=case != "stream_ok"), client)
    mark = stage.mark()

    assert outcome(lambda: list(job.stream())) == expected(case)
    assert set(stage.since(mark)) == {f"GET /v2/{endpoint}/stream/JOB"}


@check(30)
def test_the_stream_of_a_cancelled_job_never_ends_for_this_client(stage: Stage, client: Any) -> None:
    (case,) = SYNC["endless"]
    job = Job("cancelled", stage.job("cancelled"), client)
    mark = stage.mark()
    endless = threading.Thread(target=lambda: outcome(lambda: list(job.stream())), daemon=True)
    endless.start()
    endless.join(3.5)

    still_there = endless.is_alive()
    stage.raw("GET", f"cancelled/status/{job.job_id}?ttl=0")  # the job is gone, and the client stops at its 404
    endless.join(10)

    assert CASES[case]["hangs"] is still_there is True
    assert not endless.is_alive()
    assert len(stage.since(mark)) >= 2


@pytest.mark.parametrize("case", SYNC["others"])
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


RETRIES = {
    "status_e408": [0, 2, 4, 8, 16], "status_e429": [0, 2, 4, 8, 16], "status_e429ra": [1, 1, 1, 1, 1],
}  # fmt: skip
"""Seconds between the six requests of a read that is refused (runpod.md §11)."""


@pytest.mark.slow
@check(40)
def test_what_takes_long_takes_as_long_as_recorded(stage: Stage, client: Any) -> None:
    (slow,) = SYNC["never ends in time"]
    acts: dict[str, Callable[[], Any]] = {slow: lambda: runpod.Endpoint("slow").run(INPUT)}
    for case in SYNC["waits"]:
        acts[case] = Job(case.removeprefix("status_"), UNKNOWN_JOB, RunPodClient()).status
    with ThreadPoolExecutor(len(acts)) as pool:  # they wait side by side: half a minute in all
        seen = dict(zip(acts, pool.map(outcome, acts.values()), strict=True))

    assert seen == {case: expected(case) for case in acts}
    assert {
        case: stage.pauses(f"/v2/{case.removeprefix('status_')}/status/{UNKNOWN_JOB}") for case in RETRIES
    } == RETRIES
    assert stage.fake.endpoints["slow"].jobs, "the job runs although its caller gave up"


def test_a_429_with_retry_after_is_asked_again_six_times_on_get_and_not_on_post(stage: Stage, client: Any) -> None:
    mark = stage.mark()
    outcome(lambda: Job("e429ra", "x", client).status())
    reads = stage.since(mark)
    outcome(lambda: runpod.Endpoint("e429ra").run(INPUT))

    assert len(reads) == 6
    assert len(stage.since(mark)) == 7


@pytest.mark.parametrize("case", SYNC["asks nobody"])
def test_some_calls_ask_nobody(stage: Stage, client: Any, monkeypatch: pytest.MonkeyPatch, case: str) -> None:
    def adapters() -> dict[str, str]:
        return {url: str(client.rp_session.get_adapter(url).max_retries) for url in CASES[case]["value"]}

    acts: dict[str, Callable[[], Any]] = {
        "adapter_retries": adapters,
        "no_key": lambda: runpod.Endpoint("ok"),
        "run_none": lambda: runpod.Endpoint("ok").run(None),
    }
    if case == "no_key":
        monkeypatch.setattr(runpod, "api_key", None)
    mark = stage.mark()

    assert outcome(acts[case]) == expected(case)
    assert stage.since(mark) == []
