"""Running an engine in a test, and holding its result to the contract's own model of it."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from tzzr_mcp.contract.results import RESULTS
from tzzr_mocks.grace.engines import Answer, Work, engine_for

TEXT_MODULES = (
    "CLASSIFIER", "SUMMARIZER", "EMBEDDINGS", "SENTIMENT", "TTS_ENGINE", "FIELD_EXTRACTOR", "LANG_DETECT", "HASHER",
)  # fmt: skip

texts = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=300).filter(str.strip)
"""Any text that the contract lets through: something but blanks, no NUL, no lone surrogate."""

_WORDS = (
    "factura", "contrato", "reunión", "el", "la", "los", "casa", "perro", "excelente", "pésimo", "no", "muy", "pero",
    "Madrid", "2026", "1.250,00", "€", "IVA", "21", "%", "total.", "Base", "imponible:", "NIF", "B12345674", "vencimiento",
    "ES91 2100 0418 4502 0005 1332", "30", "días,", "invoice", "the", "of", "good", "09/03/2026\n", "\t|", "-", "Cliente:\n",
)  # fmt: skip
office_texts = st.lists(st.sampled_from(_WORDS), min_size=1, max_size=80).map(" ".join).filter(str.strip)
"""Text in the words that the engines look for, in no sensible order."""


def ask(module: str, content: str | bytes, *, lang: str = "es", media_type: str | None = None, **params: Any) -> Answer:
    """The answer of ``module``; its result has passed the contract's model, with all numeric laws."""
    work = Work(module, lang=lang, content=content, media_type=media_type, params=params)
    answer = engine_for(module)(work)
    RESULTS[module].model_validate(answer.result)
    assert answer.confidence is None or 0 <= answer.confidence <= 1
    assert answer.cost_ms > 0
    return answer
