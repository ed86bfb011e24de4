"""How much a caller may ask for: sizes, rates, concurrency and the length of the queue (runpod.md §4).

Rates and concurrency count per key, endpoint and operation, over a sliding window of ten seconds. The dynamic rule of
the documents holds too: as many requests as the running workers take are always allowed.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from tzzr_mcp.seams import Clock

MEGABYTE: Final = 1_000_000
WINDOW_S: Final = 10.0


@dataclass(frozen=True)
class Rate:
    """Most requests in ten seconds, and most at the same time (None: not limited)."""

    requests: int | None = None
    concurrent: int | None = None


DOCUMENTED: Final[Mapping[str, Rate]] = MappingProxyType(
    {
        "run": Rate(1000, 200),
        "runsync": Rate(2000, 400),
        "status": Rate(2000, 400),
        "stream": Rate(2000, 400),
        "cancel": Rate(100, 20),
        "purge-queue": Rate(2, None),
        "openai": Rate(2000, 400),
        "requests": Rate(10, 2),
    }
)
"""The platform's table; an operation that is not in it is not limited. ``status-sync`` shares ``status``."""


@dataclass(frozen=True)
class Limits:
    """The limits of every endpoint. ``queue`` refuses jobs when more wait than it and than 500 per worker."""

    rates: Mapping[str, Rate] = field(default_factory=lambda: DOCUMENTED)
    run_mb: int = 10
    runsync_mb: int = 20
    output_run_mb: int = 10
    output_runsync_mb: int = 20
    chunk_bytes: int = MEGABYTE
    queue: int | None = 50
    queue_per_worker: int = 500

    @classmethod
    def off(cls) -> Limits:
        """No rate, no concurrency and no queue limit; sizes stay. For load tests and benchmarks."""
        return cls(rates={}, queue=None)

    def queue_is_full(self, waiting: int, workers: int) -> bool:
        """Whether one more job is refused: documented until 2025, off with ``queue=None``."""
        return self.queue is not None and waiting > self.queue and waiting > self.queue_per_worker * workers


@dataclass
class _Counter:
    times: deque[float] = field(default_factory=deque)
    open: int = 0


class Meter:
    """Counts the requests of each key, endpoint and operation against `Limits`."""

    def __init__(self, limits: Limits, clock: Clock) -> None:
        self._limits = limits
        self._clock = clock
        self._counters: dict[tuple[str, str, str], _Counter] = {}

    def enter(self, who: tuple[str, str, str], at_least: int = 0) -> bool:
        """Count one request of ``(key, endpoint, operation)``; False when it is one too many.

        ``at_least`` is what the running workers take at the same time: that many are never refused.
        """
        rate = self._limits.rates.get(who[2])
        if rate is None:
            return True
        counter = self._counters.setdefault(who, _Counter())
        self._forget(counter)
        if _over(len(counter.times), rate.requests, at_least) or _over(counter.open, rate.concurrent, at_least):
            return False
        counter.times.append(self._clock.monotonic())
        counter.open += 1
        return True

    def leave(self, who: tuple[str, str, str]) -> None:
        """A request that `enter` let in has been answered."""
        counter = self._counters.get(who)
        if counter is not None:
            counter.open -= 1

    def clear(self) -> None:
        """Forget every request but those that are still open."""
        for counter in self._counters.values():
            counter.times.clear()

    def snapshot(self) -> dict[tuple[str, str, str], list[float]]:
        """How many seconds ago each request was that counts."""
        now = self._clock.monotonic()
        return {who: [now - at for at in counter.times] for who, counter in self._counters.items()}

    def restore(self, state: Mapping[tuple[str, str, str], list[float]]) -> None:
        """Count the requests of a snapshot, and those that are open now."""
        self.clear()
        now = self._clock.monotonic()
        for who, ages in state.items():
            self._counters.setdefault(who, _Counter()).times.extend(now - age for age in ages)

    def _forget(self, counter: _Counter) -> None:
        since = self._clock.monotonic() - WINDOW_S
        while counter.times and counter.times[0] <= since:
            counter.times.popleft()


def _over(count: int, limit: int | None, at_least: int) -> bool:
    return limit is not None and count >= max(limit, at_least)
