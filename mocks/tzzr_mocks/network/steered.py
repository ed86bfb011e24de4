"""A clock in real time that can be stopped, moved and let go again: what served fakes live by."""

from __future__ import annotations

import asyncio
import heapq
import itertools
from datetime import datetime, timedelta
from typing import Final

from tzzr_mcp.seams import SystemClock

MOST_S: Final = 315_360_000
"""Seconds that a clock may be moved by at once: ten years. Dates end with the year 9999."""


class SteeredClock:
    """Wall time from ``start`` on, following the loop while it runs.

    Frozen it stands still, and who sleeps wakes only when `advance` has moved it far enough.
    """

    def __init__(self, start: datetime) -> None:
        self.start = start
        self.frozen = False
        self._shift = 0.0
        self._stood_at = 0.0
        self._origin: float | None = None
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []
        self._numbers = itertools.count()
        self._timer: asyncio.TimerHandle | None = None

    def now(self) -> datetime:
        """Wall time, aware, in UTC."""
        return self.start + timedelta(seconds=self.monotonic())

    def monotonic(self) -> float:
        """Seconds since the first reading, moves included, stops left out."""
        return self._stood_at if self.frozen else self._running()

    def _running(self) -> float:
        reading = asyncio.get_running_loop().time()
        if self._origin is None:
            self._origin = reading
        return reading - self._origin + self._shift

    def freeze(self) -> None:
        """Stand still."""
        if not self.frozen:
            self._stood_at, self.frozen = self._running(), True
            self._rearm()

    def run(self) -> None:
        """Follow the loop again, from where the clock stands."""
        if self.frozen:
            self.frozen = False
            self._shift += self._stood_at - self._running()
            self._rearm()

    def advance(self, seconds: float) -> None:
        """Move forward, and wake who has slept long enough.

        Raises:
            ValueError: ``seconds`` is negative; a clock never goes back.
        """
        moved_by(seconds)
        if self.frozen:
            self._stood_at += seconds
        else:
            self._shift += seconds
        self._wake()

    async def sleep(self, seconds: float) -> None:
        """Wait on this clock; zero or less lets others run once."""
        if seconds <= 0:
            await SystemClock().sleep(0)
            return
        alarm = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (self.monotonic() + seconds, next(self._numbers), alarm))
        self._rearm()
        await alarm

    def _wake(self) -> None:
        now = self.monotonic()
        while self._sleepers and (self._sleepers[0][0] <= now or self._sleepers[0][2].done()):
            _, _, alarm = heapq.heappop(self._sleepers)
            if not alarm.done():
                alarm.set_result(None)
        self._rearm()

    def _rearm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._sleepers and not self.frozen:
            delay = max(0.0, self._sleepers[0][0] - self.monotonic())
            self._timer = asyncio.get_running_loop().call_later(delay, self._wake)


def moved_by(seconds: float) -> float:
    """``seconds``, if a clock may be moved by them.

    Raises:
        ValueError: they are negative, since a clock never goes back, or more than `MOST_S` at once.
    """
    if seconds < 0:
        raise ValueError(f"a clock cannot be advanced by {seconds:g} s; give 0 or more")
    if not seconds <= MOST_S:
        raise ValueError(f"a clock cannot be advanced by {seconds:g} s at once; give {MOST_S} or less")
    return seconds
