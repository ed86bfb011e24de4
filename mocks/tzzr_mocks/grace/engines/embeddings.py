"""EMBEDDINGS: words and letter trigrams hashed into a vector of unit length.

No model is behind it, and ``model`` says so; still, texts that share words, stems or parts of words come
out closer than texts that do not.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from hashlib import blake2b
from typing import Any

from . import params
from .lexicon import words
from .pace import cost_ms
from .port import Answer, Work
from .words import fold, stem, words_of

__all__ = ["MODEL", "embed"]

MODEL = "simulated-hashed-ngrams-1"
"""The name of the pretended model; vectors of different names must not be compared."""

_WORD, _STEM, _TRIGRAM, _COMMON = 1.0, 1.5, 0.35, 0.15
_LONGEST_WORD = 64
_MAX_CHARACTERS = 300_000
_DECIMALS = 9


def embed(work: Work) -> Answer:
    """``{vectors, dimensions, model, normalized}``: one vector of L2 norm 1, of the first 300,000 characters."""
    dimensions = params.whole_number(work, "dimensions", 384, low=64, high=1024)
    result: dict[str, Any] = {
        "vectors": [_unit(_hashed(work.text[:_MAX_CHARACTERS], dimensions))],
        "dimensions": dimensions,
        "model": MODEL,
        "normalized": True,
    }
    return Answer(result, cost_ms=cost_ms(work.module, len(work.octets)))


def _hashed(text: str, dimensions: int) -> list[float]:
    """Each feature adds to one place, with a sign that is its own; repetitions count by their logarithm."""
    vector = [0.0] * dimensions
    counts = Counter(fold(word) for word in words_of(text)) or Counter(text.split())
    for word in sorted(counts):
        strength = (1 + math.log(counts[word])) * (_COMMON if word in words("stopwords") else 1.0)
        for feature, weight in _features(word):
            place, sign = _slot(feature)
            vector[place % dimensions] += sign * weight * strength
    return vector


def _features(word: str) -> Iterator[tuple[str, float]]:
    yield f"w:{word}", _WORD
    yield f"s:{stem(word)}", _STEM
    padded = f"<{word[:_LONGEST_WORD]}>"
    for start in range(len(padded) - 2):
        yield f"t:{padded[start : start + 3]}", _TRIGRAM


@lru_cache(maxsize=50_000)
def _slot(feature: str) -> tuple[int, float]:
    number = int.from_bytes(blake2b(feature.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")
    return number >> 1, 1.0 if number & 1 else -1.0


def _unit(vector: list[float]) -> list[float]:
    """The vector at length 1; one that is all zeros points along its first axis."""
    length = math.sqrt(math.fsum(value * value for value in vector))
    if not length:
        return [1.0] + [0.0] * (len(vector) - 1)
    return [round(value / length, _DECIMALS) for value in vector]
