"""An answer that comes too late to tell the job's id."""

from __future__ import annotations

from dataclasses import dataclass

from tzzr_mocks.control.asgi import ASGIApp, Message, Receive, Scope, Send
from tzzr_mocks.control.fault import ReplyFault, Scene


@dataclass(frozen=True)
class ClientTimeoutLosesId(ReplyFault):
    """The job is queued and runs, but the answer is held for ``seconds``: a client that gives up never learns its id.

    Seen in objctp/runpod-cli#49.

    YAML: ``- grace: first request to POST /run has client_timeout_loses_id seconds=2min``
    """

    kind = "client_timeout_loses_id"
    phrases = ("answers too late",)
    seconds: float = 120.0

    def wrap(self, app: ASGIApp, scene: Scene) -> ASGIApp:
        """Hold every message of the answer."""

        async def late(scope: Scope, receive: Receive, send: Send) -> None:
            answer: list[Message] = []

            async def keep(message: Message) -> None:
                answer.append(message)

            await app(scope, receive, keep)
            await scene.seams.clock.sleep(self.seconds)
            for message in answer:
                await send(message)

        return late
