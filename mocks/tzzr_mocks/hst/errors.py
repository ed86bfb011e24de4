"""Directus' error envelope: each refusal that the recordings show (directus.md §6)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tzzr_mocks.hst.javascript import to_string


class Refusal(Exception):
    """An answer other than success; its body is Directus' error envelope.

    ``headers`` are sent with it. ``hidden`` holds what only the admin is told instead of the message.
    """

    def __init__(
        self, status: int, code: str, message: str, *, headers: dict[str, str] | None = None, **extensions: Any
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.extensions = extensions
        self.headers = headers or {}

    def body(self, *, stack: bool = False) -> dict[str, Any]:
        """``{"errors": [{message, extensions}]}`` with the code last; ``stack`` is what a development server adds."""
        extensions = self.extensions | ({"stack": f"Error: {self.message}"} if stack else {})
        return {"errors": [{"message": self.message, "extensions": {**extensions, "code": self.code}}]}


class Unexpected(Refusal):
    """500; the admin reads the database's own message, anybody else a plain one."""

    def __init__(self, inner: str = "An unexpected error occurred.") -> None:
        super().__init__(500, "INTERNAL_SERVER_ERROR", inner)

    def for_anybody(self) -> Refusal:
        """The same refusal without the inner message."""
        plain = Unexpected()
        plain.headers = self.headers
        return plain


def _forbidden(reason: str) -> Refusal:
    return Refusal(403, "FORBIDDEN", reason, reason=reason)


def forbidden() -> Refusal:
    """403 without a reason: an id, a system route."""
    return Refusal(403, "FORBIDDEN", "You don't have permission to access this.")


def forbidden_collection(name: str) -> Refusal:
    """403: the collection is unknown or may not be used; Directus does not tell which."""
    return _forbidden(
        f'You don\'t have permission to access collection "{name}" or it does not exist. Queried in root.'
    )


def forbidden_fields(names: Sequence[str], collection: str) -> Refusal:
    """403: fields that are unknown or may not be seen."""
    quoted = ", ".join(f'"{name}"' for name in names)
    what, does = (f"field {quoted}", "it does") if len(names) == 1 else (f"fields {quoted}", "they do")
    return _forbidden(
        f'You don\'t have permission to access {what} in collection "{collection}" or {does} not exist. Queried in root.'
    )


def forbidden_action(action: str, collection: str) -> Refusal:
    """403 of the routes about collections and fields, and of an empty deletion."""
    return _forbidden(
        f'You don\'t have permission to perform "{action}" for collection "{collection}" or it does not exist.'
    )


def invalid_query(reason: str) -> Refusal:
    """400: the query parameters."""
    return Refusal(400, "INVALID_QUERY", f"Invalid query. {reason}.", reason=reason)


def invalid_payload(reason: str) -> Refusal:
    """400: the body."""
    return Refusal(400, "INVALID_PAYLOAD", f"Invalid payload. {reason}.", reason=reason)


def failed_validation(field: str, kind: str, message: str) -> Refusal:
    """400: a value that the field does not take; ``kind`` is ``required`` or ``nnull``."""
    text = f'Validation failed for field "{field}". {message}.'
    return Refusal(400, "FAILED_VALIDATION", text, field=field, path=[], type=kind)


def not_unique(collection: str, field: str, value: Any) -> Refusal:
    """400: the value is taken by another row."""
    quoted = "" if value == "" else f'"{to_string(value)}" '
    text = f'Value {quoted}for field "{field}" in collection "{collection}" has to be unique.'
    return Refusal(400, "RECORD_NOT_UNIQUE", text, collection=collection, field=field, value=value)


def value_refused(collection: str, code: str, text: str) -> Refusal:
    """400 of PostgreSQL: a value too long or out of range, the field not named."""
    return Refusal(400, code, text, collection=collection, field=None, value=None)


def invalid_credentials() -> Refusal:
    """401: unknown token, suspended user, wrong password."""
    return Refusal(401, "INVALID_CREDENTIALS", "Invalid user credentials.")


def token_expired() -> Refusal:
    """401: a token of ours whose time is over."""
    return Refusal(401, "TOKEN_EXPIRED", "Token expired.")


def invalid_token() -> Refusal:
    """403: a token that says it is ours and is not."""
    return Refusal(403, "INVALID_TOKEN", "Invalid token.")


def route_not_found(path: str) -> Refusal:
    """404: no such path, or no such method on it."""
    return Refusal(404, "ROUTE_NOT_FOUND", f"Route {path} doesn't exist.", path=path)


def too_many_requests(limit: int, seconds: int, reset: str) -> Refusal:
    """429: ``seconds`` until the window ends, ``reset`` its end in ISO 8601."""
    text = f"Too many requests, retry after {seconds}s."
    headers = {"retry-after": str(seconds)}
    return Refusal(429, "REQUESTS_EXCEEDED", text, headers=headers, limit=limit, reset=reset)


def under_pressure(retry_after: int | None) -> Refusal:
    """503: the process has too much to do; sent before anything else is looked at."""
    headers = {} if retry_after is None else {"retry-after": str(retry_after)}
    text = 'Service "api" is unavailable. Under pressure.'
    return Refusal(503, "SERVICE_UNAVAILABLE", text, headers=headers, service="api", reason="Under pressure")
