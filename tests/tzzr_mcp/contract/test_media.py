"""Media types by their first bytes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tzzr_mcp.contract.catalogue import MEDIA_TYPES
from tzzr_mcp.contract.media import sniff

FILES = [
    (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "image/png"),
    (b"\xff\xd8\xff\xe0\x00\x10JFIF", "image/jpeg"),
    (b"II*\x00\x08\x00\x00\x00", "image/tiff"),
    (b"MM\x00*\x00\x00\x00\x08", "image/tiff"),
    (b"RIFF\x0a\x00\x00\x00WEBPVP8 ", "image/webp"),
    (b"%PDF-1.7\n", "application/pdf"),
    (b"\r\n%PDF-1.4", "application/pdf"),
    (b"RIFF\x0a\x00\x00\x00WAVEfmt ", "audio/wav"),
    (b"ID3\x04\x00", "audio/mpeg"),
    (b"\xff\xfb\x90\x64", "audio/mpeg"),
    (b"\xff\xf3\x40\xc4", "audio/mpeg"),
    (b"OggS\x00\x02", "audio/ogg"),
    (b"fLaC\x00\x00", "audio/flac"),
    (b"\x00\x00\x00\x20ftypM4A \x00\x00", "audio/mp4"),
]


@pytest.mark.parametrize(("octets", "media_type"), FILES)
def test_a_file_is_known_by_its_first_bytes(octets: bytes, media_type: str) -> None:
    assert sniff(octets) == media_type


def test_every_media_type_of_images_and_sounds_is_known() -> None:
    assert {media for _, media in FILES} == {*MEDIA_TYPES["image"], *MEDIA_TYPES["audio"]}


@pytest.mark.parametrize(
    "octets",
    [
        b"",
        b"hola",
        b"GIF89a",
        b"RIFF\x0a\x00\x00\x00AVI LIST",
        b"\xff\xff\xff\xff",
        b"\x00\x00\x00\x18ftypheic",
        b"PK\x03\x04",
    ],
)
def test_what_is_none_of_them_is_unknown(octets: bytes) -> None:
    assert sniff(octets) is None


@given(st.binary(max_size=80), st.sampled_from(FILES))
def test_what_follows_the_first_bytes_does_not_matter(tail: bytes, file: tuple[bytes, str]) -> None:
    octets, media_type = file

    assert sniff(octets + tail) == media_type
