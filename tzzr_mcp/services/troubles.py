"""What can go wrong on the way to an upstream, before anybody knows what it means for a tool.

    UpstreamError      one request failed; its Trouble says how, and whether the same request may succeed later

Each service maps a trouble to the codes of contract §2. An error carries no header, no body and no library's text, so
that no secret and no upstream's words can reach a user through it.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final


class Trouble(StrEnum):
    """How a request failed."""

    UNREACHABLE = "unreachable"  # no connection, or it broke
    TIMEOUT = "timeout"  # no whole answer within the request's own time
    DEADLINE = "deadline"  # the call's deadline passed
    CIRCUIT_OPEN = "circuit_open"  # not asked: it failed too often a moment ago
    BUSY = "busy"  # not asked: as many calls as are allowed are about this upstream
    AUTH = "auth"  # 401
    FORBIDDEN = "forbidden"  # 403
    NOT_FOUND = "not_found"  # 404
    TOO_LARGE = "too_large"  # 413, or the upstream's own words for it
    RATE_LIMITED = "rate_limited"  # 429
    REFUSED = "refused"  # any other 4xx, and redirects
    BROKEN = "broken"  # 5xx
    BAD_RESPONSE = "bad_response"  # success by its status, yet not what the upstream promises


RETRYABLE: Final = frozenset(
    {Trouble.UNREACHABLE, Trouble.TIMEOUT, Trouble.RATE_LIMITED, Trouble.BROKEN, Trouble.BAD_RESPONSE}
)
"""After these the same request may succeed within the same call."""

UNHEALTHY: Final = frozenset({Trouble.UNREACHABLE, Trouble.TIMEOUT, Trouble.BROKEN})
"""These count against the upstream in its circuit breaker; with any other answer it is alive."""

_BY_STATUS: Final = {
    401: Trouble.AUTH,
    403: Trouble.FORBIDDEN,
    404: Trouble.NOT_FOUND,
    408: Trouble.TIMEOUT,
    413: Trouble.TOO_LARGE,
    429: Trouble.RATE_LIMITED,
}

_TOO_LARGE: Final = (b"max size", b"too large")
"""RunPod (runpod.md §10) and Directus (directus.md §6) say at 400 that a body is too large."""


def trouble_of(status: int, body: bytes) -> Trouble | None:
    """What an HTTP status means; None for success."""
    if 200 <= status < 300:
        return None
    if status == 400 and any(words in body[:1000] for words in _TOO_LARGE):
        return Trouble.TOO_LARGE
    if status == 403 and b'"INVALID_TOKEN"' in body:  # a token with a wrong signature (directus.md §5)
        return Trouble.AUTH
    return _BY_STATUS.get(status, Trouble.BROKEN if status >= 500 else Trouble.REFUSED)


class UpstreamError(Exception):
    """One request to ``service`` failed.

    ``status`` is the HTTP status if one came, ``retry_after_s`` the seconds that the upstream asked to wait, ``state``
    the last known state of the job that could not be followed to its end.
    """

    def __init__(
        self, service: str, trouble: Trouble, *, status: int | None = None, retry_after_s: float | None = None
    ) -> None:
        super().__init__(f"{service}: {trouble}" + (f" ({status})" if status is not None else ""))
        self.service = service
        self.trouble = trouble
        self.status = status
        self.retry_after_s = retry_after_s
        self.state: str | None = None

    @property
    def retryable(self) -> bool:
        """Whether the same request may succeed within this call."""
        return self.trouble in RETRYABLE
