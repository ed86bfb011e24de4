"""The hundred recorded exchanges with RunPod's local server, put to the fake, which is the cloud (runpod.md §12).

What the cloud does otherwise is told case by case, with the reason; everything else must be the same.
"""

from __future__ import annotations

import asyncio
import functools
import json
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from tests.tzzr_mocks.grace.caller import KEY, QUICK, Caller, calling
from tests.tzzr_mocks.grace.clients.stage import GOLDEN
from tzzr_mocks.grace import Assignment, Deployment
from tzzr_mocks.network.virtual import new_virtual_loop

RECORDED: dict[str, Any] = json.loads((GOLDEN / "local_server.json").read_text("utf-8"))
BOOM = ValueError("boom: bad value")
PERIOD_S = 60.0
"""Between two exchanges: the local server works when it is asked, the cloud by itself."""


async def handle(assignment: Assignment) -> Any:
    """The recorded handler: does what ``mode`` says."""
    given = assignment.input
    mode = given["mode"]
    if mode == "sleep":
        await assignment.seams.clock.sleep(given["s"])
    if mode in ("raise", "raise_key"):
        raise BOOM if mode == "raise" else KeyError("absent")
    if mode == "progress":
        assignment.progress("10 %")
    return {
        "echo": {"got": given, "job_keys": ["id", "input", "webhook"]}, "str": "plain text", "int": 7, "zero": 0,
        "float": 1.5, "bool_t": True, "bool_f": False, "none": None, "list": [1, "two", {"three": 3}],
        "empty_dict": {}, "empty_list": [], "nested": {"output": {"answer": 42}}, "err_str": {"error": "bad seed"},
        "err_str_more": {"error": "bad seed", "error_code": "BAD_SEED"}, "err_dict": {"error": {"type": "V"}},
        "err_list": {"error": ["a"]}, "err_empty": {"error": ""}, "progress": "done",
        "refresh": {"refresh_worker": True, "job_results": [1]}, "unicode": {"t": "naïve ☃ 日本"}, "bytes": b"b",
        "set": {1, 2}, "nan": {"x": float("nan")}, "big": {"blob": "x" * given.get("n", 0)},
        "sleep": {"slept": given.get("s")},
    }[mode]  # fmt: skip


async def handle_async(assignment: Assignment) -> Any:
    """The recorded handler that is a coroutine."""
    if assignment.input["mode"] == "raise":
        raise RuntimeError("async boom")
    given = assignment.input
    return {"error": "async bad"} if given["mode"] == "err_str" else {"async": True, "got": given}


async def words(assignment: Assignment) -> AsyncIterator[Any]:
    """The recorded generator."""
    given = assignment.input
    for number in range(given["n"]):
        if number == given.get("raise_at"):
            raise ValueError("gen boom")
        item = {"i": number, "word": f"w{number}"}
        yield {"error": "chunk error"} if number == given.get("err_at") else item["word"] if "kind" in given else item


async def numbers(assignment: Assignment) -> AsyncIterator[Any]:
    """The recorded generator that is asynchronous."""
    for number in range(assignment.input["n"]):
        if number == assignment.input.get("raise_at"):
            raise ValueError("agen boom")
        yield {"i": number}


ENDPOINTS = {
    8801: Deployment(handle), 8802: Deployment(handle_async), 8803: Deployment(words),
    8804: Deployment(words, aggregate=False), 8805: Deployment(numbers), 8806: Deployment(handle),
}  # fmt: skip
"""The port of a recording to what its worker does."""

W0, W1, W2 = ({"i": number, "word": f"w{number}"} for number in range(3))
LOST = {"status": "FAILED", "error": "job timed out after 1 retries", "retries": 1}
DONE = {"status": "COMPLETED"}
ECHO = {"status": "COMPLETED", "output": {"got": {"mode": "echo"}, "job_keys": ["id", "input", "webhook"]}}
BROKEN = {"status": "FAILED", "error": "handler: gen boom \ntraceback: "}
NO_JOB = {"error": "job not found"}
NOT_ALLOWED = {"error": "not allowed for QB API"}
NO_POLICY = {"error": "policy.executionTimeout is invalid; must be between 5000 and 604800000"}
NO_WAIT = {"error": "wait is invalid; must be between 1000 and 300000"}
INVALID = {"error": "json is invalid"}
NO_OBJECT = {"error": "json is invalid; must be an object"}
NO_INPUT = {"error": "input is required"}
BAD_INPUT = {"error": "input is invalid; must be an object"}
WRONG_METHOD = {"error": "method not allowed"}

