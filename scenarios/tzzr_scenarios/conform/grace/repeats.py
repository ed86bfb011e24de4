"""The same question twice, and answers that come in parts (contract §1: idempotency_key, §2: parts)."""

from __future__ import annotations

from typing import Any

from tzzr_scenarios.conform.grace import samples
from tzzr_scenarios.conform.grace.book import BOOK
from tzzr_scenarios.conform.grace.probe import Answer, Probe
from tzzr_scenarios.conform.rule import NotJudged, hold


async def _twice(probe: Probe) -> tuple[Answer, Answer]:
    asked = samples.text("CLASSIFIER", samples.LONG)
    first = await probe.ask(asked)
    return first, await probe.ask(asked, trace_id="6f1c7a52-3a44-4d0e-9a43-0a8f5f5c2b11")


@BOOK.rule("repeats.result", "§1: idempotency_key")
async def gives_the_same_result_for_the_same_key(probe: Probe) -> None:
    """A second request with the same key has the same result."""
    first, second = await _twice(probe)
    hold(second, first.result == second.result, "result", first.result, second.at("result"))


@BOOK.rule("repeats.stamp", "§1: idempotency_key")
async def stamps_a_repeated_answer_anew(probe: Probe) -> None:
    """The answer to a second request of the same key carries the second one's ``trace_id``."""
    first, second = await _twice(probe)
    came = second.at("envelope", "trace_id")
    if first.at("envelope", "trace_id") != first.asked["envelope"]["trace_id"]:
        raise NotJudged("the first answer has another trace already; see envelope.trace")
    hold(second, came == second.asked["envelope"]["trace_id"], "envelope.trace_id",
         second.asked["envelope"]["trace_id"], came)  # fmt: skip


@BOOK.rule("repeats.stream", "§1: envelope.stream")
async def takes_stream_true_and_false(probe: Probe) -> None:
    """``envelope.stream`` may be true or false, and the result is the same as without it."""
    asked = samples.good("SUMMARIZER")
    plain = await probe.ask(asked)
    for value in (False, True):
        answer = await probe.ask(asked, stream=value)
        hold(answer, answer.at("result") == plain.result, "result", plain.result, answer.at("result"))


@BOOK.rule("repeats.stream-kind", "§1: envelope.stream")
async def refuses_a_stream_that_is_no_truth_value(probe: Probe) -> None:
    """``envelope.stream`` that is neither true nor false is CONTRACT_INVALID."""
    answer = await probe.ask(samples.good("SUMMARIZER"), stream="yes")
    came = answer.at("failure", "code")
    hold(answer, came == "CONTRACT_INVALID", "failure.code", "CONTRACT_INVALID", came)


async def _parts(probe: Probe) -> tuple[Answer, list[Any]]:
    text = f"{samples.LONG} Es la segunda vez que se presenta."
    answer = await probe.ask(samples.text("TRANSLATOR", text, target_lang="en"), stream=True)
    job = answer.delivery.reply.json
    output = job.get("output") if isinstance(job, dict) else None
    if not isinstance(output, list) or len(output) < 2:
        raise NotJudged("the module showed no parts, which is its right")
    return answer, output[:-1]


@BOOK.rule("repeats.parts", "§2: parts", only=["runpod"])
async def numbers_its_parts(probe: Probe) -> None:
    """Parts carry the request's ``trace_id``, a ``text``, and a ``part`` that counts from 0."""
    answer, parts = await _parts(probe)
    expected = [(answer.asked["envelope"]["trace_id"], number) for number in range(len(parts))]
    came = [(part.get("trace_id"), part.get("part")) if isinstance(part, dict) else part for part in parts]
    hold(answer, came == expected, "trace_id, part", expected, came)


@BOOK.rule("repeats.whole", "§2: parts", only=["runpod"])
async def joins_to_the_whole_text(probe: Probe) -> None:
    """The texts of the parts, joined, are the result's long text."""
    answer, parts = await _parts(probe)
    joined = "".join(str(part.get("text")) for part in parts if isinstance(part, dict))
    hold(answer, joined == answer.given("text", str), "result.text", joined, answer.result["text"])
