"""What the fake's workers post is what RunPod's own worker was seen to post."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.tzzr_mocks.grace.caller import calling
from tests.tzzr_mocks.grace.clients.stage import GOLDEN
from tzzr_mocks.grace import Deployment, Script
from tzzr_mocks.grace.job import ABSENT
from tzzr_mocks.grace.posts import Post, delivered, outcome, post_of, post_of_broken_stream, post_of_failure
from tzzr_mocks.grace.schemas import load

RECORDED: dict[str, Any] = json.loads((GOLDEN / "worker_posts.json").read_text("utf-8"))

RESULTS: dict[str, Any] = {
    "none": None,
    "empty_dict": {},
    "nested": {"output": {"answer": 42}},
    "err_str": {"error": "bad seed"},
    "err_str_more": {"error": "bad seed", "error_code": "BAD_SEED"},
    "err_dict": {"error": {"type": "ValidationError", "message": "no prompt"}},
    "err_empty": {"error": ""},
    "refresh": {"refresh_worker": True, "job_results": [1]},
    "progress": "done",
    "str": "plain text",
    "zero": 0,
    "bool_f": False,
    "unicode": {"t": "naïve ☃ 日本"},
}


ALONE = ("raise", "nan", "progress_update")
"""Posts that have tests of their own."""


def sent(post: Post) -> dict[str, Any]:
    """A post as it goes over the wire."""
    fields = {"output": post.output, "error": post.error, "stopPod": post.stop_pod or ABSENT}
    return {name: value for name, value in fields.items() if value is not ABSENT}


@pytest.mark.parametrize("result", RESULTS)
def test_a_result_is_posted_as_recorded(result: str) -> None:
    assert sent(post_of(RESULTS[result])) == RECORDED[result]


def test_an_exception_is_posted_as_recorded() -> None:
    error = json.loads(post_of_failure(ValueError("boom: bad value"), "w1").error)

    told = RECORDED["raise"]["error"]
    assert sorted(error) == told["six keys"]
    assert (error["error_type"], error["error_message"]) == (told["error_type"], told["error_message"])


def test_a_generators_exception_is_posted_as_recorded() -> None:
    assert post_of_broken_stream(ValueError("gen boom")).error.startswith(RECORDED["graise"]["done"]["error"])


def word(number: int) -> dict[str, Any]:
    """One chunk of the recorded generator."""
    return {"i": number, "word": f"w{number}"}


STREAMS = {
    "g3": Script(chunks=(word(0), word(1), word(2))),
    "g0": Script(chunks=()),
    "gerr": Script(chunks=(word(0), {"error": "chunk error"}, word(2))),
    "graise": Script(chunks=(word(0),), raises=ValueError("gen boom")),
}


@pytest.mark.parametrize("aggregate", [True, False])
@pytest.mark.parametrize("name", STREAMS)
async def test_a_stream_is_posted_as_recorded(name: str, aggregate: bool) -> None:
    told = RECORDED[name if aggregate else f"{name}_off"]
    async with calling(Deployment(STREAMS[name], aggregate=aggregate)) as runpod:
        body = await runpod.runsync()
        chunks = (await runpod.read(f"stream/{body['id']}"))["stream"]

    assert [chunk["output"] for chunk in chunks] == told["chunks"]
    assert body.get("output") == told["done"].get("output")
    assert str(body.get("error", "")).startswith(told["done"].get("error", ""))
    assert body["status"] == ("FAILED" if "error" in told["done"] else "COMPLETED")


async def test_a_progress_update_that_comes_late_may_be_shown_as_it_was_recorded() -> None:
    told = RECORDED["progress_update"]
    effect = {"kind": "progress_overwrites_final", "text": told["output"]}
    async with calling(Script(RECORDED["progress"]["output"])) as runpod:
        runpod.plan.add({"match": {"service": "grace"}, "effect": effect})
        job = (await runpod.runsync())["id"]

        body = await runpod.status(job)

    assert {name: body[name] for name in told} == told


async def test_a_worker_that_asks_to_be_refreshed_is_another_one_afterwards() -> None:
    async with calling(Deployment(Script({"refresh_worker": True, "k": 1}), warm=1, most=1)) as runpod:
        first, second = await runpod.runsync(), await runpod.runsync()

    assert first["output"] == {"k": 1}
    assert first["workerId"] != second["workerId"]


def test_what_does_not_fit_loses_its_output_and_what_is_not_json_never_arrives() -> None:
    assert delivered(Post("x" * 10), 12) == Post("x" * 10)
    assert delivered(Post("x" * 11), 12) == Post()
    assert delivered(Post({1, 2}), 12) is None
    with pytest.raises(ValueError, match="NaN is not JSON"):
        load(RECORDED["nan"].encode())
    assert delivered(Post({"x": float("nan")}), 99) is None
    assert outcome(Post(error="bad"), error_object_completes=True) == ("FAILED", ABSENT, "bad")
