"""The documented machine: what may follow what (runpod.md §7)."""

from __future__ import annotations

import pytest

from tzzr_mocks.grace.lifecycle import FINAL, RETRYABLE, TRANSITIONS, IllegalTransition, Status, check


def test_only_the_documented_steps_are_allowed() -> None:
    steps = {(before.value, after.value) for before, followers in TRANSITIONS.items() for after in followers}

    assert steps == {
        ("IN_QUEUE", "IN_PROGRESS"), ("IN_QUEUE", "CANCELLED"), ("IN_QUEUE", "TIMED_OUT"),
        ("IN_PROGRESS", "IN_PROGRESS"), ("IN_PROGRESS", "COMPLETED"), ("IN_PROGRESS", "FAILED"),
        ("IN_PROGRESS", "CANCELLED"), ("IN_PROGRESS", "TIMED_OUT"),
        ("FAILED", "IN_QUEUE"), ("TIMED_OUT", "IN_QUEUE"),
    }  # fmt: skip


@pytest.mark.parametrize("before", Status)
@pytest.mark.parametrize("after", Status)
def test_a_step_is_refused_just_when_it_is_not_documented(before: Status, after: Status) -> None:
    if after in TRANSITIONS[before]:
        check("j", before, after)
        return
    allowed = ", ".join(sorted(TRANSITIONS[before])) if TRANSITIONS[before] else "nothing"
    with pytest.raises(IllegalTransition) as refused:
        check("j", before, after)
    assert str(refused.value) == f"job j: {before} may be followed by {allowed}, not by {after}"


def test_a_step_that_is_refused_is_told_those_that_are_not() -> None:
    with pytest.raises(
        IllegalTransition, match=r"^job j: IN_QUEUE may be followed by CANCELLED, IN_PROGRESS, TIMED_OUT"
    ):
        check("j", Status.IN_QUEUE, Status.COMPLETED)
    with pytest.raises(IllegalTransition, match=r"^job j: COMPLETED may be followed by nothing, not by IN_QUEUE$"):
        check("j", Status.COMPLETED, Status.IN_QUEUE)


def test_what_has_ended_is_followed_by_a_retry_or_by_nothing() -> None:
    assert {status for status in Status if status.final} == FINAL
    assert {status for status in FINAL if TRANSITIONS[status]} == RETRYABLE
