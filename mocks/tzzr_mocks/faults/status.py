"""A reply with an HTTP error status."""

from __future__ import annotations

from dataclasses import dataclass

from tzzr_mocks.control.asgi import ASGIApp, answer_json
from tzzr_mocks.control.fault import ReplyFault, Scene


@dataclass(frozen=True)
class Status(ReplyFault):
    """The fake does nothing and answers with ``status``, in the upstream's own error envelope.

    Seen at RunPod (502, 503 while workers start; 500) and at every reverse proxy.

    YAML: ``- grace: first 2 calls fail with 503``
    """

    kind = "status"
    phrases = ("fails with {status}", "answers {status}", "answers with {status}", "fails")
    status: int = 503

    def __post_init__(self) -> None:
        if not 400 <= self.status <= 599:
            raise ValueError(f"status {self.status} is not an error; give 400 to 599")

    def wrap(self, app: ASGIApp, scene: Scene) -> ASGIApp:
        """Answer in the fake's place."""
        return answer_json(self.status, scene.error_body(self.status))
