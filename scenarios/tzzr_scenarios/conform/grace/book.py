"""The book of the rules for GRACE, and its themes."""

from __future__ import annotations

from typing import Final

from tzzr_scenarios.conform.grace.probe import Probe
from tzzr_scenarios.conform.rule import RuleBook

BOOK: Final[RuleBook[Probe]] = RuleBook(
    "grace",
    {
        "form": "What every answer looks like",
        "envelope": "The request's ids come back",
        "routing": "Who was asked, who was tried, who answered",
        "metrics": "What an answer says of itself",
        "failure": "How a failure is told",
        "classifier": "CLASSIFIER",
        "summarizer": "SUMMARIZER",
        "translator": "TRANSLATOR",
        "sentiment": "SENTIMENT",
        "lang-detect": "LANG_DETECT",
        "embeddings": "EMBEDDINGS",
        "hasher": "HASHER",
        "ocr": "OCR_CORE",
        "caption": "IMAGE_CAPTION",
        "asr": "ASR_ENGINE",
        "tts": "TTS_ENGINE",
        "fields": "FIELD_EXTRACTOR",
        "refuses": "What is refused, and with which code",
        "repeats": "The same question twice, and answers in parts",
        "door": "RunPod's queue, or plain HTTP, around it",
    },
)
