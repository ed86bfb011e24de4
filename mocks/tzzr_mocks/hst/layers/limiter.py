"""The rate limiter: fixed windows on the world's clock, each begun by its first request."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

from tzzr_mocks.hst.errors import too_many_requests
from tzzr_mocks.hst.instants import written
from tzzr_mocks.hst.settings import RateLimit


class RateLimiter:
    """Counts requests by key, an address or one key for everybody."""

    def __init__(self, limit: RateLimit, now: Callable[[], datetime]) -> None:
        self._limit = limit
        self._now = now
        self._windows: dict[str, tuple[datetime, int]] = {}

    def take(self, key: str) -> None:
        """Count one request.

        Raises:
            Refusal: 429, the window's points are used up.
        """
        now = self._now()
        end, used = self._windows.get(key, (now, 0))
        if now >= end:
            end, used = now + timedelta(seconds=self._limit.duration), 0
        self._windows[key] = (end, used + 1)
        if used >= self._limit.points:
            wait = max(1, math.ceil((end - now).total_seconds()))
            raise too_many_requests(self._limit.points, wait, written(end))

    def snapshot(self) -> dict[str, tuple[timedelta, int]]:
        """Each window: what is left of it, and the requests counted in it."""
        now = self._now()
        return {key: (end - now, used) for key, (end, used) in self._windows.items()}

    def restore(self, state: Mapping[str, tuple[timedelta, int]]) -> None:
        """Go on with the windows of a snapshot."""
        now = self._now()
        self._windows = {key: (now + left, used) for key, (left, used) in state.items()}

    def clear(self) -> None:
        """Forget every window."""
        self._windows.clear()
