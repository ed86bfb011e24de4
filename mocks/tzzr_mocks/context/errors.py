"""The Context Manager's error envelope: ``{"error": {"code", "message"}}`` (CONTRACT §6).

``ContextError`` carries an HTTP status, a code and an English message.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

_CODES = {
    400: "AGENT_ID_INVALID",
    401: "UNAUTHORIZED",
    404: "NOT_FOUND",
    405: "METHOD_NOT_ALLOWED",
    429: "RATE_LIMITED",
}


class ContextError(Exception):
    """A request that the Context Manager refuses."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status, self.code, self.message = status, code, message

    def as_json(self) -> dict[str, Any]:
        """The envelope."""
        return envelope(self.code, self.message)


def envelope(code: str, message: str) -> dict[str, Any]:
    """The body of every error reply."""
    return {"error": {"code": code, "message": message}}


def status_envelope(status: int) -> dict[str, Any]:
    """The body for a bare HTTP status."""
    phrase = HTTPStatus(status).phrase if status in list(HTTPStatus) else f"Status {status}"
    return envelope(_CODES.get(status, "INTERNAL"), phrase)
