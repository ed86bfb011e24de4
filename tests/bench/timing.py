"""How the benchmarks time: the best of several rounds, so that a noisy neighbour counts once."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable

CALLS, WARM_UP = 60, 30


async def each(action: Callable[[], Awaitable[object]]) -> float:
    """Seconds of CPU that one ``action`` takes, in one short round after some that do not count."""
    for _ in range(WARM_UP):
        await action()
    begun = time.process_time()
    for _ in range(CALLS):
        await action()
    return (time.process_time() - begun) / CALLS


def wall(action: Callable[[], object]) -> float:
    """Real seconds that one call takes."""
    begun = time.perf_counter()
    action()
    return time.perf_counter() - begun


def microseconds(seconds: float) -> str:
    """A duration of one call, for the table."""
    return f"{seconds * 1e6:,.0f} µs"
