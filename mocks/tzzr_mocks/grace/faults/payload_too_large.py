"""A body that is refused for its size."""

from __future__ import annotations

from dataclasses import dataclass

from tzzr_mocks.control.asgi import ASGIApp
from tzzr_mocks.control.fault import ReplyFault, Scene
from tzzr_mocks.grace.errors import TooLarge
from tzzr_mocks.grace.faults.refusing import refusing


@dataclass(frozen=True)
class PayloadTooLarge(ReplyFault):
    """The request is answered 400 with the platform's words about a limit of ``megabytes``, whatever its size.

    Seen in runpod/runpod-python#27.

    YAML: ``- grace: POST /run has payload_too_large``
    """

    kind = "payload_too_large"
    phrases = ("is too large",)
    megabytes: int = 10
    status: int = 400

    def wrap(self, app: ASGIApp, scene: Scene) -> ASGIApp:
        """Answer in the fake's place."""
        return refusing(TooLarge(self.megabytes, self.status))
