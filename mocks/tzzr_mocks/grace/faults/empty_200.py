"""A success without a word."""

from __future__ import annotations

from dataclasses import dataclass

from tzzr_mocks.control.asgi import ASGIApp, answer
from tzzr_mocks.control.fault import ReplyFault, Scene


@dataclass(frozen=True)
class Empty200(ReplyFault):
    """The request is answered 200 with no body and no media type; the platform never sees it.

    Seen in a measurement of RunPod's clients.

    YAML: ``- grace: first request gets empty_200``
    """

    kind = "empty_200"

    def wrap(self, app: ASGIApp, scene: Scene) -> ASGIApp:
        """Answer in the fake's place."""
        return answer(200, b"")
