"""The one place where time is read and waited for.

Waiting always happens on the event loop, so a loop with virtual time moves every waiter at once. Wall time is what
the contract's timestamps and the fakes' records show; in a world with virtual time it starts at a fixed instant and
follows the loop.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """Reads wall time, reads loop time, waits."""

    def now(self) -> datetime:
        """Wall time, aware, in UTC."""
        ...

    def monotonic(self) -> float:
        """Seconds on a scale that never goes back; only differences have a meaning."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait; zero or less lets others run once."""
        ...


class SystemClock:
    """Wall time from the machine, waiting on the running loop."""

    def now(self) -> datetime:
        """Wall time, aware, in UTC."""
        return datetime.now(UTC)  # noqa: TID251 - this is the clock

    def monotonic(self) -> float:
        """The running loop's time in seconds."""
        return asyncio.get_running_loop().time()

    async def sleep(self, seconds: float) -> None:
        """Wait on the running loop."""
        await asyncio.sleep(max(0.0, seconds))  # noqa: TID251 - this is the clock


@dataclass
class LoopClock:
    """Wall time that starts at ``start`` and follows the loop: what a world on virtual time uses.

    The first reading fixes the origin, so a clock may be made before its loop runs.
    """

    start: datetime
    _origin: float | None = None

    def now(self) -> datetime:
        """``start`` plus the loop's time since the first reading, in UTC."""
        return self.start + timedelta(seconds=self.elapsed())

    def elapsed(self) -> float:
        """Seconds of loop time since the first reading."""
        reading = self.monotonic()
        if self._origin is None:
            self._origin = reading
        return reading - self._origin

    def monotonic(self) -> float:
        """The running loop's time in seconds."""
        return asyncio.get_running_loop().time()

    async def sleep(self, seconds: float) -> None:
        """Wait on the running loop."""
        await asyncio.sleep(max(0.0, seconds))  # noqa: TID251 - this is the clock
