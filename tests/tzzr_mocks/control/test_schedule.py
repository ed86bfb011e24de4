from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tzzr_mcp.seams import Dice
from tzzr_mocks.control import Schedule
from tzzr_mocks.control.schedule import Tally

COUNTS = st.integers(1, 12)


def fires(schedule: Schedule, occasions: int = 30, *, keys: str = "") -> list[int]:
    """The numbers, from 1, of the occasions that a schedule fires on."""
    tally, dice = Tally(), Dice(7)
    keyed = [keys[index % len(keys)] if keys else None for index in range(occasions)]
    return [number for number, key in enumerate(keyed, 1) if tally.due(schedule, 0.0, key, dice)]


def test_without_a_part_it_always_fires() -> None:
    assert fires(Schedule(), 5) == [1, 2, 3, 4, 5]


@given(COUNTS)
def test_first_fires_on_the_first_n(count: int) -> None:
    assert fires(Schedule(first=count)) == list(range(1, count + 1))


@given(COUNTS)
def test_nth_fires_once(count: int) -> None:
    assert fires(Schedule(nth=count)) == [count]


@given(COUNTS)
def test_every_fires_on_multiples(count: int) -> None:
    assert fires(Schedule(every=count)) == list(range(count, 31, count))


def test_once_per_key_fires_on_the_first_of_each() -> None:
    assert fires(Schedule(once_per_key=True), 6, keys="aab") == [1, 3]


@pytest.mark.parametrize(("elapsed", "due"), [(0.0, False), (9.99, False), (10.0, True), (19.99, True), (20.0, False)])
def test_a_window_holds_its_first_instant_and_not_its_last(elapsed: float, due: bool) -> None:
    assert Tally().due(Schedule(after=10.0, until=20.0), elapsed, None, Dice(7)) is due


def test_occasions_outside_the_window_are_not_counted() -> None:
    tally, schedule = Tally(), Schedule(first=1, after=10.0)

    assert [tally.due(schedule, at, None, Dice(7)) for at in (0.0, 5.0, 10.0, 11.0)] == [False, False, True, False]


def test_probability_fires_about_that_often_and_the_same_each_time() -> None:
    half = fires(Schedule(probability=0.5), 1000)

    assert half == fires(Schedule(probability=0.5), 1000)
    assert 430 < len(half) < 570
