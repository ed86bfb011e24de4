"""XML: an element per field, one after the other for the items of a list."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from tzzr_mocks.hst.errors import Unexpected
from tzzr_mocks.hst.javascript import to_string

_NAME = re.compile(r"[A-Za-z_:\u00c0-\U000effff][\w.:\u00b7-]*")
_FORBIDDEN = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def to_xml(rows: Any) -> str:
    """The rows as XML 1.0.

    Raises:
        Refusal: 500, a key that cannot be an element's name.
    """
    inner = [line for row in rows for line in _element("data", row, 1)] if isinstance(rows, list) else _fields(rows, 1)
    return "\n".join(["<?xml version='1.0'?>", *_wrapped("data", list(inner), "")])


def _wrapped(name: str, inner: list[str], pad: str) -> list[str]:
    return [f"{pad}<{name}>", *inner, f"{pad}</{name}>"] if inner else [f"{pad}<{name}/>"]


def _fields(row: Any, depth: int) -> Iterator[str]:
    for key, value in row.items():
        yield from _element(key, value, depth)


def _element(name: str, value: Any, depth: int) -> Iterator[str]:
    pad = "    " * depth
    if isinstance(value, list):
        for item in value:
            yield from _element(name, item, depth)
        return
    if not _NAME.fullmatch(name):
        raise Unexpected(f'element name "{name}" should not contain characters not allowed in XML names')
    if isinstance(value, dict):
        yield from _wrapped(name, list(_fields(value, depth + 1)), pad)
    else:
        text = to_string(value)
        if _FORBIDDEN.search(text):
            raise Unexpected(f'text of element "{name}" should not contain characters not allowed in XML')
        text = text.replace("&", "&amp;").replace("<", "&lt;").replace("]]>", "]]&gt;")
        yield f"{pad}<{name}>{text}</{name}>" if text else f"{pad}<{name}/>"
