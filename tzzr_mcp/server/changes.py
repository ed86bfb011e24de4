"""Notices of change, to clients of both eras that asked for them.

From 2026-07-28 on a client opens a ``subscriptions/listen`` stream; before, every session that said it was ready gets
list changes, and resource updates of the URIs that it subscribed to. The catalogue of one process is fixed, so the
built-in plugins send none today; what a client asks for is accepted and kept all the same.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import Any, Literal
from weakref import WeakKeyDictionary

from mcp import types as t
from mcp.server.connection import Connection
from mcp.server.context import ServerRequestContext
from mcp.server.session import ServerSession
from mcp.server.subscriptions import (
    InMemorySubscriptionBus,
    ListenHandler,
    PromptsListChanged,
    ResourcesListChanged,
    ResourceUpdated,
    ServerEvent,
    ToolsListChanged,
)

log = logging.getLogger(__name__)

Catalogue = Literal["tools", "resources", "prompts"]

_EVENTS: dict[Catalogue, ServerEvent] = {
    "tools": ToolsListChanged(),
    "resources": ResourcesListChanged(),
    "prompts": PromptsListChanged(),
}
_SENDERS: dict[Catalogue, Callable[[Connection], Awaitable[None]]] = {
    "tools": Connection.send_tool_list_changed,
    "resources": Connection.send_resource_list_changed,
    "prompts": Connection.send_prompt_list_changed,
}


class Changes:
    """Who listens, and how to tell them."""

    def __init__(self) -> None:
        self._bus = InMemorySubscriptionBus()
        self._sessions: WeakKeyDictionary[Connection, set[str]] = WeakKeyDictionary()
        self.listen = ListenHandler(self._bus)

    def enrol(self, session: ServerSession) -> None:
        """Remember an old-era session for as long as its connection lives."""
        self._uris(session)

    async def subscribe(self, ctx: ServerRequestContext[Any, Any], params: t.SubscribeRequestParams) -> t.EmptyResult:
        """``resources/subscribe``."""
        self._uris(ctx.session).add(str(params.uri))
        return t.EmptyResult()

    async def unsubscribe(
        self, ctx: ServerRequestContext[Any, Any], params: t.UnsubscribeRequestParams
    ) -> t.EmptyResult:
        """``resources/unsubscribe``; of what was never subscribed, too."""
        self._uris(ctx.session).discard(str(params.uri))
        return t.EmptyResult()

    async def catalogue_changed(self, which: Catalogue) -> None:
        """Tell everybody who listens that a list is not what it was."""
        await self._bus.publish(_EVENTS[which])
        for connection in list(self._sessions):
            await _sent(_SENDERS[which](connection))

    async def resource_changed(self, uri: str) -> None:
        """Tell everybody who subscribed to ``uri``."""
        await self._bus.publish(ResourceUpdated(uri=uri))
        for connection, uris in list(self._sessions.items()):
            if uri in uris:
                await _sent(connection.send_resource_updated(uri))

    def close(self) -> None:
        """End every open ``subscriptions/listen`` stream."""
        self.listen.close()

    def _uris(self, session: ServerSession) -> set[str]:
        # A ServerSession lives as long as one request; the connection behind it has no public way in yet.
        return self._sessions.setdefault(session._connection, set())


async def _sent(sending: Awaitable[None]) -> None:
    try:
        await sending
    except Exception:
        log.debug("a client is gone before its notice of change", exc_info=True)
