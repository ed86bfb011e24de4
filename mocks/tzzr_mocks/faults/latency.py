"""A reply that takes its time."""

from __future__ import annotations

from dataclasses import dataclass

from tzzr_mocks.control.asgi import ASGIApp, Receive, Scope, Send
from tzzr_mocks.control.fault import ReplyFault, Scene


@dataclass(frozen=True)
class Latency(ReplyFault):
    """The fake waits ``seconds``, and up to ``jitter`` seconds more, before it looks at the request.

    Seen everywhere; cold starts at RunPod take minutes.

    YAML: ``- hst: every call takes 3s``
    """

    kind = "latency"
    phrases = ("takes {seconds}", "is slow")
    seconds: float = 1.0
    jitter: float = 0.0

    def __post_init__(self) -> None:
        if self.seconds < 0 or self.jitter < 0:
            raise ValueError(f"seconds {self.seconds:g} and jitter {self.jitter:g} must not be negative")

    def wrap(self, app: ASGIApp, scene: Scene) -> ASGIApp:
        """Wait, then let the fake answer."""

        async def late(scope: Scope, receive: Receive, send: Send) -> None:
            more = scene.dice.uniform(0.0, self.jitter) if self.jitter else 0.0
            await scene.seams.clock.sleep(self.seconds + more)
            await app(scope, receive, send)

        return late
