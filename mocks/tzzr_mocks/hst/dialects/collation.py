"""The order of texts in en_US.utf8, near enough: letters, then accents, then case; punctuation last of all."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

Key = tuple[tuple[str, ...], tuple[str, ...], tuple[bool, ...], str]


@lru_cache(maxsize=4096)
def collation_key(text: str) -> Key:
    """What texts are compared by: ``abaco < ABACO < Ábaco < ÁBACO < A_B < Acueducto``."""
    letters = [unicodedata.normalize("NFD", letter) for letter in text]
    counted = [letter for letter in letters if letter[0].isalnum()]
    return (
        tuple(letter[0].lower() for letter in counted),
        tuple(letter[1:] for letter in counted),
        tuple(letter[0].isupper() for letter in counted),
        text,
    )


def collate(one: str, other: str) -> int:
    """Negative, zero or positive; zero only for equal texts."""
    left, right = collation_key(one), collation_key(other)
    return (left > right) - (left < right)
