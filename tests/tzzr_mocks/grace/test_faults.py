"""Each fault kind of runpod.md §13 does what its page says."""

from __future__ import annotations

import json
import re

import httpx
import pytest

from tests.tzzr_mocks.grace.caller import Caller, calling, control
from tests.tzzr_mocks.grace.contracts import binary_request, speech, text_request
from tzzr_mocks.control import KINDS
from tzzr_mocks.grace import Deployment, GraceFake, Options, Script
from tzzr_mocks.grace import faults as grace_faults

ROWS = {
    1: "stuck_in_queue", 2: "crashloop_unhealthy", 3: "throttled_capacity", 4: "cold_start_delay",
    5: "runsync_outlasts_wait", 6: "wait_out_of_range", 7: "client_timeout_loses_id",
    8: "unauthorized_plain unauthorized_json", 9: "unknown_endpoint_non_json", 10: "job_expired_404",
    11: "fresh_job_404", 12: "payload_too_large", 13: "result_too_large_no_output", 14: "result_post_rejected",
    15: "error_json_in_string", 16: "error_dict_completed", 17: "error_inside_output",
    18: "double_wrapped_input nested_output", 19: "premature_completed", 20: "progress_overwrites_final",
    21: "platform_retry_then_fail", 22: "executed_twice", 23: "execution_timeout",
    24: "webhook_duplicate webhook_slow_receiver", 25: "webhook_missing_on_failure webhook_bare_body",
    26: "gateway_html", 27: "stream_read_once_empty", 28: "stream_never_final stream_cancelled",
    29: "stream_cut_60s", 30: "non_terminal_without_id", 31: "too_many_requests rate_limited",
    32: "backend_not_ready_error", 33: "conn_reset_keepalive html_at_200 empty_200",
}  # fmt: skip
"""The rows of runpod.md §13 and the kinds that carry them out."""

PAGE = re.compile(
    r"^(?P<what>.+?)\n\n\s*(?:.+\n\n\s*)?Seen in (?P<who>.+?)\n\n\s*YAML: ``- (?P<rule>.+?)``\n", re.DOTALL
)
OWN = sorted(kind for kind, fault in KINDS.items() if fault.__module__.startswith("tzzr_mocks.grace."))


@pytest.mark.parametrize("row", ROWS)
def test_every_row_has_its_kinds(row: int) -> None:
    assert [kind for kind in ROWS[row].split() if kind not in KINDS] == []


@pytest.mark.parametrize("kind", OWN)
def test_every_kind_has_a_page_whose_line_is_a_rule_of_that_kind(kind: str) -> None:
    page = PAGE.match(str(KINDS[kind].__doc__))
    assert page is not None, KINDS[kind].__doc__
    plane = control()
    GraceFake(plane)

    assert plane.plan.add(page["rule"]).fault.kind == kind


def test_every_kind_is_one_file_and_is_exported() -> None:
    files = {KINDS[kind].__module__.rpartition(".")[2] for kind in OWN}

    assert files == set(OWN)
    assert {KINDS[kind].__name__ for kind in OWN} == set(grace_faults.__all__)


def with_fault(fault: str, program: Script | Deployment | None = None, **others: object):  # type: ignore[no-untyped-def]
    """A caller whose plan has this one rule."""
    return calling(program, faults=[f"grace: {fault}"], **others)  # type: ignore[arg-type]


@pytest.mark.parametrize(("fault", "counter"), [
    ("every job is stuck in queue", None),
    ("every job is crashloop unhealthy", "unhealthy"),
    ("every job is throttled for 1h", "throttled"),
    ("every job starts cold in 1h", "initializing"),
])  # fmt: skip
async def test_a_held_job_waits_and_health_says_why_until_it_is_healed(fault: str, counter: str | None) -> None:
    async with with_fault(fault) as runpod:
        job = await runpod.run()
        await runpod.clock.sleep(600)

        workers = (await runpod.read("health"))["workers"]
        assert (await runpod.status(job))["status"] == "IN_QUEUE"
        if counter is None:
            assert (workers["idle"], workers["ready"]) == (2, 2)
        else:
            assert (workers[counter], workers["idle"], workers["ready"]) == (1, 0, 0)

        runpod.plan.heal()
        await runpod.status(job)
        assert (await runpod.ended(job))["status"] == "COMPLETED"
        assert (await runpod.read("health"))["workers"]["idle"] == 2


