"""SUMMARIZER: extractive TextRank over sentences.

Sentences vote for the sentences they share words with (Mihalcea and Tarau, 2004); the best ones that fit
are given back in the order of the text. Nothing is written anew, so nothing can be wrong that was not.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from operator import mul
from typing import Any

from . import params
from .lexicon import words
from .pace import cost_ms
from .port import Answer, Work
from .sentences import split
from .words import count_words, fold, stem, words_of

__all__ = ["summarize"]

_DEFAULT_WORDS = 120
_SHORT_WORDS = 40
_SHARE_KEPT = 0.5
_MAX_CHARACTERS = 120_000
_DAMPING = 0.85
_UNVOTED = 1 - _DAMPING + 1e-9
_ROUNDS = 30
_MAX_RANKED = 250
_MIN_SENTENCE_WORDS = 3


def summarize(work: Work) -> Answer:
    """``{summary, words, compression}``; ``words`` never exceeds ``max_words``.

    A text of at most 40 words that fits is its own summary; a longer one is cut to half its words or
    ``max_words``, whichever is less; sentences are taken from its first 120,000 characters. ``compression`` is words out over words in, four decimals.
    """
    limit = params.whole_number(work, "max_words", _DEFAULT_WORDS, low=10, high=1000)
    style = params.choice(work, "style", "paragraph", ("paragraph", "bullets"))
    words_in = max(1, count_words(work.text))
    room = limit if words_in <= _SHORT_WORDS else min(limit, max(_SHORT_WORDS, math.ceil(words_in * _SHARE_KEPT)))
    sentences = split(work.text[:_MAX_CHARACTERS]) or [work.text.strip()[:_MAX_CHARACTERS]]
    summary = _joined(sentences if words_in <= room else _best(sentences, room), style)
    words_out = max(1, count_words(summary))
    result: dict[str, Any] = {
        "summary": summary,
        "words": words_out,
        "compression": round(words_out / words_in, 4),
    }
    return Answer(result, cost_ms=cost_ms(work.module, len(work.octets)))


def _joined(sentences: Sequence[str], style: str) -> str:
    return "\n".join(f"- {sentence}" for sentence in sentences) if style == "bullets" else " ".join(sentences)


def _best(sentences: Sequence[str], room: int) -> list[str]:
    """The highest ranked sentences that fit into ``room`` words, in text order; at least a piece of the first."""
    ranks = _ranks([_terms(sentence) for sentence in sentences])
    order = sorted(range(len(sentences)), key=lambda place: (-ranks[place], place))
    kept: list[int] = []
    left, seen = room, set[str]()
    for place in order:
        size, folded = count_words(sentences[place]), fold(sentences[place])
        lonely = bool(kept) and ranks[place] <= _UNVOTED
        if size <= left and folded not in seen and not lonely and size >= _MIN_SENTENCE_WORDS:
            kept.append(place)
            seen.add(folded)
            left -= size
    return [sentences[place] for place in sorted(kept)] or [_shortened(sentences[order[0]], room)]


def _shortened(sentence: str, room: int) -> str:
    kept, used = list[str](), 0
    for token in sentence.split():
        used += count_words(token)
        if used > room:
            break
        kept.append(token)
    return " ".join(kept).rstrip(",;:") + "…"


def _terms(sentence: str) -> frozenset[str]:
    return frozenset(
        stem(word) for word in words_of(sentence) if len(word) > 2 and fold(word) not in words("stopwords")
    )


def _ranks(terms: Sequence[frozenset[str]]) -> list[float]:
    """A rank for each sentence; only the ones richest in common words are let into the vote."""
    frequency = Counter(term for sentence in terms for term in sentence)
    richness = [math.fsum(frequency[term] for term in sorted(sentence)) for sentence in terms]
    voters = sorted(sorted(range(len(terms)), key=lambda place: (-richness[place], place))[:_MAX_RANKED])
    votes = _page_rank([terms[place] for place in voters])
    ranks = [0.0] * len(terms)
    for place, vote in zip(voters, votes, strict=True):
        ranks[place] = vote
    return ranks


def _page_rank(terms: Sequence[frozenset[str]]) -> list[float]:
    edges = [[_likeness(left, right) if left is not right else 0.0 for right in terms] for left in terms]
    strengths = [math.fsum(row) for row in edges]
    ranks = [1.0] * len(terms)
    for _ in range(_ROUNDS):
        shares = [rank / strength if strength else 0.0 for rank, strength in zip(ranks, strengths, strict=True)]
        ranks = [1 - _DAMPING + _DAMPING * _dot(row, shares) for row in edges]
    return ranks


def _likeness(left: frozenset[str], right: frozenset[str]) -> float:
    shared = len(left & right)
    return shared / (math.log(len(left) + 1) + math.log(len(right) + 1)) if shared else 0.0


def _dot(left: Sequence[float], right: Sequence[float]) -> float:
    return math.fsum(map(mul, left, right))
