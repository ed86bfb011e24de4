"""Logs on stderr, as text or as JSON, without secrets."""

from __future__ import annotations

import json
import logging
import re
import sys
from collections.abc import Iterable
from typing import Any, TextIO
from urllib.parse import quote

HIDDEN = "[secret]"
_CREDENTIALS = re.compile(r"(?i)(\bbearer\s+|access_token=)[^\s\"'&,;]+")
"""What looks like a credential although no setting knows it."""

QUIET = ("httpx", "httpcore", "asyncio", "mcp")
"""Libraries whose chatter below a warning tells a user nothing."""


def configure_logs(level: str, style: str, secrets: Iterable[str], stream: TextIO | None = None) -> None:
    """Send every log record of the process to stderr.

    ``style`` is ``text`` or ``json``; no line holds one of ``secrets``, whatever library wrote it.
    """
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(_Json(secrets) if style == "json" else _Text(secrets))
    logging.root.handlers[:] = [handler]
    logging.root.setLevel(level)
    for name in QUIET:
        logging.getLogger(name).setLevel(max(logging.WARNING, logging.root.level))


class _Text(logging.Formatter):
    """``12:00:00 WARNING tzzr_mcp.server.tools: …``."""

    def __init__(self, secrets: Iterable[str]) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s", "%H:%M:%S")
        forms = {form for secret in secrets if secret for form in (secret, quote(secret, safe=""), repr(secret)[1:-1])}
        self._forms = sorted(forms, key=len, reverse=True)

    def clean(self, text: str) -> str:
        for form in self._forms:
            text = text.replace(form, HIDDEN)
        return _CREDENTIALS.sub(rf"\1{HIDDEN}", text)

    def format(self, record: logging.LogRecord) -> str:
        return self.clean(super().format(record))


class _Json(_Text):
    """One JSON object a line: ``time`` in seconds since the epoch, ``level``, ``logger``, ``message``, ``exception``."""

    def format(self, record: logging.LogRecord) -> str:
        fields: dict[str, Any] = {
            "time": round(record.created, 3),
            "level": record.levelname,
            "logger": record.name,
            "message": self.clean(record.getMessage()),
        }
        if record.exc_info:
            fields["exception"] = self.clean(self.formatException(record.exc_info))
        return json.dumps(fields, ensure_ascii=False)
