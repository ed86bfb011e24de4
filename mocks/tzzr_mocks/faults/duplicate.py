"""A request that arrives twice."""

from __future__ import annotations

from dataclasses import dataclass

from tzzr_mocks.control.asgi import ASGIApp, Message, Receive, Scope, Send, read_body, replay
from tzzr_mocks.control.fault import ReplyFault, Scene


@dataclass(frozen=True)
class Duplicate(ReplyFault):
    """The fake gets the request twice and does its work twice; the client sees the second reply alone.

    Seen at proxies and clients that send again what they believe lost. What is idempotent must not notice.

    YAML: ``- grace: calls to /run are duplicated``
    """

    kind = "duplicate"
    phrases = ("is duplicated", "arrives twice")

    def wrap(self, app: ASGIApp, scene: Scene) -> ASGIApp:
        """Call the fake twice."""

        async def twice(scope: Scope, receive: Receive, send: Send) -> None:
            body = await read_body(receive)
            await app({**scope}, replay(body, receive), _nowhere)
            await app({**scope}, replay(body, receive), send)

        return twice


async def _nowhere(message: Message) -> None:
    """The first reply is lost."""
