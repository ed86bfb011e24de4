"""/stream: drained, held, and never split from its end (runpod.md §1, §4; checks 25 to 29)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.tzzr_mocks.grace.caller import QUICK, calling
from tests.tzzr_mocks.grace.checks import both_ways, check
from tzzr_mocks.grace import Chunk, Deployment, Limits, Script

ABC = Script(chunks=("a", "b", "c"), pause_s=0.1)


@check(25)
@both_ways
async def test_a_stream_before_the_start_is_in_queue_and_empty(way: str) -> None:
    async with calling(faults=["grace: job stays in the queue"], way=way) as runpod:
        job = await runpod.run()

        assert await runpod.read(f"stream/{job}") == {"status": "IN_QUEUE", "stream": []}


@check(26, 27)
@both_ways
async def test_chunks_come_once_and_in_order_and_all_by_the_first_final_answer(way: str) -> None:
    async with calling(ABC, way=way) as runpod:
        job = await runpod.run()
        seen: list[str] = []
        while True:
            body = await runpod.read(f"stream/{job}")
            seen += [chunk["output"] for chunk in body["stream"]]
            if body["status"] == "COMPLETED":
                break

        assert seen == ["a", "b", "c"]
        assert await runpod.read(f"stream/{job}") == {"status": "COMPLETED", "stream": []}


@check(27)
@both_ways
async def test_a_late_first_reader_gets_every_chunk_in_the_final_answer(way: str) -> None:
    async with calling(ABC, way=way) as runpod:
        job = await runpod.run()
        await runpod.ended(job)

        chunks = [{"output": "a"}, {"output": "b"}, {"output": "c"}]
        assert await runpod.read(f"stream/{job}") == {"status": "COMPLETED", "stream": chunks}


@check(28)
@both_ways
async def test_the_stream_of_a_failed_job_says_so_and_is_empty(way: str) -> None:
    async with calling(Script(returns={"error": "bad"}), way=way) as runpod:
        job = await runpod.run()
        await runpod.ended(job)

        assert await runpod.read(f"stream/{job}") == {"status": "FAILED", "stream": []}


@check(29)
@both_ways
@pytest.mark.parametrize(("query", "held"), [("", 10.0), ("?wait=1000", 1.0)])
async def test_an_empty_stream_is_held(way: str, query: str, held: float) -> None:
    async with calling(Script(seconds=100.0), way=way) as runpod:
        job = await runpod.run()
        began = runpod.clock.monotonic()

        assert (await runpod.read(f"stream/{job}{query}"))["stream"] == []
        assert runpod.clock.monotonic() - began == pytest.approx(held)


async def test_a_held_stream_answers_as_soon_as_there_is_a_chunk() -> None:
    async with calling(Script(chunks=("a",), pause_s=3.0, seconds=5.0)) as runpod:
        job = await runpod.run()
        began = runpod.clock.monotonic()

        assert await runpod.read(f"stream/{job}") == {"status": "IN_PROGRESS", "stream": [{"output": "a"}]}
        assert runpod.clock.monotonic() - began == pytest.approx(3.0)


@pytest.mark.parametrize(("aggregate", "output"), [(True, ["a", "b", "c"]), (False, [])])
async def test_chunks_become_the_output_when_they_are_aggregated(aggregate: bool, output: list[str]) -> None:
    async with calling(Deployment(ABC, aggregate=aggregate)) as runpod:
        assert (await runpod.runsync())["output"] == output


async def test_a_chunks_metrics_stand_beside_its_output() -> None:
    async with calling(Script(chunks=(Chunk({"t": 1}, {"stream_index": 1}),))) as runpod:
        job = (await runpod.runsync())["id"]

        assert (await runpod.read(f"stream/{job}"))["stream"] == [{"metrics": {"stream_index": 1}, "output": {"t": 1}}]


async def test_a_chunk_with_an_error_fails_the_job_and_ends_the_stream() -> None:
    async with calling(Script(chunks=("a", {"error": "bad chunk"}, "c"))) as runpod:
        body = await runpod.runsync()

        assert (body["status"], body["error"]) == ("FAILED", "bad chunk")
        assert await runpod.read(f"stream/{body['id']}") == {"status": "FAILED", "stream": [{"output": "a"}]}


async def test_a_generator_that_raises_fails_with_plain_text() -> None:
    async with calling(Script(chunks=("a",), raises=ValueError("boom"))) as runpod:
        error = (await runpod.runsync())["error"]

        assert error.startswith("handler: boom \ntraceback: Traceback")


async def test_a_text_over_the_chunk_limit_is_split_without_losing_a_character() -> None:
    text = "añ€😀" * 50
    options = replace(QUICK, limits=Limits(chunk_bytes=64))
    async with calling(Script(chunks=(text,)), options=options) as runpod:
        job = (await runpod.runsync())["id"]

        pieces = [chunk["output"] for chunk in (await runpod.read(f"stream/{job}"))["stream"]]

        assert "".join(pieces) == text
        assert all(len(piece.encode()) <= 64 for piece in pieces)
