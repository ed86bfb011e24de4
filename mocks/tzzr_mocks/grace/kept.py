"""Results that GRACE keeps by idempotency key, so that a request asked again is not computed again (CONTRACT §1)."""

from __future__ import annotations

import asyncio
import copy
import heapq
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

from tzzr_mcp.seams import Clock

T = TypeVar("T")


class Kept(Generic[T]):
    """Computes each key once: while it is being computed and for as long as its result is kept.

    ``worth_keeping`` says which results are kept; what failed is computed anew the next time.
    """

    def __init__(self, clock: Clock, worth_keeping: Callable[[T], bool]) -> None:
        self._clock = clock
        self._worth_keeping = worth_keeping
        self._coming: dict[str, asyncio.Future[T]] = {}
        self._results: dict[str, T] = {}
        self._expiries: list[tuple[float, str]] = []

    async def once(self, key: str, seconds: float, compute: Callable[[], Awaitable[T]]) -> T:
        """The result for ``key``, kept for ``seconds`` from now on if it was computed now."""
        self._sweep()
        while (coming := self._coming.get(key)) is not None:
            await asyncio.wait({coming})
            if not coming.cancelled():
                return coming.result()
        if key in self._results:
            return self._results[key]
        return await self._compute(key, seconds, compute)

    async def _compute(self, key: str, seconds: float, compute: Callable[[], Awaitable[T]]) -> T:
        coming = self._coming[key] = asyncio.get_running_loop().create_future()
        try:
            result = await compute()
        except BaseException:
            coming.cancel()  # whoever waits computes it himself
            raise
        finally:
            if self._coming.get(key) is coming:  # else a snapshot was brought back meanwhile
                del self._coming[key]
        coming.set_result(result)
        if self._worth_keeping(result):
            self._results[key] = result
            heapq.heappush(self._expiries, (self._clock.monotonic() + seconds, key))
        return result

    def _sweep(self) -> None:
        now = self._clock.monotonic()
        while self._expiries and self._expiries[0][0] <= now:
            self._results.pop(heapq.heappop(self._expiries)[1], None)

    def snapshot(self) -> list[tuple[float, str, T]]:
        """Each result that is kept with its key, and the seconds for which it still is."""
        self._sweep()
        now = self._clock.monotonic()
        return [(at - now, key, copy.deepcopy(self._results[key])) for at, key in sorted(self._expiries)]

    def restore(self, state: list[tuple[float, str, T]]) -> None:
        """Keep what a snapshot had, and compute nothing."""
        now = self._clock.monotonic()
        self._coming = {}
        self._results = {key: copy.deepcopy(result) for _, key, result in state}
        self._expiries = [(now + left_s, key) for left_s, key, _ in state]

    def __len__(self) -> int:
        """How many results are kept or coming."""
        return len(self._results) + len(self._coming)
