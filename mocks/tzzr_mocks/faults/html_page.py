"""A web page where an API's answer should be."""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus

from tzzr_mocks.control.asgi import ASGIApp, answer
from tzzr_mocks.control.fault import ReplyFault, Scene

_HEADERS = [(b"content-type", b"text/html; charset=utf-8")]


@dataclass(frozen=True)
class HtmlPage(ReplyFault):
    """A proxy answers with an HTML page and ``status``; with 200 it is a captive portal or a maintenance page.

    Seen at every reverse proxy, CDN and hotel network.

    YAML: ``- hst: every call answers an html page status=200``
    """

    kind = "html_page"
    phrases = ("answers an html page", "answers html")
    status: int = 502

    def __post_init__(self) -> None:
        if not 200 <= self.status <= 599:
            raise ValueError(f"status {self.status} cannot carry a page; give 200 to 599")

    def wrap(self, app: ASGIApp, scene: Scene) -> ASGIApp:
        """Answer in the fake's place."""
        known = self.status in list(HTTPStatus)
        title = f"{self.status} {HTTPStatus(self.status).phrase}" if known else str(self.status)
        page = f"<!doctype html><html><head><title>{title}</title></head><body><h1>{title}</h1></body></html>"
        return answer(self.status, page.encode(), _HEADERS)
