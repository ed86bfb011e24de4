"""A web page that calls itself a success."""

from __future__ import annotations

from dataclasses import dataclass

from tzzr_mocks.control.asgi import ASGIApp, answer
from tzzr_mocks.control.fault import ReplyFault, Scene
from tzzr_mocks.grace.errors import gateway_page


@dataclass(frozen=True)
class HtmlAt200(ReplyFault):
    """The request is answered 200 with HTML; the platform never sees it. RunPod's JS client takes it for a result.

    Seen in a measurement of RunPod's clients.

    YAML: ``- grace: first request gets html_at_200``
    """

    kind = "html_at_200"

    def wrap(self, app: ASGIApp, scene: Scene) -> ASGIApp:
        """Answer in the fake's place."""
        return answer(200, gateway_page(200, "OK").encode(), [(b"content-type", b"text/html; charset=UTF-8")])
