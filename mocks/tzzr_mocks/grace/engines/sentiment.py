"""SENTIMENT: a Spanish and English lexicon with negation, intensifiers and contrast."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from functools import cache

from .lexicon import sections
from .pace import cost_ms
from .port import Answer, Work
from .sentences import split
from .words import fold, stem, words_of

__all__ = ["judge"]

_NEUTRAL_BELOW = 0.1
_MAX_CHARACTERS = 120_000
_REACH = 3
_NEGATED = -0.7
_DAMPING = 4.0
_CONTRAST = 1.5
_CLAUSE_END = re.compile(r"[,;:()]+")


def judge(work: Work) -> Answer:
    """``{label, score}``; the score in [-1, 1] grows with the weight of the feeling words, and 0 is none.

    The first 120,000 characters are judged.
    """
    total = math.fsum(_sentence_score(sentence) for sentence in split(work.text[:_MAX_CHARACTERS]))
    score = round(total / (abs(total) + _DAMPING), 4)
    result = {"label": _label(score), "score": score}
    return Answer(result, cost_ms=cost_ms(work.module, len(work.octets)))


def _label(score: float) -> str:
    if abs(score) < _NEUTRAL_BELOW:
        return "neutral"
    return "positive" if score > 0 else "negative"


def _sentence_score(sentence: str) -> float:
    """Negation ends with its clause; what comes after a "but" weighs more than what stands before it."""
    score, factor = 0.0, 1.0
    for clause in _CLAUSE_END.split(sentence):
        words = [fold(word) for word in words_of(clause)]
        for place, word in enumerate(words):
            factor = _CONTRAST if word in _lexicon()["contrast"] else factor
            score += factor * _word_score(words, place)
    return score


def _word_score(words: Sequence[str], place: int) -> float:
    weight = _weight(words[place])
    if not weight:
        return 0.0
    before = words[max(0, place - _REACH) : place]
    for word in before:
        weight *= 1.5 if word in _lexicon()["stronger"] else 0.6 if word in _lexicon()["weaker"] else 1.0
    return weight * (_NEGATED if any(word in _lexicon()["negation"] for word in before) else 1.0)


def _weight(word: str) -> float:
    """The exact word first, else its stem, so that every form of an entry counts."""
    return _weights().get(word, _weights().get(f"={stem(word)}", 0.0))


@cache
def _lexicon() -> dict[str, frozenset[str]]:
    return {heading: frozenset(fold(word) for line in body for word in line.split()) for heading, body in _sections()}


@cache
def _weights() -> dict[str, float]:
    """Folded words, and their stems behind a ``=``, to weights from -3 to 3."""
    weights: dict[str, float] = {}
    for heading, body in _sections():
        if heading.lstrip("+-").isdigit():
            for word in (word for line in body for word in line.split()):
                weights.setdefault(fold(word), float(heading))
                weights.setdefault(f"={stem(word)}", float(heading))
    return weights


@cache
def _sections() -> tuple[tuple[str, list[str]], ...]:
    return tuple(sections("sentiment"))
