"""GRACE's worker yields a long text piece by piece to whoever asks for parts, and its response last (CONTRACT §2)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tzzr_mocks.grace.caller import Caller, calling
from tests.tzzr_mocks.grace.contracts import TRACE, binary_request, png, speech, text_request
from tzzr_mcp.contract.schemas import errors_of, response_errors
from tzzr_mocks.grace.engines import Answer
from tzzr_mocks.grace.parts import LONGEST, pieces_of

LONG = "La reunión empezó a las diez. Se acordó el plan. Nadie se opuso.\nSe levanta la sesión."
WRITING = {
    "SUMMARIZER": (text_request("SUMMARIZER", LONG), "summary"),
    "TRANSLATOR": (text_request("TRANSLATOR", LONG, target_lang="en"), "text"),
    "OCR_CORE": (binary_request("OCR_CORE", "image", "image/png", png()), "text"),
    "ASR_ENGINE": (binary_request("ASR_ENGINE", "audio", "audio/wav", speech(12.0)), "text"),
}


def in_parts(request: dict[str, Any]) -> dict[str, Any]:
    """The same request, asking for parts."""
    return {**request, "envelope": {**request["envelope"], "stream": True}}


async def yielded(caller: Caller, request: dict[str, Any]) -> list[Any]:
    """Everything that the job's stream shows until its end."""
    caller.endpoint = "grace"
    job, items = await caller.run(request), list[Any]()
    while True:
        body = await caller.read(f"stream/{job}")
        items += [chunk["output"] for chunk in body["stream"]]
        if body["status"] not in ("IN_QUEUE", "IN_PROGRESS"):
            assert body["status"] == "COMPLETED"
            assert (await caller.status(job))["output"] == items, "the output of a worker that yields is all it yielded"
            return items


@pytest.mark.parametrize("module", WRITING)
async def test_the_parts_joined_are_the_results_text_and_the_response_comes_last(module: str) -> None:
    request, field = WRITING[module]
    async with calling() as caller:
        *parts, response = await yielded(caller, in_parts(request))

    assert response_errors(response) == []
    assert [error for part in parts for error in errors_of("part", part)] == []
    assert [(part["trace_id"], part["part"]) for part in parts] == [(TRACE, number) for number in range(len(parts))]
    assert "".join(part["text"] for part in parts) == response["result"][field]
    assert parts


async def test_the_answer_in_parts_is_the_answer_that_comes_whole() -> None:
    request, _ = WRITING["SUMMARIZER"]
    async with calling() as caller:
        *_, streamed = await yielded(caller, in_parts(request))
    async with calling() as caller:
        caller.endpoint = "grace"
        whole = (await caller.runsync(request))["output"]

    assert streamed["result"] == whole["result"]
    assert streamed["metrics"] == whole["metrics"]


async def test_the_parts_come_over_the_time_that_the_module_takes() -> None:
    async with calling(faults=["grace: SUMMARIZER takes 8s"]) as caller:
        caller.endpoint = "grace"
        job = await caller.run(in_parts(WRITING["SUMMARIZER"][0]))
        first = await caller.read(f"stream/{job}")
        assert (first["status"], len(first["stream"])) == ("IN_PROGRESS", 1)
        assert caller.clock.monotonic() < 4


async def test_a_module_without_a_long_text_yields_its_response_alone() -> None:
    async with calling() as caller:
        [response] = await yielded(caller, in_parts(text_request("HASHER", "hola")))
    assert response["result"]["size_bytes"] == 4


@pytest.mark.parametrize(
    ("fault", "code"), [("is down", "MODULE_UNAVAILABLE"), ("fails with LOW_CONFIDENCE", "LOW_CONFIDENCE")]
)
async def test_a_module_that_fails_shows_no_part(fault: str, code: str) -> None:
    async with calling(faults=[f"grace: SUMMARIZER {fault}"]) as caller:
        [response] = await yielded(caller, in_parts(WRITING["SUMMARIZER"][0]))
    assert response["failure"]["code"] == code


async def test_a_request_that_is_refused_yields_the_refusal() -> None:
    async with calling() as caller:
        [response] = await yielded(caller, {**in_parts(WRITING["SUMMARIZER"][0]), "profile": "NONE"})
    assert response["failure"]["code"] == "CONTRACT_INVALID"


async def test_the_second_asker_of_a_key_gets_the_answer_without_parts_and_without_a_second_computation() -> None:
    async with calling() as caller:
        await yielded(caller, in_parts(WRITING["SUMMARIZER"][0]))
        [response] = await yielded(caller, in_parts(WRITING["SUMMARIZER"][0]))
        done = [event for event in caller.fake.control.seams.trace if event.kind == "module"]
    assert response["status"] == "OK"
    assert len(done) == 1


async def test_a_job_that_is_cancelled_while_it_yields_leaves_nothing_running() -> None:
    async with calling(faults=["grace: SUMMARIZER takes 60s"]) as caller:
        caller.endpoint = "grace"
        job = await caller.run(in_parts(WRITING["SUMMARIZER"][0]))
        await caller.read(f"stream/{job}")
        await caller.ask("POST", f"cancel/{job}")
        assert (await caller.status(job))["status"] == "CANCELLED"
        await caller.clock.sleep(60)
        assert [event for event in caller.fake.control.seams.trace if event.kind == "module"] == []


@given(st.text(alphabet=st.sampled_from("aé. \n!?…¿"), max_size=3 * LONGEST))
def test_no_character_is_lost_between_two_pieces(text: str) -> None:
    pieces = pieces_of("SUMMARIZER", Answer({"summary": text}))
    assert "".join(pieces) == text
    assert all(0 < len(piece) <= LONGEST for piece in pieces)
