"""Answers kept in Redis, for several processes: imported only where ``TZZR_CACHE_URL`` asks for it."""

from __future__ import annotations

import logging
from typing import Final

from pydantic import SecretStr
from redis import asyncio as redis
from redis.exceptions import RedisError

from tzzr_mcp.seams import Seams
from tzzr_mcp.services.breaker import Breaker
from tzzr_mcp.services.troubles import UpstreamError

PREFIX: Final = "tzzr:answer:1:"
"""Before every key; the number changes when the form of the values does."""
PATIENCE_S: Final = 0.5
"""Seconds that one command may take: asking GRACE again is no misfortune, waiting for a cache is one."""

_log = logging.getLogger(__name__)


class RedisStore:
    """A `tzzr_mcp.services.cache.Store`. After one failure it is left alone for a while, so that no call waits."""

    def __init__(self, url: SecretStr, seams: Seams) -> None:
        self._redis = redis.from_url(
            url.get_secret_value(), socket_timeout=PATIENCE_S, socket_connect_timeout=PATIENCE_S
        )
        self._breaker = Breaker("cache", seams, judge=lambda error: True, threshold=1)

    async def get(self, key: str) -> bytes | None:
        """As `Store`."""
        try:
            with self._breaker.guard():
                kept = await self._redis.get(PREFIX + key)
                return kept if isinstance(kept, bytes) else None
        except (RedisError, OSError, UpstreamError) as error:
            _tell(error)
            return None

    async def put(self, key: str, value: bytes, ttl_s: float) -> None:
        """As `Store`; Redis lets it expire."""
        try:
            with self._breaker.guard():
                await self._redis.set(PREFIX + key, value, px=max(1, round(ttl_s * 1000)))
        except (RedisError, OSError, UpstreamError) as error:
            _tell(error)

    async def aclose(self) -> None:
        """Close its connections."""
        await self._redis.aclose()


def _tell(error: Exception) -> None:
    """The kind of error alone: its text may name the address, and an address may hold a password."""
    if not isinstance(error, UpstreamError):
        _log.warning("the cache does not answer: %s", type(error).__name__)
