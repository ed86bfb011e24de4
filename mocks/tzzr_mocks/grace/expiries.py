"""When the jobs of one endpoint are gone: no more is kept than the jobs that there are."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from typing import Final

SPARE: Final = 64
"""Outdated entries that are borne before the heap is built anew."""


class Expiries:
    """One instant for each job. What was said of it before, or of a job that is gone, is dropped in time."""

    def __init__(self) -> None:
        self._at: dict[str, float] = {}
        self._heap: list[tuple[float, str]] = []

    def set(self, job_id: str, instant: float) -> None:
        """The job is gone at ``instant``, whatever was said before."""
        self._at[job_id] = instant
        heapq.heappush(self._heap, (instant, job_id))
        self._tidy()

    def drop(self, job_id: str) -> None:
        """The job is gone."""
        self._at.pop(job_id, None)
        self._tidy()

    def due(self, now: float) -> Iterator[str]:
        """The jobs whose instant has come, the earliest first; each is told once."""
        while self._heap and self._heap[0][0] <= now:
            at, job_id = heapq.heappop(self._heap)
            if self._at.get(job_id) == at:
                del self._at[job_id]
                yield job_id

    def _tidy(self) -> None:
        if len(self._heap) > 2 * len(self._at) + SPARE:
            self._heap = [(at, name) for name, at in self._at.items()]
            heapq.heapify(self._heap)

    def __len__(self) -> int:
        """How many entries there are, outdated ones too."""
        return len(self._heap)
