"""Retries on the seams' clock and dice: only what may succeed, ever later, never past the deadline, never a storm.

The libraries for this read the wall clock, so they would never stop on virtual time.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

from tzzr_mcp.seams import Clock, Deadline, Dice
from tzzr_mcp.services.troubles import Trouble, UpstreamError

T = TypeVar("T")

Tell = Callable[[int, UpstreamError, float], None]
"""Is told of each retry as it is decided: the number of the coming attempt (from 2), why, and the seconds until it."""


def nobody(attempt: int, error: UpstreamError, pause_s: float) -> None:
    """Who need not be told."""


@dataclass(frozen=True)
class Policy:
    """How often and how late: the pause before retry n is drawn from [half, whole] of ``first_s * 2**n``."""

    attempts: int = 4
    first_s: float = 0.25
    cap_s: float = 8.0

    def pause(self, retry: int, dice: Dice) -> float:
        """Seconds before the retry number ``retry``, counted from 0."""
        whole = min(self.cap_s, self.first_s * 2**retry)
        return dice.uniform(whole / 2, whole)


class Budget:
    """Retries shared by every call to one upstream, so that an outage does not multiply the load.

    Each retry costs one; each success gives a tenth back, up to ``capacity``.
    """

    def __init__(self, capacity: float = 20.0) -> None:
        self._capacity = capacity
        self._left = capacity

    def spend(self) -> bool:
        """Take one retry; False when none is left."""
        if self._left < 1:
            return False
        self._left -= 1
        return True

    def earn(self) -> None:
        """A request succeeded."""
        self._left = min(self._capacity, self._left + 0.1)


@dataclass(frozen=True)
class Retry:
    """The retries of one upstream."""

    clock: Clock
    dice: Dice
    budget: Budget
    policy: Policy = Policy()

    async def run(self, attempt: Callable[[], Awaitable[T]], deadline: Deadline, tell: Tell = nobody) -> T:
        """The result of the first attempt that succeeds; ``tell`` hears of each retry before its pause.

        Raises:
            UpstreamError: the last one that an attempt raised. A circuit that opened between two attempts is not the
                reason of the failure, so the error before it is raised then.
        """
        last: UpstreamError | None = None
        for number in range(self.policy.attempts):
            try:
                result = await attempt()
            except UpstreamError as error:
                if error.trouble is Trouble.CIRCUIT_OPEN and last is not None:
                    raise last from None
                last = error
                if (pause := self._allowed(error, number, deadline)) is None:
                    raise
                tell(number + 2, error, pause)
                await self.clock.sleep(pause)
            else:
                self.budget.earn()
                return result
        raise AssertionError("a policy has at least one attempt")  # pragma: no cover

    def _allowed(self, error: UpstreamError, retry: int, deadline: Deadline) -> float | None:
        """The pause before the retry number ``retry``, counted from 0; None when there should be none."""
        if not error.retryable or retry == self.policy.attempts - 1:
            return None
        pause = max(self.policy.pause(retry, self.dice), error.retry_after_s or 0.0)
        if pause >= deadline.remaining() or not self.budget.spend():
            return None
        return pause
