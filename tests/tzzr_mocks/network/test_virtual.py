"""Virtual time: waiting costs nothing, and nobody waits for ever unnamed."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

import anyio
import anyio.to_thread
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tzzr_mcp.seams import SystemClock
from tzzr_mocks.network.virtual import Deadlock, VirtualLoop, new_virtual_loop

CLOCK = SystemClock()


async def test_ten_minutes_pass_at_once() -> None:
    loop = asyncio.get_running_loop()
    assert isinstance(loop, VirtualLoop)
    begun = loop.time()
    await CLOCK.sleep(600)
    assert loop.time() - begun == pytest.approx(600)


@pytest.mark.parametrize("years", [0.1, 1, 20])
async def test_years_pass_at_once_and_whoever_waits_a_moment_after_them_wakes(years: float) -> None:
    """A float of that size has no nanoseconds any more: a timer must not be due and never taken."""
    loop = asyncio.get_running_loop()
    await CLOCK.sleep(years * 31_557_600)
    begun = loop.time()
    await CLOCK.sleep(0.25)
    assert loop.time() - begun == pytest.approx(0.25, abs=1e-4)


@given(st.lists(st.tuples(st.sampled_from([0.02, 0.1 + 0.2, 0.3, 1.0]), st.booleans()), max_size=30), st.floats(0, 100))
def test_timers_of_one_instant_fire_in_the_order_in_which_they_were_set(
    timers: Sequence[tuple[float, bool]], begun: float
) -> None:
    """Whatever was cancelled among them, and whichever way the sum of seconds was rounded."""

    async def fired() -> list[int]:
        loop, heard = asyncio.get_running_loop(), list[int]()
        await CLOCK.sleep(begun)
        for number, (seconds, kept) in enumerate(timers):
            timer = loop.call_later(seconds, heard.append, number)
            if not kept:
                timer.cancel()
        await CLOCK.sleep(2)
        return heard

    with asyncio.Runner(loop_factory=new_virtual_loop) as runner:
        kept = [number for number, (_, kept) in enumerate(timers) if kept]
        assert runner.run(fired()) == sorted(kept, key=lambda number: round(timers[number][0], 6))


async def test_who_sleeps_for_ever_keeps_nobody_back() -> None:
    async with anyio.create_task_group() as group:
        group.start_soon(anyio.sleep_forever)
        await CLOCK.sleep(600)
        group.cancel_scope.cancel()
    assert group.cancel_scope.cancelled_caught


async def test_a_timeout_fires_at_its_very_instant() -> None:
    begun = CLOCK.monotonic()
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(30):
            await CLOCK.sleep(120)
    assert CLOCK.monotonic() - begun == pytest.approx(30)


async def test_of_several_threads_the_first_begun_is_heard_first_however_long_it_takes() -> None:
    heard: list[str] = []

    async def hear(name: str, work: Callable[[], object]) -> None:
        await asyncio.to_thread(work)
        heard.append(name)

    for _ in range(20):
        late = threading.Event()
        await asyncio.gather(hear("first", late.wait), hear("second", late.set))
    assert heard == ["first", "second"] * 20


async def test_a_thread_that_nobody_waits_for_any_more_keeps_no_other_back() -> None:
    late = threading.Event()
    given_up = asyncio.ensure_future(asyncio.to_thread(late.wait))
    await CLOCK.sleep(0)
    given_up.cancel()
    assert await asyncio.to_thread(sum, (1, 2)) == 3
    late.set()
    assert given_up.cancelled()


async def test_what_a_thread_raises_is_raised_where_it_is_waited_for() -> None:
    with pytest.raises(ZeroDivisionError):
        await asyncio.to_thread(divmod, 1, 0)


async def test_time_stands_still_while_a_thread_works() -> None:
    async with asyncio.timeout(5):
        assert await asyncio.to_thread(sum, range(100_000)) == 4999950000
        assert await anyio.to_thread.run_sync(sum, range(100_000)) == 4999950000


async def wait_for_nobody() -> None:
    await asyncio.Event().wait()


async def wait_for_both(lock: asyncio.Lock) -> None:
    await asyncio.gather(
        asyncio.create_task(wait_in(lock), name="first"), asyncio.create_task(wait_in(lock), name="second")
    )


async def wait_in(lock: asyncio.Lock) -> None:
    async with lock:
        pass


async def wait_in_anyio(event: anyio.Event) -> None:
    async with anyio.create_task_group() as group:
        group.start_soon(event.wait, name="child")


async def locked() -> None:
    lock = asyncio.Lock()
    await lock.acquire()
    await wait_for_both(lock)


@pytest.mark.parametrize(
    ("work", "lines"),
    [
        (wait_for_nobody, [r"  Task-1: network/test_virtual.py:\d+ wait_for_nobody, in Event.wait"]),
        (
            locked,
            [
                r"  Task-1: network/test_virtual.py:\d+ wait_for_both, for first, second",
                r"  first: network/test_virtual.py:\d+ wait_in, in Lock.acquire",
                r"  second: network/test_virtual.py:\d+ wait_in, in Lock.acquire",
            ],
        ),
        (
            lambda: wait_in_anyio(anyio.Event()),
            [
                r"  Task-1: network/test_virtual.py:\d+ wait_in_anyio, in TaskGroup.__aexit__",
                r"  child: .*:\d+ Event.wait",
            ],
        ),
    ],
    ids=["event", "locks", "anyio"],
)
def test_a_deadlock_lists_who_waits_where_for_whom(
    work: Callable[[], Coroutine[Any, Any, None]], lines: list[str]
) -> None:
    with asyncio.Runner(loop_factory=new_virtual_loop) as runner, pytest.raises(Deadlock) as caught:
        runner.run(work())
    head, *told = str(caught.value).splitlines()
    assert head == "nothing can run at t=0.000 s; waiting:"
    assert len(told) == len(lines)
    for line, pattern in zip(told, lines, strict=True):
        assert re.fullmatch(pattern, line), line


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
