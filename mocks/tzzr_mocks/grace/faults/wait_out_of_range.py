"""A ``wait`` that is refused."""

from __future__ import annotations

from dataclasses import dataclass

from tzzr_mocks.control.asgi import ASGIApp
from tzzr_mocks.control.fault import ReplyFault, Scene
from tzzr_mocks.grace.errors import BadRequest
from tzzr_mocks.grace.faults.refusing import refusing


@dataclass(frozen=True)
class WaitOutOfRange(ReplyFault):
    """The request is answered 400 with the platform's words about ``wait``, whatever it asked for.

    Seen in runpod/runpod-mcp#13.

    YAML: ``- grace: POST /runsync has wait_out_of_range``
    """

    kind = "wait_out_of_range"

    def wrap(self, app: ASGIApp, scene: Scene) -> ASGIApp:
        """Answer in the fake's place."""
        return refusing(BadRequest("wait is invalid; must be between 1000 and 300000"))
