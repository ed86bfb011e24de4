"""Kept answers: the same question again is not asked, the same one twice at once is asked once, nobody waits in vain."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tzzr_mcp.services.grace_scene import End, GraceScene, completed, ends, reports
from tests.tzzr_mcp.services.worlds import CATEGORY, START, TRACE_ID, a_request, job, nobody, within
from tzzr_mcp.contract.errors import Code, ContractError
from tzzr_mcp.services.answers import Answer
from tzzr_mcp.services.cache import MemoryStore
from tzzr_mcp.services.jobs import JobState
from tzzr_mcp.services.kept_answers import Keeping, KeptAnswers, read, written


class Kept:
    """A GRACE scene whose classifier is kept for a minute."""

    def __init__(self, end: End, ttl_s: float = 60, modules: Sequence[str] = ("CLASSIFIER",)) -> None:
        self.scene = GraceScene(end)
        self.seams = self.scene.seams
        store = MemoryStore(self.seams.clock, 10_000)
        self.answers = KeptAnswers(self.scene.grace, Keeping(store, ttl_s, "here", modules), self.seams)

    async def ask(self, text: str = "a", seconds: float = 50) -> Answer:
        return await self.answers.run(a_request(text=text), within(seconds, self.seams), nobody)

    @property
    def asked(self) -> int:
        return len(self.scene.contracts)

    @property
    def outcomes(self) -> list[str]:
        return [event.details["outcome"] for event in self.seams.trace if event.kind == "cache"]


async def test_the_same_question_again_is_answered_from_what_is_kept_and_says_since_when() -> None:
    kept = Kept(completed())
    first = await kept.ask()
    await kept.seams.clock.sleep(30)
    second = await kept.ask()
    assert (kept.asked, kept.outcomes) == (1, ["miss", "hit"])
    told = {
        (event.source, event.details["module"], event.details["trace_id"])
        for event in kept.seams.trace
        if event.kind == "cache"
    }
    assert told == {("server", "CLASSIFIER", str(TRACE_ID))}
    assert first.kept_since is None
    assert second.kept_since is not None
    assert START <= second.kept_since <= kept.seams.clock.now()
    assert replace(second, kept_since=None) == first


async def test_after_its_time_it_is_asked_anew_and_another_question_is_another() -> None:
    kept = Kept(completed())
    await kept.ask("a")
    await kept.ask("b")
    await kept.seams.clock.sleep(61)
    await kept.ask("a")
    assert kept.asked == 3


async def test_a_module_that_does_not_compute_is_always_asked() -> None:
    kept = Kept(completed(), modules=())
    assert [(await kept.ask()).kept_since for _ in range(2)] == [None, None]
    assert (kept.asked, kept.outcomes) == (2, [])


@pytest.mark.parametrize(
    "end",
    [
        reports("MODULE_UNAVAILABLE", retryable=True),
        completed(metrics={"duration_ms": 12, "simulated": True, "invented": True}),
    ],
    ids=["a failure", "invented content"],
)
async def test_what_is_no_whole_answer_is_not_kept(end: End) -> None:
    kept = Kept(end)
    for _ in range(2):
        await asyncio.gather(kept.ask(), return_exceptions=True)
    assert kept.asked == 2


async def test_the_same_question_at_once_is_asked_once_and_everybody_gets_the_answer() -> None:
    kept = Kept(completed())
    answers = await asyncio.gather(*(kept.ask() for _ in range(20)))
    assert kept.asked == 1
    assert all(answer.result == CATEGORY for answer in answers)
    assert sorted(set(kept.outcomes)) == ["joined", "miss"]


@pytest.mark.parametrize("leaver", [0, 1, 2])
async def test_whoever_is_cancelled_the_others_get_their_answer(leaver: int) -> None:
    kept = Kept(lambda contract: job("IN_PROGRESS") if kept.seams.clock.monotonic() < 9 else completed()(contract))
    callers = [asyncio.ensure_future(kept.ask()) for _ in range(3)]
    await kept.seams.clock.sleep(2)
    callers[leaver].cancel()
    results = await asyncio.gather(*callers, return_exceptions=True)
    assert isinstance(results.pop(leaver), asyncio.CancelledError)
    assert all(isinstance(each, Answer) for each in results)
    assert (kept.asked, kept.scene.cancel.called) == (1, False)


async def test_when_the_last_one_leaves_the_job_is_cancelled_before_the_call_is_over() -> None:
    kept = Kept(ends("IN_PROGRESS"))
    callers = [asyncio.ensure_future(kept.ask()) for _ in range(3)]
    await kept.seams.clock.sleep(2)
    for caller in callers:
        caller.cancel()
    await asyncio.gather(*callers, return_exceptions=True)
    assert kept.scene.cancel.call_count == 1


async def test_each_keeps_to_its_own_deadline() -> None:
    kept = Kept(lambda contract: job("IN_PROGRESS") if kept.seams.clock.monotonic() < 30 else completed()(contract))
    patient = asyncio.ensure_future(kept.ask(seconds=50))
    await kept.seams.clock.sleep(1)
    with pytest.raises(ContractError) as caught:
        await kept.ask(seconds=5)
    assert caught.value.failure.code is Code.GRACE_DEADLINE
    assert caught.value.failure.message.startswith("No se pudo clasificar el texto: ")
    assert kept.seams.clock.monotonic() <= 6.1
    assert (await patient).result == CATEGORY


async def test_who_joined_a_call_that_ran_out_of_time_asks_again_with_the_time_that_is_left() -> None:
    kept = Kept(lambda contract: job("IN_PROGRESS") if kept.asked == 1 else completed()(contract))
    hasty = asyncio.ensure_future(kept.ask(seconds=5))
    await kept.seams.clock.sleep(1)
    assert (await kept.ask(seconds=50)).result == CATEGORY
    with pytest.raises(ContractError):
        await hasty
    assert kept.asked == 2


async def test_everybody_who_waits_hears_how_far_it_is() -> None:
    kept = Kept(completed())
    heard: dict[str, list[JobState]] = {"one": [], "two": []}

    async def waits(who: str) -> None:
        async def listen(state: JobState, text: str) -> None:
            heard[who].append(state)

        await kept.answers.run(a_request(), within(50, kept.seams), listen)

    await asyncio.gather(waits("one"), waits("two"))
    assert heard["one"] == heard["two"] == [JobState.IN_QUEUE, JobState.COMPLETED]


async def test_two_graces_that_share_a_store_do_not_share_answers() -> None:
    request = a_request()
    store = MemoryStore(GraceScene(completed()).seams.clock, 1)
    assert Keeping(store, 1, "one").key(request) != Keeping(store, 1, "two").key(request)


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(), JSON, max_size=4).filter(lambda result: "\ud800" not in str(result)), st.booleans())
def test_what_is_read_is_what_was_written(result: dict[str, object], simulated: bool) -> None:
    answer = Answer("HASHER", "HASHER", "OK", result, [{"module": "HASHER"}], simulated, False, 7)
    assert read(written(answer, START)) == replace(answer, kept_since=START)


@given(st.binary() | JSON.map(lambda value: str(value).encode(errors="replace")))
def test_what_was_not_written_here_is_no_answer(value: bytes) -> None:
    assert read(value) is None
