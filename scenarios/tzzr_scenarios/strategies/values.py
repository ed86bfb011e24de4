"""What documents are made of: texts, languages, instants, ids, first bytes of files (CONTRACT §1)."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache
from typing import Any, Final
from uuid import UUID

from hypothesis import strategies as st

from tzzr_mcp.contract.catalogue import LANG_PATTERN
from tzzr_mcp.contract.translation import instant

Json = Any
"""A JSON value: None, bool, int, float, str, list or dict of such."""

HOSTILE: Final = (
    "👩‍👩‍👧 familia",
    "שלום עולם",
    "e\u0301 y é",
    "línea\r\nlínea",
    "𝔘𝔫𝔦𝔠𝔬𝔡𝔢",
    "a\u2028b",
    "\ufeffmarca",
    '"\\/\b',
)
"""Texts that careless code loses: joiners, right to left, combining marks, CRLF, four-byte characters."""

FIRST_BYTES: Final = {
    "image/png": b"\x89PNG\r\n\x1a\n",
    "image/jpeg": b"\xff\xd8\xff\xe0",
    "image/tiff": b"II*\x00",
    "image/webp": b"RIFF\x04\x00\x00\x00WEBP",
    "application/pdf": b"%PDF-1.7\n",
    "audio/wav": b"RIFF\x04\x00\x00\x00WAVE",
    "audio/mpeg": b"ID3\x04",
    "audio/ogg": b"OggS\x00",
    "audio/flac": b"fLaC\x00",
    "audio/mp4": b"\x00\x00\x00\x20ftypM4A ",
}
"""Media type to the bytes that a file of it begins with."""

COMMON_LANGS: Final = ("es", "en", "fr", "de", "pt")


@cache
def texts(max_size: int = 60) -> st.SearchStrategy[str]:
    """Text that can be sent: any plane of Unicode, no NUL, no lone surrogate, not blank; ``max_size`` in characters."""
    alphabet = st.characters(exclude_categories=["Cs"], exclude_characters="\x00")
    free = st.text(alphabet, min_size=1, max_size=max_size).filter(lambda text: bool(text.strip()))
    hostile = [text for text in HOSTILE if len(text) <= max_size]
    return free | st.sampled_from(hostile) if hostile else free


@cache
def langs() -> st.SearchStrategy[str]:
    """BCP 47 primary subtags, known ones first: two or three lower-case letters."""
    return st.sampled_from(COMMON_LANGS) | st.from_regex(LANG_PATTERN, fullmatch=True)


@cache
def langs_or_auto() -> st.SearchStrategy[str]:
    """What ``context.lang`` takes."""
    return langs() | st.just("auto")


@cache
def instants() -> st.SearchStrategy[datetime]:
    """Moments of this century, in UTC."""
    return st.datetimes(datetime(2000, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001


@cache
def timestamps() -> st.SearchStrategy[str]:
    """Moments as the contract writes them: RFC 3339, UTC, milliseconds, Z."""
    return instants().map(instant)


@cache
def traces() -> st.SearchStrategy[UUID]:
    """Trace ids: UUIDs of version 4."""
    return st.uuids(version=4)


@cache
def ratios() -> st.SearchStrategy[float]:
    """Confidences: numbers in [0, 1]."""
    return st.floats(0, 1)


@cache
def amounts() -> st.SearchStrategy[str]:
    """Decimal strings with two digits, up to a thousand million either way."""
    return st.decimals(-(10**9), 10**9, places=2).map(lambda amount: f"{amount:.2f}")


def files(media_type: str, max_size: int = 40) -> st.SearchStrategy[bytes]:
    """Bytes that begin as a file of that media type does (any bytes for application/octet-stream).

    What follows is arbitrary: a reader may well find them corrupt, but not of another type.
    """
    first = FIRST_BYTES.get(media_type)
    if first is None:
        return st.binary(min_size=1, max_size=max_size)
    return st.binary(max_size=max_size).map(first.__add__)


@cache
def anything() -> st.SearchStrategy[Json]:
    """Any JSON value, small."""
    return st.recursive(
        st.none() | st.booleans() | st.integers(-5, 2**40) | st.floats(allow_nan=False) | st.text(max_size=8),
        lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=6), inner, max_size=2),
        max_leaves=4,
    )
