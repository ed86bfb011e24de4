"""Reading audio files: their real duration and the text that they carry about themselves."""

from __future__ import annotations

import io
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from mutagen import FileType, MutagenError
from mutagen.flac import FLAC
from mutagen.mp3 import MP3
from mutagen.mp4 import MP4
from mutagen.ogg import OggFileType
from mutagen.oggflac import OggFLAC
from mutagen.oggopus import OggOpus
from mutagen.oggspeex import OggSpeex
from mutagen.oggvorbis import OggVorbis
from mutagen.wave import WAVE

from .port import EngineError, Work

__all__ = ["AUDIO_TYPES", "Recording", "recording_of"]

_OGG: tuple[type[OggFileType], ...] = (OggVorbis, OggOpus, OggFLAC, OggSpeex)
_READERS: dict[str, tuple[Callable[..., FileType], ...]] = {
    "audio/wav": (WAVE,),
    "audio/mpeg": (MP3,),
    "audio/ogg": _OGG,
    "audio/flac": (FLAC,),
    "audio/mp4": (MP4,),
}
AUDIO_TYPES = tuple(_READERS)
"""The audio media types of CONTRACT §1."""

_LYRICS_KEYS = ("uslt", "lyrics", "unsyncedlyrics", "transcript", "transcripcion", "©lyr")
_COMMENT_KEYS = ("comm", "comment", "description", "©cmt", "desc")
_RIFF_COMMENT = b"ICMT"


@dataclass(frozen=True, slots=True)
class Recording:
    """An audio file's length in seconds and the words it carries ("" when it carries none)."""

    duration_s: float
    text: str


def recording_of(work: Work) -> Recording:
    """The payload's recording. Raises ``PAYLOAD_UNSUPPORTED`` or ``PAYLOAD_CORRUPT``."""
    if work.media_type not in _READERS or isinstance(work.content, str):
        raise EngineError(
            "PAYLOAD_UNSUPPORTED", f"{work.module} does not hear {work.media_type}", {"accepted": list(AUDIO_TYPES)}
        )
    opened = _opened(work, work.octets)
    duration = float(getattr(opened.info, "length", 0.0))
    text = _lyrics(opened) or (_riff_comment(work.octets) if work.media_type == "audio/wav" else "")
    return Recording(round(max(0.0, duration), 3), text)


def _opened(work: Work, octets: bytes) -> FileType:
    reader: Callable[..., FileType]
    for reader in _READERS[str(work.media_type)]:
        try:
            return reader(io.BytesIO(octets))
        except (MutagenError, ValueError, struct.error, ZeroDivisionError, IndexError, OverflowError, EOFError):
            continue
    raise EngineError(
        "PAYLOAD_CORRUPT", f"the bytes are not a readable {work.media_type}", {"media_type": work.media_type}
    )


def _lyrics(opened: FileType) -> str:
    """The words in the tags, lyrics before comments."""
    found: Any = opened.tags
    tags = {str(key).casefold(): _tag_text(value) for key, value in found.items()} if found else {}
    for prefix in (*_LYRICS_KEYS, *_COMMENT_KEYS):
        for key, text in tags.items():
            if text and key.partition(":")[0] == prefix:
                return text
    return ""


def _tag_text(value: Any) -> str:
    text = getattr(value, "text", value)
    parts = text if isinstance(text, list) else [text]
    return "\n".join(part for part in parts if isinstance(part, str)).strip()


def _riff_comment(octets: bytes) -> str:
    """The ICMT entry of a WAV's ``LIST INFO`` chunk, which mutagen does not read."""
    for name, body in _chunks(octets[12:]):
        if name == b"LIST" and body[:4] == b"INFO":
            for entry, text in _chunks(body[4:]):
                if entry == _RIFF_COMMENT:
                    return _decoded(text.split(b"\0")[0]).strip()
    return ""


def _chunks(octets: bytes) -> Iterator[tuple[bytes, bytes]]:
    place = 0
    while place + 8 <= len(octets):
        name, size = struct.unpack_from("<4sI", octets, place)
        yield name, octets[place + 8 : place + 8 + size]
        place += 8 + size + size % 2


def _decoded(octets: bytes) -> str:
    try:
        return octets.decode("utf-8")
    except UnicodeDecodeError:
        return octets.decode("cp1252", "replace")
