"""A loop on virtual time: when nobody can run it jumps to the next timer, so waiting costs nothing.

It waits really for threads and for foreign sockets only. When nobody can ever run again it raises `Deadlock`, which
names every task, where it waits and for whom.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
import math
import selectors
from collections import deque
from collections.abc import Callable, Coroutine
from contextvars import Context
from typing import Any

from tzzr_mocks.network.ordered import order_anyio_scopes, see_anyio_threads
from tzzr_mocks.network.waiting import where

GRACE_S = 0.005
"""Real seconds given to a foreign socket before time jumps."""
DIGITS = 9
RESOLUTION_S = 10.0**-DIGITS
"""Timers that lie closer together than this are due together."""


class Deadlock(RuntimeError):
    """Nobody can run any more: no timer, no thread, no socket. The message lists who waits, and where."""


class _JumpingSelector(selectors.DefaultSelector):
    """Polls; where the stock selector would sleep, it moves the loop's time instead."""

    loop: VirtualLoop

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """What is ready; where nothing is, the loop's time moves on by ``timeout`` seconds.

        Raises:
            Deadlock: no timer is left to wait for.
        """
        if timeout == 0 and len(self.get_map()) == 1:
            return []  # somebody can run, and there is no socket but the pipe that would wake the loop
        events = super().select(0)
        if events or (timeout is not None and timeout <= 0):
            return events
        if self.loop.hear():
            return []
        if self.loop.begun or self.loop.threads:
            return super().select(None)
        if len(self.get_map()) > 1:  # somebody's socket beside the loop's own pipe
            events = super().select(GRACE_S)
        if not events:
            self.loop.jump(timeout)
        return events


class _Timer(asyncio.TimerHandle):
    """Of two timers of one instant the one that was set first is first; asyncio leaves that to its heap."""

    __slots__ = ("order",)
    order: tuple[float, int]

    def __lt__(self, other: _Timer) -> bool:  # type: ignore[override]  # this loop has no other timers
        return self.order < other.order


class VirtualLoop(asyncio.SelectorEventLoop):
    """An asyncio loop whose time is a number that it moves itself."""

    _scheduled: list[_Timer]

    def __init__(self, start: float = 0.0) -> None:
        selector = _JumpingSelector()
        selector.loop = self
        self._now = start
        self.threads = 0
        self.begun: deque[tuple[asyncio.Future[Any], asyncio.Future[Any]]] = deque()
        self._timers = itertools.count()
        super().__init__(selector)
        self._clock_resolution = RESOLUTION_S

    def time(self) -> float:
        """Virtual seconds."""
        return self._now

    def call_at(  # type: ignore[override]  # the stub's variadic generics; the call is the same
        self, when: float, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.TimerHandle:
        """Call at that instant, after what was asked for the same instant before."""
        timer = _Timer(when, callback, args, self, context)
        timer.order = (round(when, DIGITS), next(self._timers))
        heapq.heappush(self._scheduled, timer)
        timer._scheduled = True  # type: ignore[attr-defined]  # asyncio's own mark of a timer that stands in its heap
        return timer

    def jump(self, seconds: float | None) -> None:
        """Move time forward; without a next timer nobody can run again.

        Raises:
            Deadlock: ``seconds`` is None.
        """
        if seconds is None:
            waiting = "\n  ".join(sorted(where(task) for task in asyncio.all_tasks(self)))
            raise Deadlock(f"nothing can run at t={self._now:.3f} s; waiting:\n  {waiting}")
        self._now += seconds
        # asyncio takes a timer for due when it lies before now + resolution, which must not be rounded back to now.
        self._clock_resolution = max(RESOLUTION_S, math.ulp(self._now))

    def run_in_executor(  # type: ignore[override]  # the stub's variadic generics; the call is the same
        self, executor: Any, func: Callable[..., Any], *args: Any
    ) -> asyncio.Future[Any]:
        """Run in a thread. Time stands still until it is done, and of several threads the first begun is heard first."""
        done, heard = super().run_in_executor(executor, func, *args), self.create_future()
        self.begun.append((done, heard))
        return heard

    def hear(self) -> bool:
        """Tell what came of the thread that was begun first, if it is done; whether anything was told.

        Asked only when nobody else can run: how long a thread really takes then changes nothing.
        """
        while self.begun:
            done, heard = self.begun[0]
            if not done.done() and not heard.cancelled():
                return False
            self.begun.popleft()
            if not heard.cancelled():
                _tell(done, heard)
                return True
            done.cancel()
        return False

    async def shutdown_default_executor(self, timeout: float | None = None) -> None:
        """Wait for the pool's threads in real time."""
        self.threads += 1
        try:
            await super().shutdown_default_executor()
        finally:
            self.threads -= 1


def _tell(done: asyncio.Future[Any], heard: asyncio.Future[Any]) -> None:
    if done.cancelled():
        heard.cancel()
    elif (error := done.exception()) is not None:
        heard.set_exception(error)
    else:
        heard.set_result(done.result())


class _NumberedTask(asyncio.Task[Any]):
    """Sets of these iterate in the order of creation, not of memory addresses."""

    def __init__(self, coro: Coroutine[Any, Any, Any], *, number: int, **options: Any) -> None:
        self._number = number
        super().__init__(coro, **options)

    def __hash__(self) -> int:
        return self._number

    def set_name(self, value: object, /) -> None:
        """Take another name; Python 3.13.0 would have every task of a factory called None."""
        if value is not None:
            super().set_name(value)


def new_virtual_loop() -> VirtualLoop:
    """A virtual loop with deterministic tasks: what `asyncio.Runner(loop_factory=…)` and the tests use."""
    order_anyio_scopes()
    see_anyio_threads()
    loop = VirtualLoop()
    numbers = itertools.count(1)

    def factory(owner: asyncio.AbstractEventLoop, coro: Any, **options: Any) -> asyncio.Task[Any]:
        number = next(numbers)
        name = options.pop("name", None) or f"Task-{number}"  # asyncio's own number counts the whole process's
        return _NumberedTask(coro, loop=owner, number=number, name=name, **options)

    loop.set_task_factory(factory)
    return loop
