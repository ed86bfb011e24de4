"""An endpoint that is not there, said without JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tzzr_mocks.control.asgi import ASGIApp
from tzzr_mocks.control.fault import ReplyFault, Scene
from tzzr_mocks.grace.errors import NotFound
from tzzr_mocks.grace.faults.refusing import refusing


@dataclass(frozen=True)
class UnknownEndpointNonJson(ReplyFault):
    """The request is answered 404 with an empty body, or with an HTML page.

    Seen in runpod/runpod-python#36 and #258.

    YAML: ``- grace: every request has unknown_endpoint_non_json form=html``
    """

    kind = "unknown_endpoint_non_json"
    form: Literal["empty", "html"] = "empty"

    def wrap(self, app: ASGIApp, scene: Scene) -> ASGIApp:
        """Answer in the fake's place."""
        return refusing(NotFound("endpoint", self.form))
