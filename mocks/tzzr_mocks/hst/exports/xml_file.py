"""XML: a ``data`` element with one element per row."""

from __future__ import annotations

from typing import Any
from xml.sax.saxutils import escape

from tzzr_mocks.hst.query.javascript import to_string


def to_xml(rows: Any) -> str:
    """The rows as XML 1.0."""
    lines = ["<?xml version='1.0'?>", "<data>"]
    for row in rows if isinstance(rows, list) else [rows]:
        lines += _element("data", row, 1)
    return "\n".join([*lines, "</data>"])


def _element(name: str, value: Any, depth: int) -> list[str]:
    pad = "    " * depth
    if value is None or value in ({}, []):
        return [f"{pad}<{name}/>"]
    if isinstance(value, list):
        return [line for item in value for line in _element(name, item, depth)]
    if isinstance(value, dict):
        inner = [line for key, item in value.items() for line in _element(key, item, depth + 1)]
        return [f"{pad}<{name}>", *inner, f"{pad}</{name}>"]
    return [f"{pad}<{name}>{escape(to_string(value))}</{name}>"]
