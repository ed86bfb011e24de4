"""Takes secrets out of any text that leaves the process."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Final
from urllib.parse import quote

from pydantic import SecretStr

HIDDEN: Final = "[secreto]"
LIMIT: Final = 2000
"""Most characters of an upstream's text that are logged."""


class Redaction:
    """Knows the secrets of one upstream, in the forms in which they could be echoed."""

    def __init__(self, secrets: Iterable[SecretStr]) -> None:
        plain = [secret.get_secret_value() for secret in secrets if secret.get_secret_value()]
        forms = {form for value in plain for form in (value, quote(value, safe=""), json.dumps(value)[1:-1])}
        self._forms = sorted(forms, key=len, reverse=True)

    def clean(self, text: str) -> str:
        """``text`` without secrets, on one line, at most `LIMIT` characters."""
        for form in self._forms:
            text = text.replace(form, HIDDEN)
        line = " ".join(text.split())
        return line if len(line) <= LIMIT else f"{line[:LIMIT]}…"