IN_THE_CLOUD: dict[str, tuple[int, Any, str]] = {
    "runsync_empty_dict": (200, DONE, "an empty result is no result, not a crash"),
    "runsync_err_str_more": (200, {"status": "FAILED", "error": "bad seed", "output": {"error_code": "BAD_SEED"}}, "what stands beside an error is kept"),
    "runsync_err_dict": (200, DONE, "an error that is no text completes the job (runpod-python#299)"),
    "runsync_err_list": (200, DONE, "an error that is no text completes the job (runpod-python#299)"),
    "runsync_err_empty": (200, DONE, "an empty error is none"),
    "runsync_bytes": (200, LOST, "what JSON cannot say is never posted"),
    "runsync_set": (200, LOST, "what JSON cannot say is never posted"),
    "runsync_nan": (200, LOST, "NaN is not JSON, and the worker's post is refused"),
    "runsync_big_25MB_in": (400, {"error": "json is invalid; max size is 20 MB"}, "bodies have a limit"),
    "runsync_wait_1000_sleep_2": (200, {"status": "IN_PROGRESS"}, "`wait` is obeyed"),
    "runsync_wait_29": (400, NO_WAIT, "`wait` is checked"),
    "runsync_with_policy_s3": (400, NO_POLICY, "`policy` is checked"),
    "runsync_webhook_int": (400, {"error": "webhook is invalid; must be a URL"}, "400 instead of 422"),
    "run_no_input": (400, NO_INPUT, "400 instead of 422"),
    "run_null_input": (400, NO_INPUT, "400 instead of 422"),
    "run_input_str": (400, BAD_INPUT, "400 instead of 422"),
    "run_input_list": (400, BAD_INPUT, "400 instead of 422"),
    "run_array_body": (400, NO_OBJECT, "400 instead of 422"),
    "run_bad_json": (400, INVALID, "400 instead of 422"),
    "run_empty_body": (400, INVALID, "400 instead of 422"),
    "run_form": (400, INVALID, "400 instead of 422"),
    "run_text_plain": (200, {"status": "IN_QUEUE"}, "the body counts, whatever it is called"),
    "run_no_auth": (401, "", "a key is required"),
    "run_bad_auth": (401, "", "the key is checked"),
    "run_get": (405, WRONG_METHOD, "the words of a 405 are uncertain"),
    "runsync_get": (405, WRONG_METHOD, "the words of a 405 are uncertain"),
    "status_get": (200, ECHO, "GET reads, as every client wants"),
    "status_post_second": (200, ECHO, "a result is kept for thirty minutes"),
    "status_unknown": (404, NO_JOB, "404 instead of a job that failed"),
    "status_empty_dict": (200, DONE, "an empty result is no result, not a crash"),
    "stream_not_generator": (200, {**DONE, "stream": []}, "a job that does not stream has an empty one"),
    "route_cancel_x": (404, NO_JOB, "the route exists"),
    "route_retry_x": (404, NO_JOB, "the route exists"),
    "route_purge-queue": (200, {"removed": 0, "status": "completed"}, "the route exists"),
    "route_status-sync_x": (404, NO_JOB, "the route exists"),
    "route_ping": (400, NOT_ALLOWED, "the cloud's own words (GP14)"),
    "gen_runsync_raise": (200, BROKEN, "a generator that raises fails its job"),
    "gen_runsync_err_chunk": (200, {"status": "FAILED", "error": "chunk error"}, "a chunk with an error fails the job"),
    "gen_stream_get": (200, {**DONE, "stream": [{"output": W0}, {"output": W1}, {"output": W2}]}, "GET reads"),
    "gen_stream_post": (200, {**DONE, "stream": []}, "the GET before it was a read, and a stream is drained"),
    "gen_stream_again": (200, {**DONE, "stream": []}, "a stream is drained and the job is known"),
    "gen_status_after_stream": (200, {**DONE, "output": [W0, W1, W2]}, "a result is kept for thirty minutes"),
    "gen_stream_raise": (200, {"status": "FAILED", "stream": [{"output": W0}]}, "what came before the error is read"),
    "gen_stream_unknown": (404, NO_JOB, "404 instead of a job that failed"),
    "gen_noagg_runsync": (200, {**DONE, "output": []}, "the aggregate flag is obeyed"),
    "agen_raise": (200, {"status": "FAILED", "error": "handler: agen boom \ntraceback: "}, "a generator that raises fails its job"),
}  # fmt: skip
"""What the cloud does otherwise: its status, its answer, and why."""

NOT_OF_THE_CLOUD: dict[str, str] = {
    "route_": "the local server's page of documents",
    "route_docs": "the local server's page of documents",
    "route_v2_ep_run": "only the local server has its routes at the root",
    "route_health": "/health has a form of its own (check 34)",
    "route_requests": "/requests has a form of its own (documented nowhere)",
    "realtime_ok": "/realtime is not public",
    "realtime_raise": "/realtime is not public",
    "realtime_no_id": "/realtime is not public",
}
"""Exchanges about what only the local server has, and the reason."""


