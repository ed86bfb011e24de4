"""The smallest picture and sound, and how a fixture declares itself."""

from __future__ import annotations

import base64
import struct
import zlib
from collections.abc import Mapping
from functools import cache
from typing import Any

from mcp import types as t

from tzzr_mcp.plugins.lowlevel import RawTool

NO_ARGUMENTS: Mapping[str, Any] = {"type": "object", "properties": {}, "additionalProperties": False}


def fixture(name: str, function: str, description: str, arguments: Mapping[str, Any] = NO_ARGUMENTS) -> RawTool:
    """A tool that the suite calls by ``name``; ``function`` is its place, within this package."""
    return RawTool(name, name, description, arguments, f"{__package__}.{function}")


def text(words: str) -> t.CallToolResult:
    """A result of text alone."""
    return t.CallToolResult(content=[t.TextContent(text=words)])


@cache
def png() -> str:
    """One red pixel, in base64."""
    header = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    chunks = (_chunk(b"IHDR", header), _chunk(b"IDAT", zlib.compress(b"\0\xff\0\0")), _chunk(b"IEND", b""))
    return base64.b64encode(b"\x89PNG\r\n\x1a\n" + b"".join(chunks)).decode()


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


@cache
def wav() -> str:
    """Eight silent samples at 8 kHz, in base64."""
    layout = struct.pack("<4sIHHIIHH", b"fmt ", 16, 1, 1, 8000, 8000, 1, 8)
    body = b"WAVE" + layout + struct.pack("<4sI", b"data", 8) + b"\x80" * 8
    return base64.b64encode(b"RIFF" + struct.pack("<I", len(body)) + body).decode()
