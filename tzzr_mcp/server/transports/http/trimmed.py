"""Header values without the blanks around them, which are no part of a value (RFC 9110 §5.5)."""

from __future__ import annotations

from starlette.types import ASGIApp, Receive, Scope, Send


class TrimmedHeaders:
    """uvicorn's httptools parser leaves the blanks behind a value in place, and the SDK compares values as they come."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] == "http":
            scope["headers"] = [(name, value.strip(b" \t")) for name, value in scope["headers"]]
        await self._app(scope, receive, send)
