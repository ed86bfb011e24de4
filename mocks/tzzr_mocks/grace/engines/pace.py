"""How long each module pretends to take: a start-up share and a share per kilobyte, in milliseconds.

The figures are invented but keep the order of the real providers: hashing is nearly free, local models are
slower than hosted ones, and speech costs more than text. No clock is read.
"""

from __future__ import annotations

__all__ = ["cost_ms"]

_PACES: dict[str, tuple[int, float]] = {
    "HASHER": (2, 0.01),
    "LANG_DETECT": (5, 0.1),
    "CLASSIFIER": (35, 2.0),
    "SUMMARIZER": (90, 6.0),
    "TRANSLATOR": (80, 9.0),
    "EMBEDDINGS": (25, 1.5),
    "SENTIMENT": (20, 1.0),
    "FIELD_EXTRACTOR": (60, 4.0),
    "TTS_ENGINE": (120, 40.0),
    "IMAGE_CAPTION": (180, 0.5),
    "OCR_LOCAL": (420, 1.2),
    "OCR_GROQ": (260, 0.6),
    "OCR_OPENAI": (640, 0.8),
    "ASR_WHISPER_LOCAL": (900, 2.4),
    "ASR_FASTER_WHISPER": (500, 1.3),
    "ASR_GROQ": (240, 0.4),
}
_UNLISTED = (50, 1.0)


def cost_ms(module: str, size_bytes: int) -> int:
    """The pretended duration of ``module`` over ``size_bytes`` of input."""
    start, per_kilobyte = _PACES.get(module, _UNLISTED)
    return start + round(per_kilobyte * size_bytes / 1024)