@pytest.mark.parametrize("fault", ["first job is throttled for 60s", "first job starts cold in 60s"])
async def test_a_hold_of_some_seconds_ends_by_itself_and_the_next_job_has_none(fault: str) -> None:
    async with with_fault(fault) as runpod:
        first, second = await runpod.run(), await runpod.run()

        assert (await runpod.ended(second))["delayTime"] == 0
        assert (await runpod.ended(first))["delayTime"] == 60_000


async def test_runsync_that_outlasts_the_wait_shows_a_job_that_goes_on() -> None:
    async with with_fault("first job has runsync_outlasts_wait seconds=1s", Script("done", seconds=3.0)) as runpod:
        body = await runpod.runsync()

        assert (body["status"], "output" in body, runpod.clock.monotonic()) == ("IN_PROGRESS", False, 1.0)
        await runpod.clock.sleep(2.1)
        assert (await runpod.status(body["id"]))["output"] == "done"


@pytest.mark.parametrize(("fault", "status", "media_type", "body"), [
    ("every request has wait_out_of_range", 400, "application/json", '{"error":"wait is invalid; must be between 1000 and 300000"}'),
    ("every request is unauthorized", 401, "text/plain", ""),
    ("every request has unauthorized_json", 401, "application/json", '{"error":"unauthorized"}'),
    ("every request has unknown_endpoint_non_json", 404, "text/plain", ""),
    ("every request has unknown_endpoint_non_json form=html", 404, "text/html", "<!DOCTYPE html>"),
    ("every request is too large", 400, "application/json", '{"error":"json is invalid; max size is 10 MB"}'),
    ("every request has payload_too_large megabytes=20 status=413", 413, "application/json", '{"error":"json is invalid; max size is 20 MB"}'),
    ("every request meets a gateway error", 502, "text/html", "<!DOCTYPE html><html><head><title>api.runpod.ai | 502: Bad gateway"),
    ("every request meets a gateway error 524", 524, "text/html", "<!DOCTYPE html><html><head><title>api.runpod.ai | 524: A timeout occurred"),
    ("every request exceeds the limits", 429, "text/plain", ""),
    ("every request gets html_at_200", 200, "text/html", "<!DOCTYPE html>"),
    ("every request gets empty_200", 200, "", ""),
    ("every request gets client_refused_1010", 403, "text/plain", "error code: 1010"),
])  # fmt: skip
async def test_an_answer_in_the_platforms_place(fault: str, status: int, media_type: str, body: str) -> None:
    async with with_fault(fault) as runpod:
        response = await runpod.ask("POST", "run", json={"input": {"a": 1}})

        assert response.status_code == status
        assert response.headers.get("content-type", "").startswith(media_type)
        assert response.text.startswith(body)
        assert bool(response.text) is bool(body)
        assert runpod.fake.endpoints["ep"].jobs == {}


async def test_too_many_requests_says_when_to_come_back_if_so_asked() -> None:
    async with with_fault("first request has too_many_requests retry_after=3") as runpod:
        assert (await runpod.ask("GET", "health")).headers["retry-after"] == "3"
        assert (await runpod.ask("GET", "health")).status_code == 200


async def test_a_client_that_gives_up_never_learns_the_id_of_a_job_that_runs() -> None:
    async with with_fault("first request to POST /run answers too late") as runpod:
        with pytest.raises(httpx.ReadTimeout):
            await runpod.ask("POST", "run", json={"input": {"a": 1}}, timeout=10.0)

        (job,) = (await runpod.read("requests"))["requests"]
        assert job["status"] == "COMPLETED"


async def test_a_client_that_waits_long_enough_gets_its_late_answer() -> None:
    async with with_fault("first request to POST /run has client_timeout_loses_id seconds=30s") as runpod:
        assert await runpod.run()
        assert runpod.clock.monotonic() == 30.0


