"""The one table that knows which headers, fields and query parameters carry secrets, and how they are blotted out."""

from __future__ import annotations

import re
from collections.abc import Iterable

SECRET_HEADERS = frozenset(
    {"authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key", "x-auth-token", "x-tzzr-token"}
)
SECRET_FIELDS = (
    "access_token", "api_key", "apikey", "authorization", "client_secret", "id_token", "password", "refresh_token",
    "secret", "token",
)  # fmt: skip
"""Names of JSON fields and of query parameters, without case."""
BLOT = "[redacted]"

_NAMES = "|".join(SECRET_FIELDS)
_JSON_FIELD = re.compile(rf'("(?:{_NAMES})"\s*:\s*)"(?:[^"\\]|\\.)*"?', re.IGNORECASE)
_QUERY = re.compile(rf"((?:^|[?&;])(?:{_NAMES})=)[^&;\s\"]*", re.IGNORECASE)
_SCHEME = re.compile(r"^(\w+) +\S.*$", re.DOTALL)


class Redaction:
    """Blots out secrets: by the name of what carries them, and by their value wherever it stands."""

    def __init__(self, values: Iterable[str] = ()) -> None:
        self._values = sorted({value for value in values if value}, key=len, reverse=True)

    def learn(self, values: Iterable[str]) -> None:
        """From now on blot out these values too, wherever they stand."""
        self._values = sorted({*self._values, *(value for value in values if value)}, key=len, reverse=True)

    def text(self, text: str) -> str:
        """``text`` (a body, a URL, a log line) without secrets."""
        for value in self._values:
            text = text.replace(value, BLOT)
        folded = text.casefold()
        if not any(name in folded for name in SECRET_FIELDS):  # which is most bodies, and soon seen
            return text
        return _QUERY.sub(rf"\1{BLOT}", _JSON_FIELD.sub(rf'\1"{BLOT}"', text))

    def header(self, name: str, value: str) -> str:
        """The value of one header without secrets; the scheme of an authorisation stays."""
        if name.lower() not in SECRET_HEADERS:
            return self.text(value)
        return _SCHEME.sub(rf"\1 {BLOT}", value) if _SCHEME.match(value) else BLOT
