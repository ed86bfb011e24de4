"""The right bytes under the wrong name."""

from __future__ import annotations

from dataclasses import dataclass

from tzzr_mocks.control.asgi import ASGIApp, RawHeaders, change_reply
from tzzr_mocks.control.fault import ReplyFault, Scene


@dataclass(frozen=True)
class WrongContentType(ReplyFault):
    """The body is what it should be, but its Content-Type is ``content_type``; empty: there is none.

    Seen at services behind object stores and old proxies. A client that reads the bytes can live with it.

    YAML: ``- hst: every call has wrong_content_type content_type=text/plain``
    """

    kind = "wrong_content_type"
    content_type: str = "text/plain"

    def wrap(self, app: ASGIApp, scene: Scene) -> ASGIApp:
        """Change the header."""

        def renamed(status: int, headers: RawHeaders, body: bytes) -> tuple[int, RawHeaders, bytes]:
            others = [(name, value) for name, value in headers if name.lower() != b"content-type"]
            named = [(b"content-type", self.content_type.encode("latin-1"))] if self.content_type else []
            return status, [*others, *named], body

        return change_reply(app, renamed)
