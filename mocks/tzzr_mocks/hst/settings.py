"""How the fake Directus is set up: what an operator sets by environment variables on the real one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

DialectName = Literal["sqlite", "postgres"]


@dataclass(frozen=True)
class RateLimit:
    """So many ``points`` (requests) in ``duration`` seconds, counted from the first of them."""

    points: int
    duration: int


@dataclass(frozen=True)
class HstSettings:
    """Settings of one fake Directus; the defaults are the recordings' group ``default``.

    ``cors`` is False (off), True (any origin is mirrored) or the origins that are allowed. ``max_limit`` is
    ``QUERY_LIMIT_MAX``. ``pressure`` answers everything with 503 until it is taken away; ``pressure_retry_after``
    is its ``Retry-After``. ``cache_seconds`` above 0 keeps answers to GET in memory.
    """

    dialect: DialectName = "sqlite"
    default_limit: int = 100
    max_limit: int | None = None
    cors: bool | tuple[str, ...] = False
    rate_limit: RateLimit | None = None
    rate_limit_global: RateLimit | None = None
    pressure: bool = False
    pressure_retry_after: int | None = None
    cache_seconds: float = 0.0
    serve_app: bool = False
    development: bool = False

    def __post_init__(self) -> None:
        """Refuse what the real server refuses to start with.

        Raises:
            ValueError: the global limit allows less per second than the limit per address.
        """
        own, everybody = self.rate_limit, self.rate_limit_global
        if own and everybody and everybody.points / everybody.duration < own.points / own.duration:
            raise ValueError(
                f"rate_limit_global allows {everybody.points / everybody.duration:g} requests a second, fewer than "
                f"rate_limit's {own.points / own.duration:g}; raise the first or lower the second"
            )
