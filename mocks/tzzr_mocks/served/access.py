"""Who may use the control plane: this machine, or whoever has the token.

A page from elsewhere in a browser on this machine is neither: the Host must be a name of this machine (DNS rebinding),
and an Origin, where there is one, too.
"""

from __future__ import annotations

import hmac
import ipaddress
from urllib.parse import urlsplit

from tzzr_mocks.control.asgi import ASGIApp, Receive, Scope, Send, answer_json

TOKEN_HEADER = b"x-tzzr-token"
_REFUSED = "the control plane answers this machine alone; from elsewhere send the token in X-TZZR-Token"


class AccessMiddleware:
    """Lets in or answers 403. ``token`` None: this machine alone."""

    def __init__(self, app: ASGIApp, token: str | None) -> None:
        self._app, self._token = app, token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        allowed = _is_local(scope) or self._has_token(scope)
        app = self._app if allowed else answer_json(403, {"error": {"message": _REFUSED}})
        await app(scope, receive, send)

    def _has_token(self, scope: Scope) -> bool:
        given = dict(scope["headers"]).get(TOKEN_HEADER, b"")
        return self._token is not None and hmac.compare_digest(given, self._token.encode())


def _is_local(scope: Scope) -> bool:
    headers = dict(scope["headers"])
    client = (scope.get("client") or ("",))[0]
    host = urlsplit(f"//{headers.get(b'host', b'').decode('latin-1')}").hostname
    origin = headers.get(b"origin")
    from_here = origin is None or _is_this_machine(urlsplit(origin.decode("latin-1")).hostname)
    return _is_this_machine(client) and _is_this_machine(host) and from_here


def _is_this_machine(name: str | None) -> bool:
    if name == "localhost":
        return True
    try:
        return ipaddress.ip_address(name or "").is_loopback
    except ValueError:
        return False