async def test_an_expired_job_is_404_also_while_it_runs() -> None:
    async with with_fault("first job expires after 5s", Script(seconds=60.0)) as runpod:
        job = await runpod.run()
        await runpod.clock.sleep(4.9)
        assert (await runpod.status(job))["status"] == "IN_PROGRESS"
        await runpod.clock.sleep(0.1)

        assert (await runpod.ask("GET", f"status/{job}")).status_code == 404


async def test_a_fresh_job_is_404_for_the_first_reads_of_each_job() -> None:
    async with with_fault("every job has fresh_job_404 reads=2") as runpod:
        for job in [await runpod.run(), await runpod.run()]:
            seen = [(await runpod.ask("GET", f"status/{job}")).status_code for _ in range(4)]
            assert seen == [404, 404, 200, 200]


@pytest.mark.parametrize(("fault", "status", "output"), [
    ("job has result_too_large_no_output bytes=5", "COMPLETED", None),
    ("job has result_too_large_no_output bytes=50", "COMPLETED", {"a": "long"}),
    ("job loses its result", "COMPLETED", None),
    ("job has error_dict_completed", "COMPLETED", None),
    ("job has error_inside_output", "COMPLETED", {"code": 400, "message": "The model does not exist.", "object": "error", "status": "error"}),
    ("job has double_wrapped_input", "COMPLETED", {"input": {"a": "long"}}),
    ("job has nested_output", "COMPLETED", {"output": {"a": "long"}}),
    ("job completes too early", "COMPLETED", "processing"),
    ("job has no backend", "FAILED", None),
    ("job raises in the worker", "FAILED", None),
])  # fmt: skip
async def test_what_becomes_of_the_workers_post(fault: str, status: str, output: object) -> None:
    fault = fault.replace("job has no backend", "job has backend_not_ready_error")
    async with with_fault(fault) as runpod:
        body = await runpod.runsync({"a": "long"})

        assert (body["status"], body.get("output")) == (status, output)


async def test_the_errors_of_a_worker_are_text_or_json_in_text() -> None:
    async with with_fault("1st job has backend_not_ready_error") as runpod:
        runpod.plan.add("grace: 2nd job has error_json_in_string message=boom")
        first, second = await runpod.runsync(), await runpod.runsync()

    assert first["error"] == "Server not ready after timeout (30s)"
    assert json.loads(second["error"])["error_message"] == "boom"
    assert json.loads(second["error"])["error_type"] == "<class 'RuntimeError'>"


async def test_progress_overwrites_the_final_state_for_whoever_reads_it() -> None:
    async with with_fault("first job has progress_overwrites_final text=90") as runpod:
        body = await runpod.runsync()
        again = await runpod.status(body["id"])
        assert (await runpod.read(f"stream/{body['id']}"))["status"] == "COMPLETED"

        assert (again["status"], again["output"], "executionTime" in again) == ("IN_PROGRESS", "90", False)
        runpod.plan.heal()
        assert (await runpod.status(body["id"]))["status"] == "COMPLETED"


async def test_a_job_that_loses_one_worker_is_retried_and_done() -> None:
    async with with_fault("first job loses its worker 1 times", Script("done", seconds=1.0)) as runpod:
        job = await runpod.run()
        await runpod.clock.sleep(1)
        first = await runpod.status(job)
        await runpod.clock.sleep(19.5)
        second = await runpod.status(job)
        third = await runpod.ended(job)

        assert (first["delayTime"], "retries" in first) == (0, False)
        assert (second["status"], second["delayTime"], second["retries"]) == ("IN_PROGRESS", 20_000, 1)
        assert second["workerId"] != first["workerId"]
        assert (third["status"], third["output"]) == ("COMPLETED", "done")
        assert (await runpod.read("health"))["jobs"]["retried"] == 1


async def test_a_job_that_loses_both_workers_fails() -> None:
    async with with_fault("first job loses its workers") as runpod:
        body = await runpod.runsync()

        assert (body["error"], body["retries"]) == ("job timed out after 1 retries", 1)


