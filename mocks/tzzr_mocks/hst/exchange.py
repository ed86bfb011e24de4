"""One request and one answer, as routes see them: no ASGI here."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from tzzr_mocks.hst.accounts import NOBODY, Account
from tzzr_mocks.hst.query.brackets import parse_query

JSON_TYPE = "application/json; charset=utf-8"
HTML_TYPE = "text/html; charset=utf-8"
TEXT_TYPE = "text/plain; charset=utf-8"


@dataclass
class Call:
    """One request. ``path`` is as sent, undecoded; ``body`` is what its JSON says, ``{}`` without one."""

    method: str
    path: str
    query_string: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    content: bytes = b""
    address: str = "127.0.0.1"
    body: Any = field(default_factory=dict)
    account: Account = NOBODY
    parameters: dict[str, str] = field(default_factory=dict)

    @cached_property
    def query(self) -> dict[str, Any]:
        """The query string as nested values."""
        return parse_query(self.query_string)

    @cached_property
    def cookies(self) -> dict[str, str]:
        """The request's cookies."""
        pairs = [part.partition("=") for part in self.headers.get("cookie", "").split(";")]
        return {name.strip(): value.strip() for name, _, value in pairs if name.strip()}


@dataclass
class Answer:
    """One reply. Without a ``kind`` it has no Content-Type; ``tagged`` ones get an ETag."""

    status: int = 200
    body: bytes = b""
    kind: str | None = None
    headers: dict[str, str] = field(default_factory=dict)
    cookies: list[str] = field(default_factory=list)
    tagged: bool = True

    def all_headers(self) -> list[tuple[bytes, bytes]]:
        """Everything that is sent, ETag and length computed."""
        found = dict(self.headers)
        if self.kind:
            found.setdefault("content-type", self.kind)
        if self.status not in (204, 304):
            found["content-length"] = str(len(self.body))
        if self.tagged and self.status != 204:
            found["etag"] = self.etag
        pairs = [*found.items(), *(("set-cookie", cookie) for cookie in self.cookies)]
        return [(name.encode(), value.encode("latin-1", "replace")) for name, value in pairs]

    @cached_property
    def etag(self) -> str:
        """Weak: the body's length in hexadecimal and the first 27 characters of its SHA-1 in Base64."""
        digest = base64.b64encode(hashlib.sha1(self.body, usedforsecurity=False).digest()).decode()
        return f'W/"{len(self.body):x}-{digest[:27]}"'


_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), check_circular=False)


def encode(value: Any) -> bytes:
    """Compact JSON in UTF-8; a lone surrogate is escaped, as JavaScript does."""
    return _ENCODER.encode(value).encode("utf-8", "backslashreplace")


_FRESH = {"cache-control": "no-cache", "vary": "Origin, Cache-Control"}


def respond(value: Any, *, kind: str = JSON_TYPE) -> Answer:
    """200 with a JSON body and the caching headers of every success."""
    return Answer(200, encode(value), kind, dict(_FRESH))


def respond_text(text: str, kind: str, **headers: str) -> Answer:
    """200 with a text and the caching headers of every success."""
    return Answer(200, text.encode(), kind, {**_FRESH, **headers})


def no_content() -> Answer:
    """204 with the caching headers of every success."""
    return Answer(204, headers=dict(_FRESH))


def plain_text(text: str, kind: str = TEXT_TYPE, **headers: str) -> Answer:
    """200 with a text and nothing of the API's own."""
    return Answer(200, text.encode(), kind, headers)
