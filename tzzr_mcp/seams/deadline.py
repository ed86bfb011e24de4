"""One deadline per tool call, handed down to everything that waits for it."""

from __future__ import annotations

from dataclasses import dataclass

from tzzr_mcp.seams.clock import Clock


@dataclass(frozen=True)
class Deadline:
    """An instant on a clock's monotonic scale."""

    at: float
    clock: Clock

    @classmethod
    def after(cls, seconds: float, clock: Clock) -> Deadline:
        """The instant ``seconds`` from now."""
        return cls(clock.monotonic() + seconds, clock)

    def remaining(self) -> float:
        """Seconds left, never below zero."""
        return max(0.0, self.at - self.clock.monotonic())

    def passed(self) -> bool:
        """Whether nothing is left."""
        return self.remaining() <= 0.0

    def within(self, seconds: float) -> float:
        """``seconds``, or what is left if that is less: the time-out of one request under this deadline."""
        return min(seconds, self.remaining())
