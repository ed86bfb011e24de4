"""How the benchmarks time: the best of several rounds, so that a noisy neighbour counts once."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable

ROUNDS = 5


async def best(action: Callable[[], Awaitable[object]], times: int, rounds: int = ROUNDS) -> float:
    """Seconds of CPU that one ``action`` takes: the best round of ``times`` calls each."""
    figures = []
    for _ in range(rounds):
        begun = time.process_time()
        for _ in range(times):
            await action()
        figures.append((time.process_time() - begun) / times)
    return min(figures)


def wall(action: Callable[[], object]) -> float:
    """Real seconds that one call takes."""
    begun = time.perf_counter()
    action()
    return time.perf_counter() - begun


def microseconds(seconds: float) -> str:
    """A duration of one call, for the table."""
    return f"{seconds * 1e6:,.0f} µs"
