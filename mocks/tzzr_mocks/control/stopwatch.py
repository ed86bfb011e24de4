"""Seconds since the world began, on its clock: what trace, journal and time windows of faults are measured in."""

from __future__ import annotations

from tzzr_mcp.seams import Clock


class Stopwatch:
    """Runs from `begin`, or from the first reading."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._origin: float | None = None

    def begin(self) -> None:
        """Start at zero now."""
        self._origin = self._clock.monotonic()

    def elapsed(self) -> float:
        """Seconds since the beginning."""
        if self._origin is None:
            self.begin()
        return self._clock.monotonic() - (self._origin or 0.0)
