"""A body that says it is JSON, and is not."""

from __future__ import annotations

from dataclasses import dataclass

from tzzr_mocks.control.asgi import ASGIApp, RawHeaders, change_reply
from tzzr_mocks.control.fault import ReplyFault, Scene


@dataclass(frozen=True)
class MalformedJson(ReplyFault):
    """The fake's work is done, but the body of its reply has single quotes where JSON has double ones.

    Seen where a service prints its own structure instead of encoding it. Status and headers stay.

    YAML: ``- grace: 1st call answers malformed json``
    """

    kind = "malformed_json"
    phrases = ("answers malformed json", "is malformed", "answers broken json")

    def wrap(self, app: ASGIApp, scene: Scene) -> ASGIApp:
        """Spoil the body."""
        return change_reply(app, _spoiled)


def _spoiled(status: int, headers: RawHeaders, body: bytes) -> tuple[int, RawHeaders, bytes]:
    return status, headers, body.replace(b'"', b"'") if b'"' in body else b"{'a': None,}"
