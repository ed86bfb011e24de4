"""HTTP+SSE, the transport of protocol 2024-11-05: ``GET /sse`` and ``POST /messages?sessionId=<uuid>`` (third seed).

Our own rather than the SDK's, which names the parameter otherwise, cannot cap its sessions in number or idle time,
and drops a message that it cannot read.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from urllib.parse import quote
from uuid import UUID

from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser, authorization_context
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

from tzzr_mcp.server.build import McpServer
from tzzr_mcp.server.transports.http.body import message_of
from tzzr_mcp.server.transports.http.replies import answered, refusal
from tzzr_mcp.server.transports.http.sse_session import Full, SseSession
from tzzr_mcp.server.transports.messages import NotAMessage

log = logging.getLogger(__name__)

PARAMETERS = ("sessionId", "session_id")
"""The seed's name, and that of the SDK's own transport."""


def unguessable() -> UUID:
    """A UUID of the system's entropy; not of `Dice`, whose course can be foreseen from what they have drawn."""
    return UUID(bytes=os.urandom(16), version=4)  # noqa: TID251 - as said above


class SseSessions:
    """The open sessions, at most ``limit`` of them; each ends after ``idle_s`` seconds without a message."""

    def __init__(self, server: McpServer, *, limit: int, idle_s: float, ids: Callable[[], UUID] = unguessable) -> None:
        self._server = server
        self._limit = limit
        self._idle_s = idle_s
        self._ids = ids
        self._open: dict[UUID, SseSession] = {}

    def __len__(self) -> int:
        return len(self._open)

    async def open(self, scope: Scope, receive: Receive, send: Send) -> None:
        """``GET /sse``: the stream, whose first event tells where to post."""
        if scope["method"] == "HEAD":
            await Response(headers={"Content-Type": "text/event-stream"})(scope, receive, send)
            return
        if len(self._open) >= self._limit:
            log.warning("refused an SSE session: %d are open, the limit", self._limit)
            text = f"El servidor ya tiene abiertas {self._limit} sesiones, su límite. Vuelva a intentarlo más tarde."
            await refusal(503, text)(scope, receive, send)
            return
        session = SseSession(self._ids(), caller_of(scope), self._idle_s)
        self._open[session.identity] = session
        try:
            await session.serve(self._server, _endpoint(scope, session.identity), receive, send)
        finally:
            del self._open[session.identity]

    async def post(self, scope: Scope, receive: Receive, send: Send) -> None:
        """``POST /messages``: 202, and the answer comes over the stream."""
        await self._posted(Request(scope))(scope, receive, send)

    def _posted(self, request: Request) -> Response:
        given = _given(request)
        if given is None:
            return refusal(400, f"Falta el parámetro «{PARAMETERS[0]}», que indica el evento «endpoint» de GET /sse.")
        session = self._find(given)
        if session is None or session.caller != caller_of(request.scope):
            return refusal(404, "No existe esa sesión, o ya terminó. Abra otra con GET /sse.")
        try:
            session.put(message_of(request.scope), request)
        except NotAMessage as refused:
            return answered(409, refused.answer)
        except Full:
            return refusal(503, "La sesión tiene demasiados mensajes sin atender. Vuelva a intentarlo más tarde.")
        return PlainTextResponse("Accepted", 202)

    def _find(self, given: str) -> SseSession | None:
        try:
            return self._open.get(UUID(given))
        except ValueError:
            return None

    def close(self) -> None:
        """End every session."""
        for session in self._open.values():
            session.end()


def caller_of(scope: Scope) -> object:
    """Who asks, as far as a token told; None when nobody had to tell. Equal for every token of the same holder."""
    user = scope.get("user")
    return authorization_context(user) if isinstance(user, AuthenticatedUser) else None


def _endpoint(scope: Scope, identity: UUID) -> str:
    return f"{quote(scope.get('root_path', '').rstrip('/'))}/messages?{PARAMETERS[0]}={identity}"


def _given(request: Request) -> str | None:
    return next((value for name in PARAMETERS if (value := request.query_params.get(name))), None)