async def test_a_job_that_is_executed_twice_has_its_effects_twice_and_one_result() -> None:
    script = Script("done", seconds=1.0)
    async with with_fault("first job is executed twice", script) as runpod:
        body = await runpod.runsync()
        await runpod.runsync()

        assert body["output"] == "done"
        assert script.ran.count(body["id"]) == 2
        assert len(script.ran) == 3


@pytest.mark.parametrize(("variant", "status"), [("", "FAILED"), (" timed_out=true", "TIMED_OUT")])
async def test_a_job_that_never_ends_is_killed_late(variant: str, status: str) -> None:
    async with with_fault(f"first job has execution_timeout seconds=10s{variant}") as runpod:
        body = await runpod.runsync()

        assert (body["status"], body["error"]) == (status, "executionTimeout exceeded")
        assert 13_000 <= body["executionTime"] <= 22_000


ABC = Script(chunks=("a", "b"), pause_s=1.0)


async def test_a_stream_that_was_read_once_is_empty() -> None:
    async with with_fault("first job has stream_read_once_empty", ABC) as runpod:
        job = await runpod.run()
        first = await runpod.read(f"stream/{job}")
        await runpod.clock.sleep(10)

        assert first["stream"] == [{"output": "a"}]
        assert await runpod.read(f"stream/{job}") == {"status": "COMPLETED", "stream": []}


@pytest.mark.parametrize(("kind", "status"), [("stream_never_final", "IN_PROGRESS"), ("stream_cancelled", "CANCELLED")])
async def test_a_stream_that_shows_something_else_than_the_job(kind: str, status: str) -> None:
    async with with_fault(f"first job has {kind}", ABC) as runpod:
        job = (await runpod.runsync())["id"]

        assert [await runpod.read(f"stream/{job}") for _ in range(3)] == [{"status": status, "stream": []}] * 3
        assert (await runpod.status(job))["status"] == "COMPLETED"


async def test_an_answer_without_an_id_is_one_as_long_as_the_job_has_not_ended() -> None:
    async with with_fault("first job is shown without its id", Script("done", seconds=5.0)) as runpod:
        submitted = await runpod.ask("POST", "run", json={"input": {"a": 1}})
        (job,) = runpod.fake.endpoints["ep"].jobs
        running = await runpod.status(job)
        ended = await runpod.ended(job)

    assert (submitted.json(), running, ended["id"]) == ({"status": "IN_QUEUE"}, {"status": "IN_PROGRESS"}, job)


async def test_the_openai_route_hands_the_body_to_the_worker_and_its_words_back() -> None:
    async with calling() as runpod:
        response = await runpod.ask("POST", "openai/v1/chat/completions", json={"model": "m"})

    assert response.json() == {"openai_input": {"model": "m"}, "openai_route": "/v1/chat/completions"}


@pytest.mark.parametrize(("program", "sent", "status", "words"), [
    (Script({"error": "no such model"}), b"{}", 500, "no such model"),
    (Script(seconds=1000.0), b"{}", 500, "IN_PROGRESS"),
    (Script("x"), b"{", 400, '{"error":"json is invalid"}'),
    (Script("x"), b"[]", 400, '{"error":"json is invalid; must be an object"}'),
    (Script(None), b"{}", 200, "null"),
])  # fmt: skip
async def test_the_openai_route_tells_what_went_wrong(program: Script, sent: bytes, status: int, words: str) -> None:
    async with calling(program) as runpod:
        response = await runpod.ask("POST", "openai/v1/models", content=sent)

    assert (response.status_code, response.text) == (status, words)


async def test_an_answer_that_ends_in_time_is_not_cut() -> None:
    async with with_fault("POST /openai/{rest:path} has stream_cut_60s", Script("x", seconds=50.0)) as runpod:
        assert (await runpod.ask("POST", "openai/v1/models", json={})).json() == "x"


