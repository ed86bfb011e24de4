"""A long answer that is cut off."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from tzzr_mocks.control.asgi import ASGIApp, Receive, Scope, Send
from tzzr_mocks.control.fault import ReplyFault, Scene
from tzzr_mocks.grace.timing import at_most


@dataclass(frozen=True)
class StreamCut60s(ReplyFault):
    """The connection ends ``seconds`` after the request, in the middle of whatever is being sent; the job goes on.

    Seen in runpod/runpod-python#396, on the ``/openai`` route.

    YAML: ``- grace: POST /openai/{rest:path} has stream_cut_60s``
    """

    kind = "stream_cut_60s"
    phrases = ("is cut after {seconds}",)
    seconds: float = 60.0

    def wrap(self, app: ASGIApp, scene: Scene) -> ASGIApp:
        """Leave when the time is over, without an end to what was being sent."""

        async def cut(scope: Scope, receive: Receive, send: Send) -> None:
            answering = asyncio.ensure_future(app(scope, receive, send))
            try:
                if await at_most(self.seconds, scene.seams.clock, answering):
                    answering.result()
            finally:
                answering.cancel()

        return cut
