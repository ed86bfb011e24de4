"""Flights: one piece of work, several who wait for it; whoever leaves, the others do not notice."""

from __future__ import annotations

import asyncio
import gc
import weakref
from collections.abc import AsyncIterator
from typing import Any

import anyio
import pytest

from tests.tzzr_mcp.services.worlds import new_seams, nobody, within
from tzzr_mcp.seams import Seams
from tzzr_mcp.services.flights import Flights, OutOfTime, Work
from tzzr_mcp.services.jobs import JobState
from tzzr_mcp.services.runpod import Listener

KEY = "question"


@pytest.fixture(autouse=True)
async def unheard() -> AsyncIterator[list[dict[str, Any]]]:
    """What the loop was told of that nobody heard: a failure that was never asked for, a callback that raised."""
    told: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: told.append(context))
    yield told
    gc.collect()
    assert told == []


def lasting(seams: Seams, seconds: float, *, cleaning_s: float = 0, fails: bool = False) -> Work[str]:
    """Work of so many seconds, which takes its time to end when it is cancelled, and may fail at that."""

    async def work(tell: Listener) -> str:
        try:
            await seams.clock.sleep(seconds)
        except asyncio.CancelledError:
            await seams.clock.sleep(cleaning_s)
            if fails:
                raise RuntimeError("the job could not be cancelled") from None
            raise
        return "done"

    return work


async def test_who_joins_gets_the_same_result_and_hears_the_state_and_the_text() -> None:
    seams, flights = new_seams(), Flights[str]()
    heard: list[tuple[str, JobState, str]] = []

    def hears(who: str) -> Listener:
        async def listener(state: JobState, text: str) -> None:
            heard.append((who, state, text))

        return listener

    async def work(tell: Listener) -> str:
        await seams.clock.sleep(1)
        await tell(JobState.IN_PROGRESS, "uno")
        return "done"

    flight = flights.depart(KEY, work, within(50, seams))
    assert flights.under_way(KEY) is flight
    rides = [flight.ride(within(50, seams), hears(who)) for who in "ab"]
    assert await asyncio.gather(*rides) == ["done"] * 2
    assert heard == [("a", JobState.IN_PROGRESS, "uno"), ("b", JobState.IN_PROGRESS, "uno")]


async def test_a_flight_that_has_landed_is_neither_joined_nor_kept() -> None:
    seams, flights = new_seams(), Flights[str]()
    flight = flights.depart(KEY, lasting(seams, 1), within(50, seams))
    await flight.ride(within(50, seams), nobody)
    assert flights.under_way(KEY) is None
    gone = weakref.ref(flight)
    del flight
    await seams.clock.sleep(0)
    gc.collect()
    assert gone() is None


@pytest.mark.parametrize("fails", [False, True])
async def test_who_leaves_last_waits_until_the_work_has_ended_however_that_is(fails: bool) -> None:
    seams, flights = new_seams(), Flights[str]()
    flight = flights.depart(KEY, lasting(seams, 50, cleaning_s=2, fails=fails), within(50, seams))
    with anyio.move_on_after(1):
        await flight.ride(within(50, seams), nobody)
    assert seams.clock.monotonic() == pytest.approx(3)
    assert flights.under_way(KEY) is None


async def test_a_flight_whose_last_rider_is_leaving_is_not_joined_and_the_next_one_stays_when_it_has_ended() -> None:
    seams, flights = new_seams(), Flights[str]()
    left = flights.depart(KEY, lasting(seams, 50, cleaning_s=2), within(50, seams))
    rider = asyncio.ensure_future(left.ride(within(50, seams), nobody))
    await seams.clock.sleep(1)
    rider.cancel()
    await seams.clock.sleep(1)
    assert flights.under_way(KEY) is None
    following = flights.depart(KEY, lasting(seams, 10), within(50, seams))
    await asyncio.gather(rider, return_exceptions=True)
    await seams.clock.sleep(1)
    assert flights.under_way(KEY) is following
    assert await following.ride(within(50, seams), nobody) == "done"


async def test_one_with_less_time_leaves_alone_and_one_with_the_works_own_time_hears_how_it_ended() -> None:
    seams = new_seams()

    async def work(tell: Listener) -> str:
        await seams.clock.sleep(5)
        raise LookupError("the work's own word")

    flight = Flights[str]().depart(KEY, work, within(5, seams))
    hasty, patient = await asyncio.gather(
        flight.ride(within(4.9, seams), nobody), flight.ride(flight.deadline, nobody), return_exceptions=True
    )
    assert (type(hasty), type(patient)) == (OutOfTime, LookupError)
