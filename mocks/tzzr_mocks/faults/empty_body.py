"""A reply without a body."""

from __future__ import annotations

from dataclasses import dataclass

from tzzr_mocks.control.asgi import ASGIApp, RawHeaders, change_reply
from tzzr_mocks.control.fault import ReplyFault, Scene


@dataclass(frozen=True)
class EmptyBody(ReplyFault):
    """The fake's work is done, and status and headers are sent, but the body has no byte.

    Seen where a handler is killed between the two.

    YAML: ``- grace: 1st call answers nothing``
    """

    kind = "empty_body"
    phrases = ("answers nothing", "is empty")

    def wrap(self, app: ASGIApp, scene: Scene) -> ASGIApp:
        """Drop the body."""
        return change_reply(app, _dropped)


def _dropped(status: int, headers: RawHeaders, body: bytes) -> tuple[int, RawHeaders, bytes]:
    return status, headers, b""
