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
    with pytest.raises(IllegalTransition, match=f"job j: {before} may be followed by .+, not by {after}"):
        check("j", before, after)


def test_what_has_ended_is_followed_by_a_retry_or_by_nothing() -> None:
    assert {status for status in Status if status.final} == FINAL
    assert {status for status in FINAL if TRANSITIONS[status]} == RETRYABLE
