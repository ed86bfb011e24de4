"""The platform's refusals, as values: status, body and media type of runpod.md §3 and §10.

    Refusal            anything that is not a 200
    ├── BadRequest     400, JSON {"error": …}
    ├── TooLarge       400 or 413, JSON
    ├── Unauthorized   401, empty text unless switched
    ├── NotFound       404, JSON unless switched
    └── TooMany        429, empty text

What the documents leave open has variants, chosen by `tzzr_mocks.grace.options.Options`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Literal

JSON = "application/json"
TEXT = "text/plain"
HTML = "text/html"


class Refusal(Exception):
    """An answer other than 200."""

    def __init__(self, status: int, body: str, media_type: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(f"{status} {body}".rstrip())
        self.status = status
        self.body = body
        self.media_type = media_type
        self.headers = dict(headers or {})


def error_body(text: str) -> str:
    """``{"error": text}``, compact."""
    return json.dumps({"error": text}, separators=(",", ":"), ensure_ascii=False)


class BadRequest(Refusal):
    """400 with the reason as JSON: D for the status, L for the shape."""

    def __init__(self, text: str, status: int = 400) -> None:
        super().__init__(status, error_body(text), JSON)


class TooLarge(BadRequest):
    """A body over the operation's limit; the words of runpod-python#27."""

    def __init__(self, limit_mb: int, status: int) -> None:
        super().__init__(f"json is invalid; max size is {limit_mb} MB", status)


class Unauthorized(Refusal):
    """401: no key, a wrong key, or one without permission for the endpoint."""

    def __init__(self, form: Literal["empty", "json", "gateway"] = "empty", *, given: bool = True) -> None:
        if form == "empty":
            super().__init__(401, "", TEXT)
        elif form == "json":
            super().__init__(401, error_body("unauthorized"), JSON)
        else:
            detail = "invalid api key" if given else "no token provided"
            body = {"status": 401, "title": "Unauthorized", "detail": detail}
            super().__init__(401, json.dumps(body, separators=(",", ":")), JSON)


class NotFound(Refusal):
    """404: unknown endpoint; unknown, purged or expired job."""

    def __init__(self, what: str, form: Literal["json", "empty", "html"] = "json") -> None:
        if form == "json":
            super().__init__(404, error_body(f"{what} not found"), JSON)
        elif form == "empty":
            super().__init__(404, "", TEXT)
        else:
            super().__init__(404, gateway_page(404, "Not Found"), HTML)


class TooMany(Refusal):
    """429: rate, concurrency or queue length."""

    def __init__(self, retry_after_s: int | None = None) -> None:
        headers = {} if retry_after_s is None else {"Retry-After": str(retry_after_s)}
        super().__init__(429, "", TEXT, headers)


def gateway_page(status: int, title: str) -> str:
    """The HTML that a gateway puts in the platform's place."""
    head = f"<title>api.runpod.ai | {status}: {title}</title>"
    return f"<!DOCTYPE html><html><head>{head}</head><body>cloudflare</body></html>"
