"""A JSON body that stops in the middle, with a length that says nothing is missing."""

from __future__ import annotations

from dataclasses import dataclass

from tzzr_mocks.control.asgi import ASGIApp, RawHeaders, change_reply
from tzzr_mocks.control.fault import ReplyFault, Scene


@dataclass(frozen=True)
class TruncatedJson(ReplyFault):
    """The fake's work is done, but only the first ``keep`` part (0 to 1) of the body's bytes are sent.

    Seen behind proxies that cap bodies. The Content-Length fits what is sent, so that HTTP is content and only the
    JSON parser notices; for a connection that breaks off there is ``truncated_body``.

    YAML: ``- grace: 2nd call answers truncated json``
    """

    kind = "truncated_json"
    phrases = ("answers truncated json",)
    keep: float = 0.5

    def __post_init__(self) -> None:
        if not 0 < self.keep < 1:
            raise ValueError(f"keep {self.keep:g} is not between 0 and 1")

    def wrap(self, app: ASGIApp, scene: Scene) -> ASGIApp:
        """Cut the body."""

        def cut(status: int, headers: RawHeaders, body: bytes) -> tuple[int, RawHeaders, bytes]:
            return status, headers, body[: int(len(body) * self.keep)]

        return change_reply(app, cut)
