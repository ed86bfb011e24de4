"""Single flight: identical calls at the same time share one piece of work, each with its own deadline and cancel."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

import anyio

from tzzr_mcp.seams import Deadline
from tzzr_mcp.services.jobs import JobState
from tzzr_mcp.services.runpod import Listener

T = TypeVar("T")

Work = Callable[[Listener], Awaitable[T]]
"""What is shared; it tells the listener that it is given how far it is."""


class OutOfTime(Exception):
    """The call's own deadline came; the work goes on for the others."""


class Flight(Generic[T]):
    """One piece of work and those who wait for it. It lives in a task of its own, and as long as anybody waits."""

    def __init__(self, work: Work[T], deadline: Deadline) -> None:
        self.deadline = deadline
        self._listeners: list[Listener] = []
        self._leaving = False
        self._work = asyncio.ensure_future(self._fly(work))
        # Who is to hear of a failure waits for it; with nobody waiting it is no news.
        self._work.add_done_callback(lambda work: work.cancelled() or work.exception())

    @property
    def over(self) -> bool:
        """Whether nobody may join any more."""
        return self._leaving or self._work.done()

    def when_over(self, tell: Callable[[], None]) -> None:
        """Call ``tell`` when the work has ended."""
        self._work.add_done_callback(lambda _: tell())

    async def ride(self, deadline: Deadline, listener: Listener) -> T:
        """The result. Who leaves does not disturb the others; when the last one leaves, the work is cancelled.

        Raises:
            OutOfTime: ``deadline`` came before the work's own.
        """
        self._listeners.append(listener)
        sooner = deadline.at < self.deadline.at
        try:
            async with asyncio.timeout(deadline.remaining() if sooner else None):
                return await asyncio.shield(self._work)
        except TimeoutError:
            raise OutOfTime from None
        finally:
            self._listeners.remove(listener)
            if not self._listeners and not self._work.done():
                await self._abandon()

    async def _abandon(self) -> None:
        self._leaving = True
        self._work.cancel()
        with anyio.CancelScope(shield=True):
            await asyncio.wait({self._work})

    async def _fly(self, work: Work[T]) -> T:
        return await work(self._tell)

    async def _tell(self, state: JobState, text: str) -> None:
        for listener in tuple(self._listeners):
            await listener(state, text)


class Flights(Generic[T]):
    """The flights that are under way, by what they are about."""

    def __init__(self) -> None:
        self._flights: dict[str, Flight[T]] = {}

    def under_way(self, key: str) -> Flight[T] | None:
        """The flight that a call about ``key`` may join."""
        flight = self._flights.get(key)
        return None if flight is None or flight.over else flight

    def depart(self, key: str, work: Work[T], deadline: Deadline) -> Flight[T]:
        """A new flight."""
        flight = self._flights[key] = Flight(work, deadline)
        flight.when_over(lambda: self._land(key, flight))
        return flight

    def _land(self, key: str, flight: Flight[T]) -> None:
        if self._flights.get(key) is flight:
            del self._flights[key]
