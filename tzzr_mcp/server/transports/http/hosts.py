"""Host and Origin, checked before anything else sees a request."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from tzzr_mcp.checks.visitors import Turned, Visitors
from tzzr_mcp.server.transports.http.options import HttpOptions
from tzzr_mcp.server.transports.http.replies import refusal


class HostGuard:
    """An ASGI middleware that lets pass what was asked for under a right name and by a right page.

    Refused are a Host that is not one of ours (421) and an Origin that is neither ours nor given (403). ``exempt``
    paths answer to any name: probes come by whatever address the platform gives the machine.
    """

    def __init__(self, app: ASGIApp, options: HttpOptions, exempt: frozenset[str] = frozenset()) -> None:
        self._app = app
        self._visitors = Visitors(options.host, options.hosts, options.origins)
        self._exempt = exempt

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        turned: Turned | None = None
        if scope["type"] == "http" and scope["path"] not in self._exempt:
            headers = Headers(scope=scope)
            turned = self._visitors.turned(headers.get("host", ""), headers.get("origin"))
        await (refusal(turned.status, turned.text) if turned else self._app)(scope, receive, send)
