"""Where answers are kept for a while: in this process, bounded in bytes and time, the least used forgotten first."""

from __future__ import annotations

from collections import OrderedDict
from typing import Protocol

from tzzr_mcp.seams import Clock


class Store(Protocol):
    """Keeps bytes by key. One that cannot be reached has nothing and keeps nothing: it never fails a call."""

    async def get(self, key: str) -> bytes | None:
        """What is kept under ``key`` and has not expired."""
        ...

    async def put(self, key: str, value: bytes, ttl_s: float) -> None:
        """Keep ``value`` for ``ttl_s`` seconds."""
        ...

    async def aclose(self) -> None:
        """Let go of connections."""
        ...


class MemoryStore:
    """A `Store` of at most ``limit_bytes`` bytes of values."""

    def __init__(self, clock: Clock, limit_bytes: int) -> None:
        self._clock = clock
        self._limit = limit_bytes
        self._kept: OrderedDict[str, tuple[float, bytes]] = OrderedDict()
        self.size_bytes = 0

    async def get(self, key: str) -> bytes | None:
        """As `Store`; being asked for keeps it from being forgotten."""
        expires, value = self._kept.get(key, (0.0, b""))
        if key not in self._kept or expires <= self._clock.monotonic():
            self._forget(key)
            return None
        self._kept.move_to_end(key)
        return value

    async def put(self, key: str, value: bytes, ttl_s: float) -> None:
        """As `Store`; a value larger than the whole is not kept."""
        self._forget(key)
        if len(value) > self._limit:
            return
        self._kept[key] = (self._clock.monotonic() + ttl_s, value)
        self.size_bytes += len(value)
        while self.size_bytes > self._limit:
            self._forget(next(iter(self._kept)))

    async def aclose(self) -> None:
        """Forget everything."""
        self._kept.clear()
        self.size_bytes = 0

    def _forget(self, key: str) -> None:
        _, value = self._kept.pop(key, (0.0, b""))
        self.size_bytes -= len(value)
