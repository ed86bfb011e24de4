"""TTS_ENGINE: a valid WAV in which every letter sounds as its own tone, so that the length follows the text."""

from __future__ import annotations

import base64
import io
import math
import struct
import wave
from functools import lru_cache

from . import params
from .pace import cost_ms
from .port import Answer, EngineError, Work

__all__ = ["MAX_CHARACTERS", "VOICES", "speak"]

VOICES = {"alba": 1.0, "bruno": 0.6, "vera": 1.25}
"""Voice to the factor by which it raises or lowers each tone; the first is the default."""

MAX_CHARACTERS = 4096
"""About four minutes of sound; a longer text is ``PAYLOAD_TOO_LARGE``."""

_RATE = 8000
_SAMPLES_PER_CHARACTER = 480
_FADE_SAMPLES = 40
_LOWEST_HZ = 180.0
_SEMITONE = 2 ** (1 / 12)
_LOUDNESS = 9000


def speak(work: Work) -> Answer:
    """``{audio_base64, media_type, duration_s}``: mono, 16 bits, 8 kHz, 60 ms for each character."""
    text = work.text.strip()
    voice = params.choice(work, "voice", "alba", VOICES)
    if len(text) > MAX_CHARACTERS:
        raise EngineError(
            "PAYLOAD_TOO_LARGE",
            f"{work.module} speaks at most {MAX_CHARACTERS} characters, and the text has {len(text)}",
            {"limit_bytes": MAX_CHARACTERS, "size_bytes": len(work.octets)},
        )
    sound = b"".join(_tone(_pitch(mark), VOICES[voice]) for mark in text)
    result = {
        "audio_base64": base64.b64encode(_wav(sound)).decode("ascii"),
        "media_type": "audio/wav",
        "duration_s": len(text) * _SAMPLES_PER_CHARACTER / _RATE,
    }
    return Answer(result, cost_ms=cost_ms(work.module, len(work.octets)))


def _pitch(mark: str) -> int | None:
    """The semitone of a letter or digit; None, silence, for anything else."""
    return ord(mark.casefold()[0]) % 25 if mark.isalnum() else None


@lru_cache(maxsize=128)
def _tone(pitch: int | None, factor: float) -> bytes:
    if pitch is None:
        return bytes(2 * _SAMPLES_PER_CHARACTER)
    turn = 2 * math.pi * _LOWEST_HZ * factor * _SEMITONE**pitch / _RATE
    samples = [round(_LOUDNESS * _fade(place) * math.sin(turn * place)) for place in range(_SAMPLES_PER_CHARACTER)]
    return struct.pack(f"<{len(samples)}h", *samples)


def _fade(place: int) -> float:
    return min(1.0, place / _FADE_SAMPLES, (_SAMPLES_PER_CHARACTER - place) / _FADE_SAMPLES)


def _wav(sound: bytes) -> bytes:
    file = io.BytesIO()
    with wave.open(file, "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(_RATE)
        out.writeframes(sound)
    return file.getvalue()
