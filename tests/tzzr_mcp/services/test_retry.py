"""Retries: only what may succeed, ever later, obedient, within the deadline and the budget."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tzzr_mcp.services.worlds import new_seams, within
from tzzr_mcp.seams import Dice, Seams
from tzzr_mcp.services.retry import Budget, Policy, Retry
from tzzr_mcp.services.troubles import RETRYABLE, Trouble, UpstreamError


def failing(*errors: UpstreamError | None) -> tuple[Callable[[], Awaitable[str]], list[int]]:
    """An attempt that raises each error in turn, None meaning success; and the count of attempts."""
    left, made = list(errors), [0]

    async def attempt() -> str:
        made[0] += 1
        error = left.pop(0)
        if error is not None:
            raise error
        return "done"

    return attempt, made


def a(trouble: Trouble, retry_after_s: float | None = None) -> UpstreamError:
    return UpstreamError("grace", trouble, retry_after_s=retry_after_s)


def retry(seams: Seams, budget: Budget | None = None) -> Retry:
    return Retry(seams.clock, Dice(1), budget or Budget())


async def test_a_retryable_error_is_tried_again_until_it_succeeds() -> None:
    seams = new_seams()
    attempt, made = failing(a(Trouble.BROKEN), a(Trouble.TIMEOUT), None)
    assert await retry(seams).run(attempt, within(50, seams)) == "done"
    assert made == [3]
    assert 0.375 <= seams.clock.monotonic() <= 0.75


async def test_after_four_attempts_the_last_error_is_raised() -> None:
    seams = new_seams()
    attempt, made = failing(*[a(Trouble.BROKEN)] * 3, a(Trouble.RATE_LIMITED))
    with pytest.raises(UpstreamError) as caught:
        await retry(seams).run(attempt, within(50, seams))
    assert caught.value.trouble is Trouble.RATE_LIMITED
    assert made == [4]


@pytest.mark.parametrize("trouble", sorted(set(Trouble) - RETRYABLE))
async def test_what_cannot_succeed_is_not_tried_again(trouble: Trouble) -> None:
    seams = new_seams()
    attempt, made = failing(a(trouble), None)
    with pytest.raises(UpstreamError):
        await retry(seams).run(attempt, within(50, seams))
    assert made == [1]


async def test_retry_after_is_obeyed() -> None:
    seams = new_seams()
    attempt, _ = failing(a(Trouble.RATE_LIMITED, 7), None)
    await retry(seams).run(attempt, within(50, seams))
    assert seams.clock.monotonic() == pytest.approx(7)


async def test_a_wait_beyond_the_deadline_is_not_begun() -> None:
    seams = new_seams()
    attempt, made = failing(a(Trouble.RATE_LIMITED, 60), None)
    with pytest.raises(UpstreamError) as caught:
        await retry(seams).run(attempt, within(50, seams))
    assert (made, seams.clock.monotonic(), caught.value.retry_after_s) == ([1], 0, 60)


async def test_an_empty_budget_allows_no_retry_and_successes_fill_it() -> None:
    seams, budget = new_seams(), Budget(capacity=1)
    attempt, _ = failing(a(Trouble.BROKEN), None)
    await retry(seams, budget).run(attempt, within(50, seams))
    attempt, made = failing(a(Trouble.BROKEN), None)
    with pytest.raises(UpstreamError):
        await retry(seams, budget).run(attempt, within(50, seams))
    assert made == [1]
    for _ in range(10):
        budget.earn()
    attempt, _ = failing(a(Trouble.BROKEN), None)
    assert await retry(seams, budget).run(attempt, within(50, seams)) == "done"


async def test_a_circuit_that_opens_between_attempts_does_not_hide_the_reason() -> None:
    seams = new_seams()
    attempt, _ = failing(a(Trouble.TIMEOUT), a(Trouble.CIRCUIT_OPEN))
    with pytest.raises(UpstreamError) as caught:
        await retry(seams).run(attempt, within(50, seams))
    assert caught.value.trouble is Trouble.TIMEOUT


async def test_a_circuit_that_was_open_is_told() -> None:
    seams = new_seams()
    attempt, _ = failing(a(Trouble.CIRCUIT_OPEN))
    with pytest.raises(UpstreamError) as caught:
        await retry(seams).run(attempt, within(50, seams))
    assert caught.value.trouble is Trouble.CIRCUIT_OPEN


async def test_each_retry_is_told_before_its_pause_and_no_other_attempt_is() -> None:
    seams, told = new_seams(), list[tuple[int, str, float, float]]()
    attempt, _ = failing(a(Trouble.BROKEN), a(Trouble.RATE_LIMITED, 7), a(Trouble.AUTH))

    def tell(number: int, error: UpstreamError, pause_s: float) -> None:
        told.append((number, str(error.trouble), pause_s, seams.clock.monotonic()))

    with pytest.raises(UpstreamError):
        await retry(seams).run(attempt, within(50, seams), tell)
    assert [each[:2] for each in told] == [(2, "broken"), (3, "rate_limited")]
    assert [at for *_, at in told] == [0, told[0][2]]
    assert told[1][2] == 7


@given(number=st.integers(0, 30), seed=st.integers(0, 1000))
def test_a_pause_lies_between_half_and_the_whole_and_never_beyond_the_cap(number: int, seed: int) -> None:
    policy = Policy()
    pause = policy.pause(number, Dice(seed))
    whole = min(policy.cap_s, policy.first_s * 2**number)
    assert whole / 2 <= pause <= whole <= policy.cap_s


async def test_a_wait_that_ends_with_the_deadline_is_not_begun() -> None:
    seams = new_seams()
    attempt, made = failing(a(Trouble.RATE_LIMITED, 50), None)
    with pytest.raises(UpstreamError):
        await retry(seams).run(attempt, within(50, seams))
    assert (made, seams.clock.monotonic()) == ([1], 0)


def test_an_outage_is_given_twenty_retries_at_once_and_a_tenth_for_each_success() -> None:
    budget = Budget()
    assert [budget.spend() for _ in range(21)] == [True] * 20 + [False]
    for _ in range(11):
        budget.earn()
    assert [budget.spend(), budget.spend()] == [True, False]


def test_successes_never_save_up_more_than_the_capacity() -> None:
    budget = Budget(2)
    for _ in range(50):
        budget.earn()
    assert [budget.spend() for _ in range(3)] == [True, True, False]
