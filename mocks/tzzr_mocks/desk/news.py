"""What happens in a world, as it comes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Self

from tzzr_mcp.seams import Event
from tzzr_mocks.control.exchange import Exchange
from tzzr_mocks.desk.live import Live

BACKLOG = 1000
"""Pieces of news that wait for a slow reader; the oldest are dropped."""


class News:
    """An endless iterator of ``(kind, content)``: ``exchange`` as it begins and ends, ``event`` of the trace.

    Listens between entering and leaving it as a context manager.
    """

    def __init__(self, world: Live) -> None:
        self._world = world
        self._waiting: asyncio.Queue[tuple[str, dict[str, Any]]] = asyncio.Queue(BACKLOG)
        self._stops: list[Callable[[], None]] = []

    def __enter__(self) -> Self:
        self._stops = [self._world.journal.listen(self._exchange), self._world.trace.listen(self._event)]
        return self

    def __exit__(self, *error: object) -> None:
        for stop in self._stops:
            stop()

    def _exchange(self, exchange: Exchange) -> None:
        self._put("exchange", exchange.as_json())

    def _event(self, event: Event) -> None:
        self._put("event", event.as_json())

    def _put(self, kind: str, content: dict[str, Any]) -> None:
        if self._waiting.full():
            self._waiting.get_nowait()
        self._waiting.put_nowait((kind, content))

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> tuple[str, dict[str, Any]]:
        return await self._waiting.get()
