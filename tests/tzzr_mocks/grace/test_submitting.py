"""POST /run and /runsync: what is taken, what is refused (runpod.md §5; checks 1 to 8)."""

from __future__ import annotations

import json
import re

import pytest

from tests.tzzr_mocks.grace.caller import calling
from tests.tzzr_mocks.grace.checks import both_ways, check
from tzzr_mocks.grace import Options

RUN_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}-[ue]\d")


@check(1)
@both_ways
async def test_run_answers_200_json_with_an_id_and_in_queue(way: str) -> None:
    async with calling(way=way) as runpod:
        response = await runpod.ask("POST", "run", json={"input": {"a": 1}})

        assert response.status_code == 200
        assert response.headers["content-type"] == "application/json"
        assert list(response.json()) == ["id", "status"]
        assert response.json()["status"] == "IN_QUEUE"


@check(2)
@both_ways
async def test_ids_are_uuid4_with_a_suffix_and_runsync_ids_say_so(way: str) -> None:
    async with calling(way=way) as runpod:
        assert RUN_ID.fullmatch(await runpod.run())
        sync_id = (await runpod.runsync())["id"]
        assert sync_id.startswith("sync-")
        assert RUN_ID.fullmatch(sync_id.removeprefix("sync-"))


async def test_ids_come_from_the_worlds_dice() -> None:
    async with calling() as one, calling() as other:
        assert [await one.run() for _ in range(3)] == [await other.run() for _ in range(3)]


@check(3)
@both_ways
@pytest.mark.parametrize("body", [{}, {"input": None}, {"policy": {}}])
async def test_a_body_without_input_is_refused(way: str, body: dict[str, object]) -> None:
    async with calling(way=way) as runpod:
        response = await runpod.ask("POST", "run", json=body)

        assert (response.status_code, response.json()) == (400, {"error": "input is required"})


@check(4)
@both_ways
@pytest.mark.parametrize("body", [b"", b"{", b'{"input": {"a": NaN}}', b"[]", b"\xff", b"[" * 100_000])
async def test_broken_json_is_refused_and_makes_no_job(way: str, body: bytes) -> None:
    async with calling(way=way) as runpod:
        response = await runpod.ask("POST", "run", content=body)

        assert response.status_code == 400
        assert response.json()["error"].startswith("json is invalid")
        assert await runpod.read("requests") == {"requests": []}


@check(5)
@both_ways
async def test_an_empty_input_is_taken_and_fails_after_one_retry(way: str) -> None:
    async with calling(way=way) as runpod:
        job = await runpod.run({})

        body = await runpod.ended(job)

        assert body["status"] == "FAILED"
        assert body["error"] == "job timed out after 1 retries"
        assert body["retries"] == 1
        assert "output" not in body
        assert 30_000 <= body["delayTime"] + body["executionTime"] <= 50_000


@check(6)
@both_ways
async def test_a_doubly_wrapped_input_reaches_the_worker_unchanged(way: str) -> None:
    async with calling(way=way) as runpod:
        assert (await runpod.runsync({"input": {"a": 1}}))["output"] == {"input": {"a": 1}}


@check(7)
@both_ways
@pytest.mark.parametrize(("route", "megabytes", "taken"), [
    ("run", 9, True), ("run", 11, False), ("runsync", 11, True), ("runsync", 19, True), ("runsync", 21, False),
])  # fmt: skip
async def test_bodies_over_the_routes_limit_are_refused(way: str, route: str, megabytes: int, taken: bool) -> None:
    async with calling(way=way) as runpod:
        body = json.dumps({"input": {"text": "x" * megabytes * 1_000_000}}).encode()

        response = await runpod.ask("POST", route, content=body)

        if taken:
            assert response.status_code == 200
        else:
            limit = 10 if route == "run" else 20
            assert response.status_code == 400
            assert response.json() == {"error": f"json is invalid; max size is {limit} MB"}


async def test_the_status_of_a_body_over_the_limit_is_a_switch() -> None:
    async with calling(options=Options(too_large_status=413)) as runpod:
        assert (await runpod.ask("POST", "run", content=b" " * 10_000_001)).status_code == 413


@check(8)
@both_ways
async def test_unknown_keys_are_ignored_and_s3_config_is_never_shown(way: str) -> None:
    secret = {"accessId": "id", "accessSecret": "s3cr3t", "bucketName": "b", "endpointUrl": "https://s3.test"}
    async with calling(way=way) as runpod:
        body = await runpod.runsync(s3Config=secret, zebra=1, webhookV2="x")

        assert body["output"] == {"a": 1}
        assert "s3cr3t" not in json.dumps([body, await runpod.status(body["id"]), await runpod.read("requests")])


@pytest.mark.parametrize(("field", "value", "words"), [
    ("webhook", 7, "webhook is invalid; must be a URL"),
    ("s3Config", "x", "s3Config is invalid; must be an object"),
    ("policy", [], "policy is invalid; must be an object"),
    ("policy", {"ttl": 9999}, "policy.ttl is invalid; must be between 10000 and 604800000"),
    ("policy", {"ttl": True}, "policy.ttl is invalid; must be between 10000 and 604800000"),
    ("policy", {"lowPriority": 1}, "policy.lowPriority is invalid; must be a boolean"),
    ("input", "text", "input is invalid; must be an object"),
])  # fmt: skip
async def test_a_field_of_the_wrong_kind_is_named(field: str, value: object, words: str) -> None:
    async with calling() as runpod:
        response = await runpod.ask("POST", "run", json={"input": {"a": 1}, field: value})

        assert (response.status_code, response.json()) == (400, {"error": words})


async def test_an_input_that_is_no_object_is_taken_when_so_switched() -> None:
    async with calling(options=Options(object_input=False)) as runpod:
        assert (await runpod.runsync("text"))["output"] == "text"
