"""The engines of the fake GRACE: one plain function per leaf module, deterministic and offline.

``engine_for`` is the one registry. It imports an engine's module when that engine is first asked for, so
that a world which never reads an image never loads Pillow.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import cast

from tzzr_mcp.seams.spelling import nearest

from .port import Answer, Engine, EngineError, Work

__all__ = ["MODULES", "Answer", "Engine", "EngineError", "Work", "engine_for"]

_HOMES = {
    "CLASSIFIER": "classifier:classify",
    "SUMMARIZER": "summarizer:summarize",
    "TRANSLATOR": "translator:translate",
    "EMBEDDINGS": "embeddings:embed",
    "SENTIMENT": "sentiment:judge",
    "OCR_LOCAL": "ocr:read",
    "OCR_GROQ": "ocr:read",
    "OCR_OPENAI": "ocr:read",
    "IMAGE_CAPTION": "image_caption:describe",
    "ASR_WHISPER_LOCAL": "asr:transcribe",
    "ASR_FASTER_WHISPER": "asr:transcribe",
    "ASR_GROQ": "asr:transcribe",
    "TTS_ENGINE": "tts:speak",
    "FIELD_EXTRACTOR": "field_extractor:extract",
    "LANG_DETECT": "lang_detect:detect",
    "HASHER": "hasher:digest",
}

MODULES: tuple[str, ...] = tuple(_HOMES)
"""The sixteen leaf modules of CONTRACT §3: all eighteen but the chains OCR_CORE and ASR_ENGINE."""


@cache
def engine_for(module: str) -> Engine:
    """The engine that computes ``module``.

    Raises :class:`EngineError` with ``MODULE_UNKNOWN`` for a name that is not in :data:`MODULES`; a chain
    has no engine of its own, its leaves have.
    """
    home = _HOMES.get(module)
    if home is None:
        near = nearest(module, MODULES)
        hint = f"; the nearest is {near}" if near else ""
        raise EngineError("MODULE_UNKNOWN", f"no engine computes {module!r}{hint}", {"module": module})
    file, function = home.split(":")
    return cast("Engine", getattr(import_module(f"{__name__}.{file}"), function))
