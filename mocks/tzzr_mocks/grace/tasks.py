"""Background tasks that somebody owns: none is lost, each is cancelled and awaited at the end."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class Tasks:
    """A set of running tasks. A task that fails is remembered, and `stop` raises its error."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[Any]] = set()
        self._failures: list[BaseException] = []

    def start(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Run ``work`` on the running loop."""
        task = asyncio.get_running_loop().create_task(work)
        self._running.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._running.discard(task)
        if not task.cancelled() and (failure := task.exception()) is not None:
            self._failures.append(failure)

    def __len__(self) -> int:
        return len(self._running)

    def cancel(self) -> None:
        """Cancel all of them, and wait for none."""
        for task in sorted(self._running, key=hash):
            task.cancel()

    async def stop(self) -> None:
        """Cancel all of them and wait until each has ended.

        Raises:
            BaseExceptionGroup: tasks had failed of themselves, which is a defect of the fake.
        """
        while running := sorted(self._running, key=hash):
            for task in running:
                task.cancel()
            await asyncio.wait(running)
        failures, self._failures = self._failures, []
        if failures:
            raise BaseExceptionGroup("background tasks of the fake failed", failures)
