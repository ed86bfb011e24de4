"""The client of an upstream against the rules it is written from: what a job says, who is to blame, when to stop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from typing import Any, TypeVar

from hypothesis import event, given
from hypothesis import strategies as st

from tzzr_mcp.seams import Deadline, Dice, LoopClock, Seams
from tzzr_mcp.services.breaker import Breaker, State
from tzzr_mcp.services.jobs import FINAL, JobState, read_job
from tzzr_mcp.services.retry import Budget, Retry
from tzzr_mcp.services.troubles import Trouble, UpstreamError, trouble_of
from tzzr_mocks.network.virtual import new_virtual_loop
from tzzr_mocks.world import START

T = TypeVar("T")

STATES = ("IN_QUEUE", "IN_PROGRESS", "RUNNING", "COMPLETED", "FAILED", "CANCELLED", "TIMED_OUT")
"""The states of a job (runpod.md §6)."""
ENDS = {"COMPLETED", "FAILED", "CANCELLED", "TIMED_OUT"}
LOST_S = 1e-9
"""What a difference of two instants may lose."""

statuses = st.sampled_from([200, 201, 400, 401, 403, 404, 408, 409, 413, 422, 429, 500, 502, 503, 504]) | st.integers(
    200, 599
)
"""What an upstream may answer with."""
lost = st.sampled_from([Trouble.UNREACHABLE, Trouble.TIMEOUT])
"""No answer came."""
pauses = st.sampled_from([0.0, 1.0, 14.0, 15.0, 40.0])


def on_virtual_time(work: Callable[[Seams], Coroutine[Any, Any, T]]) -> T:
    """What comes of work in a world of its own."""

    async def do() -> T:
        return await work(Seams(LoopClock(START), Dice(7)))

    with asyncio.Runner(loop_factory=new_virtual_loop) as runner:
        return runner.run(do())


@given(st.sampled_from(STATES) | st.text(max_size=12), st.none() | st.text(max_size=20))
def test_a_job_is_in_the_state_that_it_says_and_over_only_in_a_final_one(status: str, error: str | None) -> None:
    job = read_job({"id": "other", "status": status, "error": error}, "mine")

    assert job is not None
    assert job.id == "mine"
    assert str(job.state) == (status if status in STATES else "UNKNOWN")
    assert job.final is (status in ENDS)
    assert {JobState(name) for name in ENDS} | {JobState.GONE} == FINAL


@given(st.lists(st.tuples(st.lists(statuses | lost, min_size=1, max_size=2), st.integers(1, 6), pauses), max_size=8))
def test_only_failures_of_the_service_open_its_breaker_and_any_answer_of_its_own_closes_it(
    spells: Sequence[tuple[list[int | Trouble], int, float]],
) -> None:
    """Five in a row that are no answer, a 5xx or a 408 open it for 15 s; then each such one, until it answers."""

    steps = [(each, pause) for outcomes, times, pause in spells for each in outcomes * times]

    async def lived(seams: Seams) -> list[tuple[bool, bool]]:
        breaker, in_a_row, shut_until, seen = Breaker("hst", seams), 0, 0.0, []
        for outcome, pause in steps:
            now = seams.clock.monotonic()
            seen.append((asked(breaker, outcome), in_a_row < 5 or now >= shut_until))
            if seen[-1][1]:
                in_a_row = in_a_row + 1 if is_failure(outcome) else 0
                shut_until = now + 15.0
            await seams.clock.sleep(pause)
        return seen

    seen = on_virtual_time(lived)
    event("opened" if (False, False) in seen else "never opened")
    assert [asked for asked, _ in seen] == [expected for _, expected in seen]


def is_failure(outcome: int | Trouble) -> bool:
    return isinstance(outcome, Trouble) or outcome >= 500 or outcome == 408


def asked(breaker: Breaker, outcome: int | Trouble) -> bool:
    """Ask through a breaker; whether it let the request through."""
    trouble = outcome if isinstance(outcome, Trouble) else trouble_of(outcome, b"")
    reached = False
    with suppress(UpstreamError), breaker.guard():
        reached = True
        if trouble is not None:
            raise UpstreamError("hst", trouble)
    assert reached or breaker.state is State.OPEN
    return reached


@given(
    outcomes=st.lists(
        st.tuples(statuses | lost, st.none() | st.sampled_from([0.0, 2.0, 30.0]), st.sampled_from([0.0, 0.5, 5.0])),
        min_size=4,
        max_size=4,
    ),
    allowed=st.sampled_from([0.1, 1.0, 6.0, 20.0]),
    left=st.integers(0, 3),
)
def test_a_request_is_sent_again_only_where_it_may_help_when_asked_to_and_before_the_deadline(
    outcomes: Sequence[tuple[int | Trouble, float | None, float]], allowed: float, left: int
) -> None:
    """At most four attempts, each later one after a trouble that may pass, its Retry-After obeyed, within the time."""

    async def tried(seams: Seams) -> tuple[list[tuple[float, float]], float, Deadline]:
        attempts: list[tuple[float, float]] = []
        deadline = Deadline.after(allowed, seams.clock)

        async def attempt() -> None:
            began, (outcome, retry_after, takes) = seams.clock.monotonic(), outcomes[len(attempts)]
            await seams.clock.sleep(takes)
            attempts.append((began, seams.clock.monotonic()))
            trouble = outcome if isinstance(outcome, Trouble) else trouble_of(outcome, b"")
            if trouble is not None:
                raise UpstreamError("grace", trouble, retry_after_s=retry_after)

        try:
            await Retry(seams.clock, seams.dice, Budget(float(left))).run(attempt, deadline)
        except UpstreamError as error:
            event(str(error.trouble))
        return attempts, seams.clock.monotonic(), deadline

    attempts, ended, deadline = on_virtual_time(tried)
    assert ended == attempts[-1][1], "nothing is waited for after the last attempt"
    assert len(attempts) <= min(4, left + 1)
    for (_, before), (began, _), (outcome, retry_after, _) in zip(attempts, attempts[1:], outcomes, strict=False):
        assert may_pass(outcome)
        assert began < deadline.at
        assert began - before >= max(0.125, retry_after or 0.0) - LOST_S


def may_pass(outcome: int | Trouble) -> bool:
    """Whether the same request may succeed a moment later (contract §3)."""
    return isinstance(outcome, Trouble) or outcome >= 500 or outcome in (408, 429)
