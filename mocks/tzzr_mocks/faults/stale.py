"""The answer to an earlier question."""

from __future__ import annotations

from dataclasses import dataclass

from tzzr_mocks.control.asgi import ASGIApp, answer
from tzzr_mocks.control.fault import ReplyFault, Scene


@dataclass(frozen=True)
class Stale(ReplyFault):
    """The client gets the last reply that the same route gave, to whomever; the fake does nothing.

    Seen at caches that take too little into their key. Without an earlier reply the fake answers as it should.

    YAML: ``- grace: 2nd call to /run is stale``
    """

    kind = "stale"
    phrases = ("is stale", "answers the last question")

    def wrap(self, app: ASGIApp, scene: Scene) -> ASGIApp:
        """Answer in the fake's place, if it has answered before."""
        last = scene.previous
        if last is None:
            return app
        dropped = (b"content-length", b"x-tzzr-fake")
        headers = [(name, value) for name, value in last.headers if name.lower() not in dropped]
        return answer(last.status, last.body, headers)
