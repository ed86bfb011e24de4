"""The requests in flight: so many at a time, each with its time, all of them stoppable."""

from __future__ import annotations

import asyncio

import anyio
import pytest

from tests.tzzr_mcp.services.worlds import new_seams, within
from tzzr_mcp.contract.errors import Code, ContractError
from tzzr_mcp.seams import Seams
from tzzr_mcp.server.running import Running


async def worked(running: Running, seams: Seams, seconds: float, allowed: float = 50) -> float:
    """When a work of so many seconds ends, of a request that may take ``allowed``."""

    async def work() -> float:
        await seams.clock.sleep(seconds)
        return seams.clock.monotonic()

    return await running.within(within(allowed, seams), work)


async def test_what_the_work_returns_comes_back_and_its_place_is_free_again() -> None:
    seams, running = new_seams(), Running(1)
    assert [await worked(running, seams, 3), await worked(running, seams, 1)] == [3, 4]
    assert len(running) == 0


async def test_one_more_than_the_limit_is_told_busy_at_once_and_disturbs_nobody() -> None:
    seams, running = new_seams(), Running(2)
    two = [asyncio.create_task(worked(running, seams, 3)) for _ in range(2)]
    await seams.clock.sleep(1)
    assert len(running) == 2
    with pytest.raises(ContractError) as caught:
        await worked(running, seams, 1)
    failure = caught.value.failure
    assert (failure.code, failure.retryable, failure.details) == (Code.BUSY, True, {"limit": 2})
    assert failure.message == ("El servidor ya atiende 2 peticiones, su límite. Vuelva a intentarlo en unos segundos.")
    assert await asyncio.gather(*two) == [3, 3]


async def test_work_that_fails_or_is_cancelled_leaves_its_place() -> None:
    seams, running = new_seams(), Running(1)

    async def fails() -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await running.within(within(50, seams), fails)
    task = asyncio.create_task(worked(running, seams, 3))
    await seams.clock.sleep(1)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert len(running) == 0


async def test_a_request_that_overruns_is_ended_two_seconds_after_its_deadline() -> None:
    seams, running = new_seams(), Running(1)
    assert await worked(running, seams, 11.9, allowed=10) == 11.9
    with pytest.raises(ContractError) as caught:
        await worked(running, seams, 100, allowed=10)
    assert seams.clock.monotonic() == pytest.approx(11.9 + 12)
    assert (caught.value.failure.code, len(running)) == (Code.INTERNAL, 0)
    assert "no terminó en el tiempo previsto" in caught.value.failure.message


async def test_stopping_waits_for_the_short_ones_ends_the_long_ones_and_admits_nobody() -> None:
    seams, running = new_seams(), Running(9)
    short, long = (asyncio.create_task(worked(running, seams, seconds)) for seconds in (2, 30))
    await seams.clock.sleep(1)
    assert running.stopping is False
    await running.stop(5)
    assert (running.stopping, seams.clock.monotonic(), await short) == (True, 6, 2)
    for refused in (long, worked(running, seams, 1)):
        with pytest.raises(ContractError) as caught:
            await refused
        assert caught.value.failure.code is Code.CANCELLED
        assert "se está deteniendo" in caught.value.failure.message
    assert seams.clock.monotonic() == 6


async def test_stopping_ends_with_the_last_request_and_an_idle_server_stops_at_once() -> None:
    seams, running = new_seams(), Running(9)
    task = asyncio.create_task(worked(running, seams, 2))
    await seams.clock.sleep(0.5)
    await running.stop(60)
    assert seams.clock.monotonic() == await task == 2
    await running.stop(60)
    assert seams.clock.monotonic() == 2


async def test_work_that_will_not_be_cancelled_holds_a_stop_for_two_seconds_more() -> None:
    seams, running = new_seams(), Running(9)

    async def stubborn() -> None:
        try:
            await seams.clock.sleep(30)
        except asyncio.CancelledError:
            with anyio.CancelScope(shield=True):
                await seams.clock.sleep(10)
            raise

    task = asyncio.create_task(running.within(within(50, seams), stubborn))
    await seams.clock.sleep(1)
    await running.stop(5)
    assert seams.clock.monotonic() == 8
    with pytest.raises(ContractError):
        await task
