"""Host and Origin: whether a page of somebody else's can make a browser talk to this server.

DNS rebinding needs a name that the attacker controls, so an address as Host is always safe; names must be this
machine's own, or be given. A page may only talk to the server that it came from, unless its origin is given.
"""

from __future__ import annotations

import logging
import socket
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from tzzr_mcp.server.transports.http.options import HttpOptions, is_loopback
from tzzr_mcp.server.transports.http.replies import refusal

log = logging.getLogger(__name__)

ANY = "*"


class HostGuard:
    """An ASGI middleware that lets pass what was asked for under a right name and by a right page.

    Refused are a Host that is not one of ours (421) and an Origin that is neither ours nor given (403). ``exempt``
    paths answer to any name: probes come by whatever address the platform gives the machine.
    """

    def __init__(self, app: ASGIApp, options: HttpOptions, exempt: frozenset[str] = frozenset()) -> None:
        self._app = app
        self._local = options.local
        self._names = options.hosts | {"localhost"} | (frozenset() if options.local else {socket.gethostname().lower()})
        self._origins = frozenset(options.origins)
        self._exempt = exempt

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        refused = None
        if scope["type"] == "http" and scope["path"] not in self._exempt:
            refused = self._refused(Headers(scope=scope))
        await (refused or self._app)(scope, receive, send)

    def _refused(self, headers: Headers) -> Response | None:
        host, origin = headers.get("host", ""), headers.get("origin")
        if not self._is_ours(host):
            log.warning("refused Host %r; to let it in, name it in TZZR_HTTP_ALLOWED_HOSTS", host[:200])
            return refusal(421, f"El servidor no atiende bajo el nombre «{host[:100]}» (cabecera Host).")
        if origin is not None and not self._is_welcome(origin, host):
            log.warning("refused Origin %r; to let it in, name it in TZZR_HTTP_ALLOWED_ORIGINS", origin[:200])
            return refusal(403, f"El servidor no admite páginas de «{origin[:100]}» (cabecera Origin).")
        return None

    def _is_ours(self, host: str) -> bool:
        name = _name(f"//{host}")
        if name is None:
            return False
        if name in self._names or host.lower() in self._names or ANY in self._names:
            return True
        return is_loopback(name) if self._local else _is_address(name)

    def _is_welcome(self, origin: str, host: str) -> bool:
        if origin in self._origins or ANY in self._origins:
            return True
        name = _name(origin)
        if name is None or not origin.startswith(("http://", "https://")):
            return False
        return urlsplit(origin).netloc == host or (self._local and is_loopback(name))


def _name(url: str) -> str | None:
    """The host name or address of a URL, in lower case, without port and brackets; None when it is none."""
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return None
    wrong = parts.path or parts.query or parts.fragment or parts.username is not None
    return None if wrong or not parts.hostname else parts.hostname.rstrip(".")


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
