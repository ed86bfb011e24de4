"""How far something that takes time has got, so that it can be run again up to there and go on.

A coroutine cannot be copied. What a worker does is therefore run again from its beginning when a snapshot is brought
back: on a clock that gives it the time that it had spent, and with a log of what was done and told once, which is
neither done nor asked a second time. A program whose doing depends on its assignment, its clock and `Course.once`
alone cannot tell the difference.
"""

from __future__ import annotations

import copy
from collections import defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, TypeVar

from tzzr_mcp.seams import Clock

T = TypeVar("T")


@dataclass(frozen=True)
class Ran:
    """A course as a snapshot has it: the seconds that it had run, and what its log held."""

    ran_s: float
    log: dict[str, list[tuple[float, Any]]] = field(default_factory=dict)


class Course:
    """One run, and the clock that it lives by. Made anew it begins now; of what was ``kept``, it goes on from there.

    Running again, it stands at the instant that its sleeps and its log have led to; once time has really passed, it
    shows the world's.
    """

    def __init__(self, clock: Clock, kept: Ran | None = None) -> None:
        self._clock = clock
        now = clock.monotonic()
        self.began = now - (kept.ran_s if kept else 0.0)
        self._log: dict[str, list[tuple[float, Any]]] = defaultdict(list, copy.deepcopy(kept.log) if kept else {})
        self._told: dict[str, int] = defaultdict(int)
        self._resumed_at = now if kept else -float("inf")
        self._reached = self.began

    def keep(self) -> Ran:
        """What brings it back."""
        return Ran(self._clock.monotonic() - self.began, copy.deepcopy(dict(self._log)))

    def monotonic(self) -> float:
        """Seconds on the world's scale, as the run sees them."""
        now = self._clock.monotonic()
        return now if now > self._resumed_at else self._reached

    def now(self) -> datetime:
        """Wall time as the run sees it."""
        behind = self._clock.monotonic() - self.monotonic()
        return self._clock.now() - timedelta(seconds=behind)

    async def sleep(self, seconds: float) -> None:
        """Wait for what is left of it; zero or less lets others run once."""
        until = self.monotonic() + max(0.0, seconds)
        await self._clock.sleep(until - self._clock.monotonic())
        self._reached = max(self._reached, until)

    def once(self, name: str, do: Callable[[], T]) -> T:
        """What ``do`` gives. Running again it is not called: what it gave is in the log, in order under ``name``."""
        if self._is_told(name):
            return self._tell(name)  # type: ignore[no-any-return]  # the log holds what this very call had given
        return self._note(name, do())

    async def outcome(self, name: str, act: Callable[[], Awaitable[T]]) -> T:
        """As `once`, of something that is awaited; what had not ended is begun again."""
        if self._is_told(name):
            return self._tell(name)  # type: ignore[no-any-return]  # as above
        return self._note(name, await act())

    def _is_told(self, name: str) -> bool:
        return self._told[name] < len(self._log[name])

    def _tell(self, name: str) -> Any:
        after_s, value = self._log[name][self._told[name]]
        self._told[name] += 1
        self._reached = max(self._reached, self.began + after_s)
        return value

    def _note(self, name: str, value: T) -> T:
        self._log[name].append((self.monotonic() - self.began, value))
        self._told[name] += 1
        return value
