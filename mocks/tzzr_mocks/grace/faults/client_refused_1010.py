"""A gateway that does not like the client."""

from __future__ import annotations

from dataclasses import dataclass

from tzzr_mocks.control.asgi import ASGIApp, answer
from tzzr_mocks.control.fault import ReplyFault, Scene


@dataclass(frozen=True)
class ClientRefused1010(ReplyFault):
    """The request is answered 403 with ``error code: 1010``: the gateway refuses the client's User-Agent.

    Seen in captures of api.runpod.io by RunPod's staff, with Python's default User-Agent.

    YAML: ``- grace: every request gets client_refused_1010``
    """

    kind = "client_refused_1010"

    def wrap(self, app: ASGIApp, scene: Scene) -> ASGIApp:
        """Answer in the fake's place."""
        return answer(403, b"error code: 1010", [(b"content-type", b"text/plain; charset=UTF-8")])