async def ask(runpod: Caller, jobs: dict[int, str], recorded: dict[str, Any]) -> httpx.Response:
    """Put one recorded request to the fake, on the endpoint that stands for its port."""
    port, path = recorded["port"], recorded["path"].replace("JOB", jobs.get(recorded["port"], ""))
    body = recorded.get("raw", json.dumps(recorded["body"]) if "body" in recorded else "")
    content = b" " * 25_000_038 if body.startswith("<") else body.encode()
    key = recorded.get("headers", {}).get("Authorization", f"Bearer {KEY}")
    headers = {"Content-Type": "application/json", **recorded.get("headers", {}), "Authorization": key}
    runpod.endpoint = str(port)
    return await runpod.ask(recorded["method"], path.removeprefix("/"), content=content, headers=headers)


async def _replay() -> dict[str, httpx.Response]:
    others = {str(port): deployment for port, deployment in ENDPOINTS.items()}
    seen: dict[str, httpx.Response] = {}
    jobs: dict[int, str] = {}
    async with calling(others=others, options=QUICK, door=httpx.MockTransport(lambda _: httpx.Response(200))) as runpod:
        for name, exchange in RECORDED.items():
            request = exchange["request"]
            if name == "run_no_auth":
                request = {**request, "headers": {"Authorization": ""}}
            seen[name] = await ask(runpod, jobs, request)
            if request["path"] == "/run" and seen[name].status_code == 200:
                jobs[request["port"]] = seen[name].json()["id"]
            await runpod.clock.sleep(PERIOD_S)
    return seen


@functools.cache
def replayed() -> dict[str, httpx.Response]:
    """The fake's answer to each recorded request, in their order."""
    with asyncio.Runner(loop_factory=new_virtual_loop) as runner:
        return runner.run(_replay())


OF_THE_CLOUD = ("id", "delayTime", "executionTime", "workerId")


def plain(body: Any) -> Any:
    """An answer without what the local server does not tell, and without what differs from run to run."""
    if not isinstance(body, dict):
        return body
    rest = {name: value for name, value in body.items() if name not in OF_THE_CLOUD}
    error = rest.get("error")
    if isinstance(error, str) and error.startswith("{"):
        parts = json.loads(error)
        rest["error"] = {**{name: parts[name] for name in ("error_type", "error_message")}, "keys": sorted(parts)}
    elif isinstance(error, str):
        rest["error"] = error.partition("Traceback")[0]
    if isinstance(rest.get("output"), dict) and "blob" in rest["output"]:
        rest["output"] = {"blob": f"{len(rest['output']['blob'])} times x"}
    return rest


def of_the_local_server(exchange: dict[str, Any]) -> Any:
    """A recorded answer; a job that was submitted waits in the cloud and runs locally."""
    body = exchange["answer"]["body"]
    if exchange["request"]["path"] == "/run" and isinstance(body, dict) and body.get("status") == "IN_PROGRESS":
        return {**body, "status": "IN_QUEUE"}
    blob = isinstance(body, dict) and isinstance(body.get("output"), dict) and "blob" in body["output"]
    return {**body, "output": {"blob": "x" * 12_000_000}} if blob else body


@pytest.mark.parametrize("name", [name for name in RECORDED if name not in NOT_OF_THE_CLOUD])
def test_the_fake_answers_as_recorded_or_as_the_cloud_does_otherwise(name: str) -> None:
    answer = replayed()[name]
    body = answer.json() if answer.headers["content-type"] == "application/json" else answer.text

    if name in IN_THE_CLOUD:
        assert (answer.status_code, plain(body)) == IN_THE_CLOUD[name][:2]
    else:
        recorded = RECORDED[name]
        assert (answer.status_code, plain(body)) == (recorded["answer"]["status"], plain(of_the_local_server(recorded)))


@pytest.mark.parametrize("name", IN_THE_CLOUD)
def test_no_difference_is_told_that_there_is_not(name: str) -> None:
    status, body, why = IN_THE_CLOUD[name]

    assert why
    assert (status, body) != (RECORDED[name]["answer"]["status"], plain(of_the_local_server(RECORDED[name])))


def test_no_difference_is_told_of_what_was_never_recorded() -> None:
    assert {*IN_THE_CLOUD, *NOT_OF_THE_CLOUD} <= set(RECORDED)
    assert not {*IN_THE_CLOUD} & {*NOT_OF_THE_CLOUD}
    assert len(RECORDED) == 100
