"""The plugins' clients: opened at the first request that needs them, once, and closed with the server.

Each lifespan lives in a task of its own, because a cancel scope must be left in the task that entered it, and the
requests that need the clients come and go in tasks of theirs.
"""

from __future__ import annotations

import asyncio
import contextvars
import logging
from collections.abc import Mapping
from typing import Any

from tzzr_mcp.plugins.api import Opening, Plugin
from tzzr_mcp.server.refs import resolve

log = logging.getLogger(__name__)

CLOSE_S = 5.0
"""Seconds that one lifespan may take to close before it is cancelled."""


def _build(transport: object) -> None:
    """An offline world is built here, not within somebody's first request: it would use up that one's time."""
    build = getattr(transport, "build", None)
    if callable(build):
        build()


class _Opened:
    """One open lifespan."""

    def __init__(self, plugin: Plugin, opening: Opening[Any]) -> None:
        self.clients: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._closing = asyncio.Event()
        self.task = asyncio.create_task(
            self._live(plugin, opening), name=f"lifespan {plugin.name}", context=contextvars.Context()
        )

    async def _live(self, plugin: Plugin, opening: Opening[Any]) -> None:
        try:
            _build(opening.transport)
            async with resolve(plugin.lifespan)(opening) as clients:  # type: ignore[misc]  # only made when there is one
                self.clients.set_result(clients)
                await self._closing.wait()
        except Exception as error:
            if self.clients.done():
                log.exception("the lifespan of plugin %s failed while it was open or closing", plugin.name)
            else:
                self.clients.set_exception(error)
        finally:
            self.clients.cancel()

    async def close(self) -> None:
        """Let the lifespan end; after `CLOSE_S` seconds cancel it and wait as long again."""
        self._closing.set()
        done, _ = await asyncio.wait({self.task}, timeout=CLOSE_S)
        if not done:
            self.task.cancel()
            await asyncio.wait({self.task}, timeout=CLOSE_S)


class Lifespans:
    """Hands out each plugin's clients."""

    def __init__(self, openings: Mapping[str, Opening[Any]]) -> None:
        self._openings = openings
        self._opened: dict[str, _Opened] = {}

    async def clients(self, plugin: Plugin) -> Any:
        """What the plugin's lifespan yielded; None when it has none.

        A lifespan that failed to open raises its exception here, and is tried again at the next request. Who is
        cancelled while waiting does not disturb the others that wait.
        """
        if plugin.lifespan is None:
            return None
        opened = self._opened.get(plugin.name)
        if opened is None or (opened.task.done() and opened.clients.done()):
            opened = self._opened[plugin.name] = _Opened(plugin, self._openings[plugin.name])
        return await asyncio.shield(opened.clients)

    async def close(self) -> None:
        """Close what is open, the last opened first."""
        while self._opened:
            _, opened = self._opened.popitem()
            await opened.close()
