"""What the model's APIs refuse, in either one's envelope.

The pairs of status, type and code are those of the APIs' reference pages: platform.openai.com/docs/guides/error-codes
and docs.anthropic.com/en/api/errors. The sentences are the fake's own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from types import MappingProxyType
from typing import Any, Final


@dataclass
class ModelError(Exception):
    """A request that is refused. ``code`` and ``param`` are OpenAI's; Anthropic tells status and message alone."""

    status: int
    message: str
    code: str | None = None
    param: str | None = None

    def __str__(self) -> str:
        return self.message


_OPENAI: Final[Mapping[int, tuple[str, str | None]]] = MappingProxyType(
    {
        401: ("invalid_request_error", "invalid_api_key"),
        403: ("invalid_request_error", "unsupported_country_region_territory"),
        429: ("requests", "rate_limit_exceeded"),
        500: ("server_error", None),
        503: ("server_error", None),
    }
)
_ANTHROPIC: Final[Mapping[int, str]] = MappingProxyType(
    {
        400: "invalid_request_error",
        401: "authentication_error",
        402: "billing_error",
        403: "permission_error",
        404: "not_found_error",
        413: "request_too_large",
        429: "rate_limit_error",
        500: "api_error",
        504: "timeout_error",
        529: "overloaded_error",
    }
)


def openai_envelope(error: ModelError) -> dict[str, Any]:
    """``{"error": {message, type, param, code}}``."""
    kind, code = _OPENAI.get(error.status, ("invalid_request_error" if error.status < 500 else "server_error", None))
    if error.code == "insufficient_quota":
        kind = "insufficient_quota"
    return {"error": {"message": error.message, "type": kind, "param": error.param, "code": error.code or code}}


def anthropic_envelope(error: ModelError, request_id: str | None = None) -> dict[str, Any]:
    """``{"type": "error", "error": {type, message}, "request_id"}``."""
    kind = _ANTHROPIC.get(error.status, "invalid_request_error" if error.status < 500 else "api_error")
    return {"type": "error", "error": {"type": kind, "message": error.message}, "request_id": request_id}


def plain(status: int) -> ModelError:
    """The error of a bare HTTP status."""
    phrase = HTTPStatus(status).phrase if status in list(HTTPStatus) else f"Status {status}"
    return ModelError(status, "Overloaded" if status == 529 else phrase)


def envelope_at(path: str, error: ModelError) -> dict[str, Any]:
    """The envelope of the API that has this path."""
    return anthropic_envelope(error) if path.startswith("/v1/messages") else openai_envelope(error)
