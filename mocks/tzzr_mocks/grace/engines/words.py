"""Cutting text into words, and the forms under which words are compared."""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache

from snowballstemmer import stemmer

__all__ = ["count_words", "fold", "is_upper_first", "stem", "words_of"]

_WORD = re.compile(r"[^\W\d_]+(?:['’·-][^\W\d_]+)*")
_TOKEN_WITH_SUBSTANCE = re.compile(r"\S*\w\S*")


def words_of(text: str) -> list[str]:
    """The words of ``text`` as written: runs of letters, with inner hyphens and apostrophes."""
    return _WORD.findall(text)


def count_words(text: str) -> int:
    """How many words a reader would count: runs without spaces that hold a letter or a digit."""
    return sum(1 for _ in _TOKEN_WITH_SUBSTANCE.finditer(text))


@lru_cache(maxsize=20_000)
def fold(text: str) -> str:
    """``text`` without case and accents, for comparing: ``Nómina`` and ``NOMINA`` are one."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(mark for mark in decomposed if not unicodedata.combining(mark))


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """The folded Spanish stem of ``word``: ``facturas``, ``Facturación`` and ``facturar`` meet in one."""
    return fold(_spanish().stemWord(word.casefold()))


def is_upper_first(text: str) -> bool:
    """Whether the first letter or digit of ``text`` could begin a sentence."""
    first = next((mark for mark in text if mark.isalnum()), "")
    return first.isdigit() or first.isupper()


@cache
def _spanish() -> stemmer:
    return stemmer("spanish")