async def test_a_streaming_job_may_be_executed_twice() -> None:
    script = Script(chunks=("a", "b"), pause_s=1.0)
    async with with_fault("first job is executed twice", script) as runpod:
        body = await runpod.runsync()

    assert (body["output"], script.ran) == (["a", "b"], [body["id"]] * 2)


async def test_a_long_answer_is_cut_after_sixty_seconds_and_the_job_goes_on() -> None:
    script = Script(chunks=("data: a\n\n", {"b": 1}, "late"), pause_s=25.0)
    async with with_fault("POST /openai/{rest:path} has stream_cut_60s", script) as runpod:
        seen: list[bytes] = []
        with pytest.raises(httpx.RemoteProtocolError):
            await _read(runpod, seen)
        assert runpod.clock.monotonic() == pytest.approx(60.0)
        await runpod.clock.sleep(20)

        assert seen == [b"data: a\n\n", b'data: {"b":1}\n\n']
        assert (await runpod.read("health"))["jobs"]["completed"] == 1
        runpod.plan.heal()
        await _read(runpod, seen)
        assert seen[-1] == b"late"


async def _read(runpod: Caller, seen: list[bytes]) -> None:
    async with runpod.http.stream("POST", "ep/openai/v1/completions", json={"stream": True}) as response:
        async for piece in response.aiter_raw():
            seen.append(piece)  # noqa: PERF401 - what came before a break counts


@pytest.mark.enable_socket
async def test_a_reset_connection_loses_the_answer_and_the_job_runs() -> None:
    async with with_fault("first request to POST /run gets conn_reset_keepalive", way="socket") as runpod:
        with pytest.raises(httpx.ReadError):
            await runpod.ask("POST", "run", json={"input": {"a": 1}})
        assert (await runpod.ask("POST", "run", json={"input": {"a": 2}})).status_code == 200

        assert len(runpod.fake.endpoints["ep"].jobs) == 2


async def test_faults_may_be_for_one_module_and_one_endpoint() -> None:
    async with calling(others={"other": Deployment()}) as runpod:
        runpod.plan.add("grace: job loses its result for HASHER")
        runpod.plan.add({"match": {"service": "grace", "endpoint": "other"}, "effect": "nested_output"})
        runpod.endpoint = "grace"
        hashed, summed = await runpod.runsync(text_request("HASHER")), await runpod.runsync(text_request("SENTIMENT"))
        runpod.endpoint = "other"
        other = await runpod.runsync({"a": 1})

    assert ("output" in hashed, "output" in summed, other["output"]) == (False, True, {"output": {"a": 1}})


@pytest.mark.parametrize(("fault", "runs", "failed"), [
    ("first 2 jobs lose their result", 4, [0, 1]),
    ("2nd job loses its result", 4, [1]),
    ("every 2nd job loses its result", 4, [1, 3]),
])  # fmt: skip
async def test_a_job_fault_is_counted_by_jobs_and_not_by_reads(fault: str, runs: int, failed: list[int]) -> None:
    fault = fault.replace("lose their result", "has result_post_rejected").replace(
        "loses its result", "has result_post_rejected"
    )
    async with with_fault(fault) as runpod:
        bodies = []
        for _ in range(runs):
            job = (await runpod.runsync())["id"]
            bodies.append([await runpod.status(job), await runpod.status(job)])

    assert [index for index, (one, two) in enumerate(bodies) if "output" not in one and "output" not in two] == failed


async def test_a_fault_of_the_chains_own_name_strikes_each_of_its_modules() -> None:
    request = binary_request("ASR_ENGINE", "audio", "audio/wav", speech())
    async with with_fault("ASR_ENGINE is down") as runpod:
        runpod.endpoint = "grace"
        response = (await runpod.runsync(request))["output"]

    assert response["failure"]["code"] == "FALLBACK_EXHAUSTED"
    assert [attempt["error"]["code"] for attempt in response["routing"]["attempts"]] == ["MODULE_UNAVAILABLE"] * 3


async def test_options_do_not_change_what_a_fault_does() -> None:
    async with with_fault("job has error_dict_completed", options=Options(error_object_completes=False)) as runpod:
        assert (await runpod.runsync())["status"] == "COMPLETED"
