"""Two amends to anyio that virtual time needs, each made once per process.

anyio keeps the tasks of a cancel scope in plain sets, whose order follows memory addresses, so that the order of
cancellation would differ from run to run. And its worker threads are unknown to the loop, so that virtual time would
jump past them.
"""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable
from typing import Any

from anyio._backends import _asyncio as backend


class _OrderedSet(dict[Any, None]):
    """The part of a set's interface that anyio uses, in insertion order."""

    def add(self, item: Any) -> None:
        """As of a set."""
        self[item] = None

    def discard(self, item: Any) -> None:
        """As of a set."""
        self.pop(item, None)

    def remove(self, item: Any) -> None:
        """As of a set; ``KeyError`` where it is not in it."""
        del self[item]


@functools.cache
def order_anyio_scopes() -> None:
    """Let anyio's scopes and task groups remember their tasks in order of creation."""
    _order(backend.CancelScope, ("_child_scopes", "_tasks"))
    _order(backend.TaskGroup, ("_tasks",))


def _order(owner: Any, names: tuple[str, ...]) -> None:
    original: Callable[..., None] = owner.__init__

    @functools.wraps(original)
    def init(self: Any, *args: Any, **kwargs: Any) -> None:
        original(self, *args, **kwargs)
        for name in names:
            setattr(self, name, _OrderedSet())

    owner.__init__ = init


@functools.cache
def see_anyio_threads() -> None:
    """Let virtual time stand still while one of anyio's worker threads runs."""
    owner: Any = backend.AsyncIOBackend
    original = owner.run_sync_in_worker_thread.__func__

    async def run(cls: Any, *args: Any, **kwargs: Any) -> Any:
        loop: Any = asyncio.get_running_loop()
        if not hasattr(loop, "threads"):
            return await original(cls, *args, **kwargs)
        loop.threads += 1
        try:
            return await original(cls, *args, **kwargs)
        finally:
            loop.threads -= 1

    owner.run_sync_in_worker_thread = classmethod(run)
