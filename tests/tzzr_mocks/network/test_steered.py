from __future__ import annotations

import asyncio

import pytest

from tzzr_mcp.seams import SystemClock
from tzzr_mocks.network.steered import SteeredClock
from tzzr_mocks.world import START


async def slept(clock: SteeredClock, seconds: float) -> float:
    """Sleep, and say what the clock showed then."""
    await clock.sleep(seconds)
    return clock.monotonic()


async def test_a_running_clock_follows_the_loop() -> None:
    clock = SteeredClock(START)
    before = clock.monotonic()

    assert await slept(clock, 5.0) - before == pytest.approx(5.0)
    assert (clock.now() - START).total_seconds() == pytest.approx(5.0)


async def test_sleepers_wake_in_the_order_of_their_alarms() -> None:
    clock, woken = SteeredClock(START), []

    async def sleep(name: str, seconds: float) -> None:
        await clock.sleep(seconds)
        woken.append(name)

    await asyncio.gather(sleep("c", 3), sleep("a", 1), sleep("b", 2))
    assert woken == ["a", "b", "c"]


async def test_a_frozen_clock_wakes_nobody_until_it_is_advanced() -> None:
    clock = SteeredClock(START)
    clock.freeze()
    sleeper = asyncio.create_task(slept(clock, 60.0))
    await SystemClock().sleep(1000)
    assert not sleeper.done()

    clock.advance(59.0)
    await SystemClock().sleep(0)
    assert not sleeper.done()

    clock.advance(1.0)
    assert await sleeper == pytest.approx(60.0)


async def test_a_clock_runs_on_from_where_it_stood() -> None:
    clock = SteeredClock(START)
    clock.monotonic()
    clock.freeze()
    await SystemClock().sleep(100)
    clock.advance(7)
    clock.run()

    assert clock.monotonic() == pytest.approx(7.0)
    assert await slept(clock, 3.0) == pytest.approx(10.0)


async def test_a_running_clock_can_be_advanced_too() -> None:
    clock = SteeredClock(START)
    sleeper = asyncio.create_task(slept(clock, 3600.0))
    await SystemClock().sleep(0)
    clock.advance(3600)

    assert await sleeper == pytest.approx(3600.0)
    assert asyncio.get_running_loop().time() < 1


async def test_a_sleeper_that_is_cancelled_holds_nobody_up() -> None:
    clock = SteeredClock(START)
    first, second = asyncio.create_task(clock.sleep(1)), asyncio.create_task(slept(clock, 2))
    await SystemClock().sleep(0)
    first.cancel()

    assert await second == pytest.approx(2.0)


def test_a_clock_never_goes_back() -> None:
    with pytest.raises(ValueError, match="give 0 or more"):
        SteeredClock(START).advance(-1)
