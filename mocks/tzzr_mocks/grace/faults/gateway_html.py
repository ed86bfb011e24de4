"""A gateway that answers in the platform's place."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

from tzzr_mocks.control.asgi import ASGIApp, answer
from tzzr_mocks.control.fault import ReplyFault, Scene
from tzzr_mocks.grace.errors import gateway_page

TITLES: Final = MappingProxyType(
    {
        500: "Internal server error",
        502: "Bad gateway",
        503: "Service temporarily unavailable",
        504: "Gateway time-out",
        520: "Web server is returning an unknown error",
        522: "Connection timed out",
        524: "A timeout occurred",
    }
)


@dataclass(frozen=True)
class GatewayHtml(ReplyFault):
    """The request is answered ``status`` with the gateway's HTML page; the platform never sees it.

    Seen in davefojtik/RunPod-Fooocus-API#37; the statuses are those that RunPod's next client retries.

    YAML: ``- grace: first 2 requests get gateway_html status=524``
    """

    kind = "gateway_html"
    phrases = ("meets a gateway error {status}", "meets a gateway error")
    status: Literal[500, 502, 503, 504, 520, 522, 524] = 502

    def wrap(self, app: ASGIApp, scene: Scene) -> ASGIApp:
        """Answer in the fake's place."""
        page = gateway_page(self.status, TITLES[self.status])
        return answer(self.status, page.encode(), [(b"content-type", b"text/html; charset=UTF-8")])
