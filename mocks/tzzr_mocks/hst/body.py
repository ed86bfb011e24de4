"""The request's body as Express reads it."""

from __future__ import annotations

import json
from typing import Any

from tzzr_mocks.hst.errors import invalid_payload
from tzzr_mocks.hst.v8_errors import complaint, unexpected

LIMIT = 1024 * 1024
"""Bytes; one more is a 400, not a 413."""


def read_body(content: bytes, content_type: str | None) -> Any:
    """The JSON object or list of a body; ``{}`` when there is none, or it is of another type.

    Raises:
        Refusal: 400, too large, or no JSON.
    """
    if not content or (content_type or "").partition(";")[0].strip().lower() != "application/json":
        return {}
    if len(content) > LIMIT:
        raise invalid_payload("request entity too large")
    text = content.decode("utf-8", "replace")
    start = len(text) - len(text.lstrip(" \t\n\r"))
    wrong = complaint(text) if text[start : start + 1] in ("{", "[") else unexpected(text, start)
    if wrong is not None:
        raise invalid_payload(wrong)
    return json.loads(text)
