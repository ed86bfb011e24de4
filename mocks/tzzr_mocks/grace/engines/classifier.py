"""CLASSIFIER: scored keywords over the Spanish taxonomy, or over the caller's categories."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from . import params
from .pace import cost_ms
from .port import Answer, Work
from .taxonomy import document_types, topics, type_named
from .words import fold, stem, words_of

__all__ = ["classify"]

_HEAD_WORDS = 25
_SMOOTHING = 3.0
_NAME_WEIGHT = 5.0
_TOPIC_WEIGHT = 2.0
_LIKENESS_WEIGHT = 1.5
_SIMILAR = 0.5
_SAMPLE_CHARACTERS = 60_000

Profile = Mapping[tuple[str, ...], float]


def classify(work: Work) -> Answer:
    """``{category, confidence, alternatives}``: the shares of all categories, best first, add up to 1.

    The answer's own confidence is 0 when nothing in the text spoke for any category, whatever share an
    even split leaves to each.
    """
    categories = _categories(work)
    profiles = {category: _profile(category) for category in categories or document_types()}
    scores = _scores(work.text[:_SAMPLE_CHARACTERS], profiles)
    shares = _shares(scores)
    (best, confidence), *others = sorted(shares.items(), key=lambda pair: (-pair[1], pair[0]))
    result: dict[str, Any] = {
        "category": best,
        "confidence": confidence,
        "alternatives": [{"category": category, "confidence": share} for category, share in others],
    }
    sure = confidence if any(scores.values()) else 0.0
    return Answer(result, confidence=sure, cost_ms=cost_ms(work.module, len(work.octets)))


def _categories(work: Work) -> list[str] | None:
    categories = params.strings(work, "categories")
    if categories is not None and not 2 <= len(categories) <= 50:
        params.refuse("categories", f"{len(categories)} categories; from 2 to 50 are accepted")
    return categories


@lru_cache(maxsize=1_000)
def _profile(category: str) -> Profile:
    """The stemmed terms that speak for a category, each with its weight."""
    terms = document_types().get(type_named(category) or "", {})
    profile = {_stems(term): weight for term, weight in terms.items()}
    words = words_of(category)
    for word in words:
        for topical in topics().get(word.casefold(), ()):
            profile.setdefault(_stems(topical), _TOPIC_WEIGHT)
        if len(word) > 3:
            profile.setdefault((stem(word),), _NAME_WEIGHT / len(words))
    profile[_stems(category)] = _NAME_WEIGHT
    profile.pop((), None)
    return profile


@lru_cache(maxsize=5_000)
def _stems(term: str) -> tuple[str, ...]:
    return tuple(stem(word) for word in words_of(term))


def _scores(text: str, profiles: Mapping[str, Profile]) -> dict[str, float]:
    stems = [stem(word) for word in words_of(text)]
    longest = max((len(term) for profile in profiles.values() for term in profile), default=1)
    whole, head = _grams(stems, longest), _grams(stems[:_HEAD_WORDS], longest)
    scores = {category: _score(profile, whole, head) for category, profile in profiles.items()}
    if any(scores.values()):
        return scores
    return {category: _likeness(category, set(whole)) for category in profiles}


def _grams(stems: list[str], longest: int) -> Counter[tuple[str, ...]]:
    return Counter(
        tuple(stems[start : start + size]) for size in range(1, longest + 1) for start in range(len(stems) - size + 1)
    )


def _score(profile: Profile, whole: Counter[tuple[str, ...]], head: Counter[tuple[str, ...]]) -> float:
    """Each term counts once in full, more by the logarithm of its repetitions, and half more in the head."""
    return math.fsum(
        profile[term] * (1 + math.log(whole[term])) * (1.5 if term in head else 1.0)
        for term in profile.keys() & whole.keys()
    )


def _likeness(category: str, grams: set[tuple[str, ...]]) -> float:
    """How closely some word of the text resembles the category's name, by shared trigrams; 0 when none does."""
    name = _trigrams(fold(category))
    best = max((_dice(name, _trigrams(gram[0])) for gram in grams if len(gram) == 1), default=0.0)
    return _LIKENESS_WEIGHT * best if best >= _SIMILAR else 0.0


def _trigrams(word: str) -> frozenset[str]:
    padded = f" {word} "
    return frozenset(padded[start : start + 3] for start in range(len(padded) - 2))


def _dice(left: frozenset[str], right: frozenset[str]) -> float:
    return 2 * len(left & right) / (len(left) + len(right))


def _shares(scores: Mapping[str, float]) -> dict[str, float]:
    """Scores as shares of 1: squared, so that a clear winner shows; smoothed, so that little evidence stays little."""
    weights = {category: score**2 + _SMOOTHING for category, score in scores.items()}
    total = math.fsum(weights.values())
    return {category: weight / total for category, weight in weights.items()}
