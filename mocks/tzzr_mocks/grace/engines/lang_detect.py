"""LANG_DETECT: py3langid over the languages that this product's users meet.

The identifier is restricted to 27 languages; the four of Spain, their neighbours and the larger languages
of trade. Its probabilities are weighed by how often each language is met here, which decides between
Spanish and Galician where the words are the same. What has too few letters to tell is said with the
confidence it deserves, and what has none is ``und`` (BCP 47, undetermined).
"""

from __future__ import annotations

from functools import cache
from typing import Any

from py3langid.langid import MODEL_FILE, LanguageIdentifier

from .pace import cost_ms
from .port import Answer, Work

__all__ = ["LANGUAGES", "UNDETERMINED", "detect", "guess"]

LANGUAGES = (
    "ar", "ca", "cs", "da", "de", "el", "en", "es", "eu", "fi", "fr", "gl", "he", "hu",
    "it", "ja", "ko", "nl", "no", "pl", "pt", "ro", "ru", "sv", "tr", "uk", "zh",
)  # fmt: skip
"""The languages that can be told apart, as BCP 47 primary subtags."""

UNDETERMINED = "und"

_PRIORS = {"es": 4.0, "en": 2.0}
_SAMPLE_CHARACTERS = 20_000
_SURE_AFTER_LETTERS = 12
_WORTH_NAMING = 0.005
_MAX_ALTERNATIVES = 4


def detect(work: Work) -> Answer:
    """``{language, confidence, alternatives}``, best first; the confidences add up to at most 1."""
    ranking = guess(work.text)
    (language, confidence), *others = ranking
    result: dict[str, Any] = {
        "language": language,
        "confidence": confidence,
        "alternatives": [{"language": other, "confidence": share} for other, share in others],
    }
    return Answer(result, confidence=confidence, cost_ms=cost_ms(work.module, len(work.octets)))


def guess(text: str) -> list[tuple[str, float]]:
    """The likely languages of ``text`` with their probabilities, best first; never empty."""
    sample = text[:_SAMPLE_CHARACTERS]
    letters = sum(mark.isalpha() for mark in sample)
    if not letters:
        return [(UNDETERMINED, 0.0)]
    trust = min(1.0, letters / _SURE_AFTER_LETTERS)
    ranking = sorted(_probabilities(sample).items(), key=lambda pair: (-pair[1], pair[0]))
    shares = [(language, round(share * trust, 4)) for language, share in ranking[: _MAX_ALTERNATIVES + 1]]
    return shares[:1] + [pair for pair in shares[1:] if pair[1] >= _WORTH_NAMING]


def _probabilities(text: str) -> dict[str, float]:
    weighed = {language: share * _PRIORS.get(language, 1.0) for language, share in _identifier().rank(text)}
    total = sum(weighed.values())
    return {language: share / total for language, share in weighed.items()}


@cache
def _identifier() -> LanguageIdentifier:
    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    identifier.set_languages(LANGUAGES)
    return identifier
