"""Who may come in: under which names, from which pages, with which token, and with how large a request."""

from __future__ import annotations

import hmac
from dataclasses import dataclass, field

import anyio
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tzzr_mcp.checks.environment import StartError, words
from tzzr_mcp.checks.visitors import Visitors, is_loopback, origins_of
from tzzr_mcp.gateway.api.problems import problem
from tzzr_mcp.gateway.settings import GatewaySettings

HEALTH = frozenset({"/healthz", "/readyz"})
"""Probes come by whatever address the platform gives the machine, and without a token."""
BODY_S = 60.0
"""Seconds that a caller has to send a request's body."""


@dataclass(frozen=True)
class Access:
    """``address`` is where it listens; ``token`` what callers must send, if anything; ``max_body`` is in bytes."""

    address: str = "127.0.0.1"
    hosts: frozenset[str] = frozenset()
    origins: tuple[str, ...] = ()
    token: str | None = field(default=None, repr=False)
    max_body: int = 4 * 2**20


def access_of(settings: GatewaySettings) -> Access:
    """What the settings say.

    Raises:
        StartError: other machines could use it, and nothing asks them who they are; or an allowed origin is none.
    """
    token = settings.token.get_secret_value() if settings.token else None
    if token is None and not is_loopback(settings.host):
        raise StartError(_UNGUARDED.format(host=settings.host))
    return Access(
        address=settings.host,
        hosts=frozenset(words(settings.allowed_hosts)),
        origins=origins_of(settings.allowed_origins, "TZZR_GATEWAY_ALLOWED_ORIGINS"),
        token=token,
        max_body=settings.max_body,
    )


class Guard:
    """An ASGI middleware. Refused are a wrong Host (421) or Origin (403), and under ``/api`` a missing token (401)."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self._app, self._access = app, access
        variables = ("TZZR_GATEWAY_ALLOWED_HOSTS", "TZZR_GATEWAY_ALLOWED_ORIGINS")
        self._visitors = Visitors(access.address, access.hosts, access.origins, variables)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        answer = self._refusal(scope) if scope["type"] == "http" else None
        await (answer or self._app)(scope, receive, send)

    def _refusal(self, scope: Scope) -> ASGIApp | None:
        headers = Headers(scope=scope)
        if scope["path"] in HEALTH:
            return None
        turned = self._visitors.turned(headers.get("host", ""), headers.get("origin"))
        if turned is not None:
            return problem(turned.status, "NOT_WELCOME", turned.text)
        if scope["path"].startswith("/api") and not self._knows(headers.get("authorization", "")):
            text = "Hace falta una clave para usar este servicio. Envíela en la cabecera «Authorization: Bearer …»."
            return problem(401, "TOKEN_NEEDED", text, {"WWW-Authenticate": "Bearer"})
        return None

    def _knows(self, authorization: str) -> bool:
        if self._access.token is None:
            return True
        scheme, _, given = authorization.partition(" ")
        right = hmac.compare_digest(given.strip().encode(), self._access.token.encode())
        return scheme.lower() == "bearer" and right


class BodyLimit:
    """An ASGI middleware: bodies reach the application whole, or not at all (413, 408)."""

    def __init__(self, app: ASGIApp, most: int) -> None:
        self._app, self._most = app, most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http" or scope["method"] not in {"POST", "PUT", "PATCH"}:
            await self._app(scope, receive, send)
            return
        try:
            with anyio.fail_after(BODY_S):
                body = await self._body(receive)
        except TimeoutError:
            await problem(408, "BODY_LATE", f"La petición no llegó entera en {BODY_S:g} s.")(scope, receive, send)
        except _TooLong:
            text = f"La petición pasa de {self._most} bytes, el límite. Empiece una conversación nueva."
            await problem(413, "BODY_TOO_LONG", text, {"Connection": "close"})(scope, receive, send)
        except _Gone:
            return
        else:
            await self._app(scope, _replayed(body, receive), send)

    async def _body(self, receive: Receive) -> bytes:
        body = bytearray()
        more = True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise _Gone
            body += message.get("body", b"")
            if len(body) > self._most:
                raise _TooLong
            more = message.get("more_body", False)
        return bytes(body)


class _TooLong(Exception):
    pass


class _Gone(Exception):
    pass


def _replayed(body: bytes, receive: Receive) -> Receive:
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Message:
        return waiting.pop() if waiting else await receive()

    return replay


_UNGUARDED = """\
TZZR_GATEWAY_HOST is {host!r}: other machines could use the gateway, and nothing asks them who they are.
  Set TZZR_GATEWAY_TOKEN, or listen on this machine alone: TZZR_GATEWAY_HOST=127.0.0.1"""
