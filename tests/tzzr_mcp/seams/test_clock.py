"""Time is read and waited for on the loop; a world's wall time follows it."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from tzzr_mcp.seams import Clock, Deadline, LoopClock, SystemClock

START = datetime(2026, 1, 4, 10, tzinfo=UTC)


@pytest.mark.parametrize("clock", [LoopClock(START), SystemClock()], ids=["world", "machine"])
async def test_a_wait_moves_the_loop_by_just_as_much(clock: Clock) -> None:
    before = clock.monotonic()
    await clock.sleep(90)
    assert clock.monotonic() - before == pytest.approx(90)


async def test_the_walls_time_of_a_world_starts_at_its_instant_and_follows_the_loop() -> None:
    clock = LoopClock(START)
    assert clock.now() == START
    await clock.sleep(3600)
    assert clock.now() == START + timedelta(hours=1)
    assert clock.elapsed() == pytest.approx(3600)


async def test_a_worlds_time_begins_when_it_is_first_read() -> None:
    clock = LoopClock(START)
    await SystemClock().sleep(60)
    assert clock.now() == START


def test_the_machines_time_is_in_utc() -> None:
    assert SystemClock().now().utcoffset() == timedelta(0)


@pytest.mark.parametrize("clock", [LoopClock(START), SystemClock()], ids=["world", "machine"])
@pytest.mark.parametrize("seconds", [0, -5])
async def test_a_wait_of_nothing_lets_others_run_once(clock: Clock, seconds: float) -> None:
    ran: list[str] = []

    async def another() -> None:
        ran.append("another")

    task = asyncio.create_task(another())
    before = clock.monotonic()
    await clock.sleep(seconds)
    assert (ran, clock.monotonic() - before, task.done()) == (["another"], 0, True)


async def test_a_deadline_has_less_left_as_time_goes_by_and_never_less_than_nothing() -> None:
    clock = LoopClock(START)
    deadline = Deadline.after(10, clock)
    assert (deadline.remaining(), deadline.passed()) == (10, False)
    await clock.sleep(4)
    assert deadline.remaining() == pytest.approx(6)
    assert deadline.within(2) == 2
    assert deadline.within(60) == pytest.approx(6)
    await clock.sleep(30)
    assert (deadline.remaining(), deadline.passed(), deadline.within(2)) == (0, True, 0)


async def test_a_deadline_is_passed_at_its_very_instant() -> None:
    assert Deadline.after(0, LoopClock(START)).passed()
