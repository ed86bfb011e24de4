"""A key that is refused without a word."""

from __future__ import annotations

from dataclasses import dataclass

from tzzr_mocks.control.asgi import ASGIApp
from tzzr_mocks.control.fault import ReplyFault, Scene
from tzzr_mocks.grace.errors import Unauthorized
from tzzr_mocks.grace.faults.refusing import refusing


@dataclass(frozen=True)
class UnauthorizedPlain(ReplyFault):
    """The request is answered 401 with an empty text/plain body, although its key is good.

    Seen in runpod/runpod-python#258 and #38.

    YAML: ``- grace: every request has unauthorized_plain``
    """

    kind = "unauthorized_plain"
    phrases = ("is unauthorized",)

    def wrap(self, app: ASGIApp, scene: Scene) -> ASGIApp:
        """Answer in the fake's place."""
        return refusing(Unauthorized("empty"))
