"""Streamable HTTP: the SDK's transport, and what it lacks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from mcp import types as t
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.shared.dispatcher import coerce_request_id
from starlette.datastructures import Headers
from starlette.types import Message, Receive, Scope, Send

from tzzr_mcp.server.build import McpServer
from tzzr_mcp.server.transports.http.body import message_of
from tzzr_mcp.server.transports.http.options import HttpOptions
from tzzr_mcp.server.transports.http.replies import answered, refusal
from tzzr_mcp.server.transports.messages import in_use

SESSION = "mcp-session-id"


class Streamable:
    """``/mcp``: sessions for old-era clients (unless the options say stateless), none for the new era.

    Two mends. A request whose ``id`` another one of its session has is refused (409): the SDK would leave one of them
    without an answer. Without sessions, GET and DELETE are refused (405): the SDK would hold an empty stream open.
    """

    def __init__(self, server: McpServer, options: HttpOptions) -> None:
        self._stateless = options.stateless
        self._in_flight: defaultdict[str, set[t.RequestId]] = defaultdict(set)
        self._manager = StreamableHTTPSessionManager(
            server,
            stateless=options.stateless,
            session_idle_timeout=options.idle_s,
            max_sessions=options.max_sessions,
            max_request_body_size=options.max_body,
        )

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Serve while the block runs; at its end every session ends."""
        async with self._manager.run():
            yield

    async def serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        session = Headers(scope=scope).get(SESSION, "")
        if scope["method"] != "POST":
            await self._other(scope, receive, send)
        elif session and isinstance(message := message_of(scope), t.JSONRPCRequest):
            await self._request(session, message, scope, receive, send)
        else:
            await self._manager.handle_request(scope, receive, send)

    async def _other(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not self._stateless:
            await self._manager.handle_request(scope, receive, send)
            return
        response = refusal(405, "Este servidor no guarda sesiones: solo admite POST.")
        response.headers["Allow"] = "POST"
        await response(scope, receive, send)

    async def _request(
        self, session: str, message: t.JSONRPCRequest, scope: Scope, receive: Receive, send: Send
    ) -> None:
        identity = coerce_request_id(message.id)
        if identity in self._in_flight[session]:
            await answered(409, in_use(message.id).answer)(scope, receive, send)
            return
        self._in_flight[session].add(identity)

        async def freeing(part: Message) -> None:
            # Whoever has read the answer may use the id again, before the SDK has tidied up behind it.
            if part["type"] == "http.response.body" and not part.get("more_body", False):
                self._free(session, identity)
            await send(part)

        try:
            await self._manager.handle_request(scope, receive, freeing)
        finally:
            self._free(session, identity)

    def _free(self, session: str, identity: t.RequestId) -> None:
        self._in_flight[session].discard(identity)
        if not self._in_flight[session]:
            del self._in_flight[session]
