"""Virtual time: waiting costs nothing, and nobody waits for ever unnamed."""

from __future__ import annotations

import asyncio

import anyio
import anyio.to_thread
import pytest

from tzzr_mcp.seams import SystemClock
from tzzr_mocks.network.virtual import Deadlock, VirtualLoop, new_virtual_loop

CLOCK = SystemClock()


async def test_ten_minutes_pass_at_once() -> None:
    loop = asyncio.get_running_loop()
    assert isinstance(loop, VirtualLoop)
    begun = loop.time()
    await CLOCK.sleep(600)
    assert loop.time() - begun == pytest.approx(600)


async def test_a_timeout_fires_at_its_very_instant() -> None:
    begun = CLOCK.monotonic()
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(30):
            await CLOCK.sleep(120)
    assert CLOCK.monotonic() - begun == pytest.approx(30)


async def test_time_stands_still_while_a_thread_works() -> None:
    async with asyncio.timeout(5):
        assert await asyncio.to_thread(sum, range(100_000)) == 4999950000
        assert await anyio.to_thread.run_sync(sum, range(100_000)) == 4999950000


def test_a_deadlock_names_the_task_and_the_place() -> None:
    async def wait_for_nobody() -> None:
        await asyncio.Event().wait()

    with (
        asyncio.Runner(loop_factory=new_virtual_loop) as runner,
        pytest.raises(Deadlock, match=r"wait_for_nobody|locks"),
    ):
        runner.run(wait_for_nobody())


def test_tasks_are_cancelled_in_order_of_creation() -> None:
    async def run() -> list[int]:
        order: list[int] = []

        async def child(number: int) -> None:
            try:
                await CLOCK.sleep(1000)
            finally:
                order.append(number)

        async with anyio.create_task_group() as group:
            for number in range(50):
                group.start_soon(child, number)
            await CLOCK.sleep(1)
            group.cancel_scope.cancel()
        return order

    with asyncio.Runner(loop_factory=new_virtual_loop) as runner:
        assert runner.run(run()) == list(range(50))
