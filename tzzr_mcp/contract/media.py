"""What kind of file some bytes are, by their first bytes (contract §1: the media types that a payload may carry)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

_SIGNATURES: Final[Mapping[str, re.Pattern[bytes]]] = MappingProxyType(
    {
        "image/png": re.compile(rb"\x89PNG\r\n\x1a\n"),
        "image/jpeg": re.compile(rb"\xff\xd8\xff"),
        "image/tiff": re.compile(rb"II\*\x00|MM\x00\*"),
        "image/webp": re.compile(rb"RIFF....WEBP", re.DOTALL),
        "application/pdf": re.compile(rb"\s*%PDF-"),
        "audio/wav": re.compile(rb"RIFF....WAVE", re.DOTALL),
        "audio/ogg": re.compile(rb"OggS"),
        "audio/flac": re.compile(rb"fLaC"),
        "audio/mp4": re.compile(rb"....ftyp(?!hei|hev|mif|msf|avi)", re.DOTALL),  # the same box opens HEIC and AVIF
        # A tag, or a frame: eleven bits of sync, a version, a layer and a bit rate that are not the reserved ones.
        "audio/mpeg": re.compile(rb"ID3|\xff[\xe2-\xe7\xf2-\xf7\xfa-\xff][\x10-\xef]"),
    }
)
"""The first bytes of each media type; none is the beginning of another."""

SNIFFED: Final = 64
"""How many bytes are looked at."""


def sniff(octets: bytes) -> str | None:
    """The media type that the first bytes of `octets` tell, or None."""
    head = octets[:SNIFFED]
    return next((media for media, signature in _SIGNATURES.items() if signature.match(head)), None)
