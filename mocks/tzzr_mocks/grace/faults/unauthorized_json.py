"""A key that is refused with a reason."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tzzr_mocks.control.asgi import ASGIApp
from tzzr_mocks.control.fault import ReplyFault, Scene
from tzzr_mocks.grace.errors import Unauthorized
from tzzr_mocks.grace.faults.refusing import refusing


@dataclass(frozen=True)
class UnauthorizedJson(ReplyFault):
    """The request is answered 401 with JSON: ``json`` is ``{"error": …}``, ``gateway`` what load-balanced hosts say.

    Seen in runpod/runpod-python#258 and #38; the gateway's form is a capture by RunPod's staff.

    YAML: ``- grace: every request has unauthorized_json form=gateway``
    """

    kind = "unauthorized_json"
    form: Literal["json", "gateway"] = "json"

    def wrap(self, app: ASGIApp, scene: Scene) -> ASGIApp:
        """Answer in the fake's place."""
        return refusing(Unauthorized(self.form))
