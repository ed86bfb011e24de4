"""Too many requests."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from email.utils import format_datetime
from math import ceil

from tzzr_mocks.control.asgi import ASGIApp, answer_json
from tzzr_mocks.control.fault import ReplyFault, Scene


@dataclass(frozen=True)
class RateLimited(ReplyFault):
    """The fake answers 429; with ``retry_after`` (seconds) it says when to come back, ``as_date`` as an HTTP date.

    Seen at RunPod (per endpoint and per key) and at Directus (with its rate limiter on). RFC 9110 §10.2.3.

    YAML: ``- grace: first call is rate limited retry_after=30s``
    """

    kind = "rate_limited"
    phrases = ("is rate limited", "is rate limited for {retry_after}")
    retry_after: float | None = None
    as_date: bool = False

    def __post_init__(self) -> None:
        if self.retry_after is not None and self.retry_after < 0:
            raise ValueError(f"retry_after {self.retry_after:g} must not be negative")

    def wrap(self, app: ASGIApp, scene: Scene) -> ASGIApp:
        """Answer in the fake's place."""
        return answer_json(429, scene.error_body(429), self._headers(scene))

    def _headers(self, scene: Scene) -> list[tuple[bytes, bytes]]:
        if self.retry_after is None:
            return []
        if not self.as_date:
            return [(b"retry-after", str(ceil(self.retry_after)).encode())]
        instant = scene.seams.clock.now() + timedelta(seconds=self.retry_after)
        return [(b"retry-after", format_datetime(instant, usegmt=True).encode())]
