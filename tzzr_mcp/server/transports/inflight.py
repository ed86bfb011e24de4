"""The requests of one connection that have no answer yet."""

from __future__ import annotations

from mcp import types as t
from mcp.shared.dispatcher import coerce_request_id

from tzzr_mcp.server.transports.messages import Refusal, in_use

LISTEN = "subscriptions/listen"
"""The one request that stays open until the client goes: nobody waits for its answer."""


class InFlight:
    """Watches what comes in and what goes out, and refuses a second request with an ``id`` that is in use.

    The SDK lets the second one take the first one's place, so that one of them is never answered.
    """

    def __init__(self) -> None:
        self._methods: dict[t.RequestId, str] = {}

    def admit(self, message: t.JSONRPCMessage) -> None:
        """Take note of what the client sends.

        Raises:
            NotAMessage: a request whose ``id`` another one in flight has; 7 and "7" are the same.
        """
        if isinstance(message, t.JSONRPCRequest):
            identity = coerce_request_id(message.id)
            if identity in self._methods:
                raise in_use(message.id)
            self._methods[identity] = message.method
        elif isinstance(message, t.JSONRPCNotification) and message.method == "notifications/cancelled":
            self._forget((message.params or {}).get("requestId"))

    def withdraw(self, message: t.JSONRPCMessage) -> None:
        """Forget a request that was admitted and then not handed on."""
        if isinstance(message, t.JSONRPCRequest):
            self._forget(message.id)

    def answered(self, message: t.JSONRPCMessage) -> None:
        """Take note of what the server sends."""
        if isinstance(message, t.JSONRPCResponse | t.JSONRPCError) and not isinstance(message, Refusal):
            self._forget(message.id)

    @property
    def pending(self) -> bool:
        """Whether somebody waits for an answer."""
        return any(method != LISTEN for method in self._methods.values())

    def _forget(self, identity: object) -> None:
        if isinstance(identity, str | int):
            self._methods.pop(coerce_request_id(identity), None)
