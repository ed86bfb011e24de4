"""The request's body as Express reads it, and V8's words for JSON that is none."""

from __future__ import annotations

import json
from typing import Any

from tzzr_mocks.hst.errors import invalid_payload

LIMIT = 1024 * 1024
"""Bytes; one more is a 400, not a 413."""


def read_body(content: bytes, content_type: str | None) -> Any:
    """The JSON value of a body; ``{}`` when there is none, or it is of another type.

    Raises:
        Refusal: 400, too large, or no JSON.
    """
    if not content or (content_type or "").partition(";")[0].strip().lower() != "application/json":
        return {}
    if len(content) > LIMIT:
        raise invalid_payload("request entity too large")
    text = content.decode("utf-8", "replace")
    first = text.lstrip(" \t\n\r")[:1]
    if first not in ("{", "["):
        raise invalid_payload(_unexpected(text, first))
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise invalid_payload(_words(error)) from None


def _unexpected(text: str, letter: str) -> str:
    if not letter:
        return "Unexpected end of JSON input"
    return f"Unexpected token '{letter}', \"{text}\" is not valid JSON"


_V8 = {
    "Expecting property name enclosed in double quotes": "Expected property name or '}' in JSON",
    "Illegal trailing comma before end of object": "Expected double-quoted property name in JSON",
    "Expecting ':' delimiter": "Expected ':' after property name in JSON",
    "Unterminated string starting at": "Unterminated string in JSON",
    "Extra data": "Unexpected non-whitespace character after JSON",
}


def _words(error: json.JSONDecodeError) -> str:
    text, place = error.doc, error.pos
    if error.msg == "Unterminated string starting at":
        place = len(text)
    where = f"at position {place} (line {error.lineno} column {place - text.rfind(chr(10), 0, place)})"
    if error.msg in _V8:
        return f"{_V8[error.msg]} {where}"
    if error.msg == "Expecting ',' delimiter" and place < len(text):
        after = "',' or ']' after array element" if _inside_list(text[:place]) else "',' or '}' after property value"
        return f"Expected {after} in JSON {where}"
    return _unexpected(text, text[place : place + 1])


def _inside_list(text: str) -> bool:
    return text.count("[") > text.count("]") and text.rfind("[") > text.rfind("{")
