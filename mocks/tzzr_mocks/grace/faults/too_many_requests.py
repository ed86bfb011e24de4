"""Too many requests, as the platform says it."""

from __future__ import annotations

from dataclasses import dataclass

from tzzr_mocks.control.asgi import ASGIApp
from tzzr_mocks.control.fault import ReplyFault, Scene
from tzzr_mocks.grace.errors import TooMany
from tzzr_mocks.grace.faults.refusing import refusing


@dataclass(frozen=True)
class TooManyRequests(ReplyFault):
    """The request is answered 429 with an empty text/plain body, and ``Retry-After`` when ``retry_after`` is given.

    The limits of `tzzr_mocks.grace.limits` answer the same when they are exceeded.

    Seen in RunPod's documents (runpod/docs#165 and #166); no user reported it.

    YAML: ``- grace: first 2 requests to GET /status/{job_id} get too_many_requests retry_after=1``
    """

    kind = "too_many_requests"
    phrases = ("exceeds the limits",)
    retry_after: int | None = None

    def wrap(self, app: ASGIApp, scene: Scene) -> ASGIApp:
        """Answer in the fake's place."""
        return refusing(TooMany(self.retry_after))
