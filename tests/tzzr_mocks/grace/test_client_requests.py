"""What RunPod's clients send, octet for octet as recorded, where no client can go: in process too (checks 10, 23, 24, 30)."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from tests.tzzr_mocks.grace.caller import KEY, Caller, calling
from tests.tzzr_mocks.grace.checks import both_ways, check
from tests.tzzr_mocks.grace.clients.stage import GOLDEN
from tzzr_mocks.grace import Script

RECORDED: dict[str, list[dict[str, Any]]] = json.loads((GOLDEN / "requests.json").read_text("utf-8"))
EVERY = [
    pytest.param(request, id=f"{client}-{request['method']}-{request['path']}-{number}")
    for client, requests in RECORDED.items()
    for number, request in enumerate(requests)
]
ABC = Script(chunks=("a", "b", "c"), pause_s=1.0)

NEEDED = {
    "run": {"id", "status"}, "runsync": {"id", "status"}, "status": {"id", "status"}, "status-sync": {"id", "status"},
    "stream": {"status", "stream"}, "cancel": {"id", "status"}, "health": {"jobs", "workers"},
    "purge-queue": {"removed", "status"},
}  # fmt: skip
"""The keys without which a client falls over (runpod.md §1)."""


def one(client: str, method: str, path: str) -> dict[str, Any]:
    """The first recorded request of a client whose path begins so."""
    return next(
        each for each in RECORDED[client] if each["method"] == method and each["path"].partition("?")[0] == path
    )


async def send(runpod: Caller, request: dict[str, Any], job: str = "", key: str = KEY) -> httpx.Response:
    """Send a recorded request: its own headers and octets, but for the key and the id of the job."""
    path = request["path"].replace("JOB", job).replace("SYNC", job)
    headers = {
        name: f"Bearer {key}" if name == "Authorization" else text.replace("JOB", job)
        for name, text in request["headers"].items()
    }
    sent = httpx.Request(
        request["method"], f"{runpod.http.base_url}{runpod.endpoint}/{path}", headers=headers, content=request["body"]
    )
    return await runpod.http.send(sent)


@both_ways
@pytest.mark.parametrize("request_", EVERY)
async def test_every_recorded_request_is_answered_with_what_its_client_needs(
    way: str, request_: dict[str, Any]
) -> None:
    operation = request_["path"].partition("?")[0].partition("/")[0]
    async with calling(ABC, way=way) as runpod:
        job = await runpod.run() if "JOB" in request_["path"] else (await runpod.runsync())["id"]

        answer = await send(runpod, request_, job)

    if "undefined" in request_["path"]:
        assert (answer.status_code, answer.json()) == (404, {"error": "job not found"})
    elif request_["body"] == '{"a":1}':
        assert (answer.status_code, answer.json()) == (400, {"error": "input is required"})
    else:
        assert (answer.status_code, answer.headers["content-type"]) == (200, "application/json")
        assert NEEDED[operation] <= set(answer.json())


@check(10)
@both_ways
@pytest.mark.parametrize("client", RECORDED)
async def test_a_wrong_key_meets_the_401_that_each_client_was_seen_to_raise_at(way: str, client: str) -> None:
    async with calling(way=way) as runpod:
        answers = [await send(runpod, request, "x", key="wrong") for request in RECORDED[client]]

    assert {(answer.status_code, answer.content) for answer in answers} == {(401, b"")}
    assert all(answer.headers["content-type"].startswith("text/plain") for answer in answers)


@check(23)
@both_ways
async def test_a_client_that_polls_each_second_after_runsync_gets_the_output(way: str) -> None:
    fault = "grace: first job has runsync_outlasts_wait seconds=1s"
    async with calling(Script("done", seconds=3.5), faults=[fault], way=way) as runpod:
        body = (await send(runpod, one("python_sync", "POST", "runsync"))).json()
        seen = [body["status"]]
        while "output" not in body:
            await runpod.clock.sleep(1)
            body = (await send(runpod, one("python_sync", "GET", "status/SYNC"), body["id"])).json()
            seen.append(body["status"])

    assert (seen, body["output"]) == (["IN_PROGRESS"] * 3 + ["COMPLETED"], "done")


@check(24)
@both_ways
async def test_status_sync_is_held_for_a_client_that_never_pauses(way: str) -> None:
    async with calling(Script("done", seconds=30.0), way=way) as runpod:
        job = (await runpod.runsync(route="runsync?wait=1000"))["id"]
        polls = 0
        body: dict[str, Any] = {"status": "IN_PROGRESS"}
        while body["status"] != "COMPLETED":
            body = (
                await send(
                    runpod, {**one("javascript", "GET", "status-sync/SYNC"), "path": f"status-sync/{job}?wait=10000"}
                )
            ).json()
            polls += 1

        assert (polls, body["output"]) == (3, "done")
        assert runpod.clock.monotonic() == pytest.approx(30.0)


@check(30)
@both_ways
@pytest.mark.parametrize(("client", "pause_s"), [("python_sync", 1.0), ("python_asyncio", 1.0), ("javascript", 0.0)])
async def test_each_clients_way_of_reading_a_stream_gets_every_chunk(way: str, client: str, pause_s: float) -> None:
    """Python reads until the state is final and nothing is left, JS until the state is final."""
    async with calling(ABC, way=way) as runpod:
        job, chunks, final = await runpod.run(), [], False
        body: dict[str, Any] = {}
        while not final or (pause_s and body["stream"]):
            await runpod.clock.sleep(pause_s)
            body = (await send(runpod, one(client, "GET", "stream/JOB"), job)).json()
            chunks += [chunk["output"] for chunk in body["stream"]]
            final = body["status"] == "COMPLETED"

    assert chunks == ["a", "b", "c"]
