"""Figures read as letters and letters read as figures, put right where their neighbours leave no doubt.

An O among digits is a nought and a 1 within a word a letter; where a token could also be a reference or a tax number,
it is left as it is (tax numbers and accounts have check digits of their own to try).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from typing import Final

from tzzr_mocks.grace.engines.lexicon import words

__all__ = ["AS_FIGURES", "mended"]

AS_FIGURES: Final = str.maketrans({"o": "0", "l": "1", "i": "1", "s": "5", "b": "8"})
"""Letters (folded) to the figures that they are mistaken for."""

_FIGURES = re.compile(r"(?<![^\s(|:€$£+-])[-+]?[\dolisb]+(?:[.,/-][\dolisb]+)*(?=[\s)|€$£%;:]|[.,](?:\s|$)|eur|$)")
_AMOUNT_OR_DATE = re.compile(
    r"[-+]?(?:\d{1,3}(?:[.,]\d{3})+|\d+)[.,]\d{2}|\d{1,2}([/.-])\d{1,2}\1(?:\d{4}|\d{2})|\d{4}-\d{2}-\d{2}"
)
_WORD = re.compile(r"(?<![^\W_])(?=[0158]*[a-z]+[0158a-z]*)(?=[a-z]*[0158])[a-z0158]{3,}(?![^\W_])")
_DAY = re.compile(r"(?<!\w)(?:[ol]\d|[0-3][olsb])(?=\s+de\s+[a-z]{4,10}\s+de)")
_AS_LETTERS: Final = {"0": "o", "5": "s", "8": "b", "1": "li"}


def mended(folded: str) -> str:
    """Folded text with its confusions put right, character for character."""
    return _WORD.sub(_word, _DAY.sub(_as_day, _FIGURES.sub(_figures, folded)))


def _as_day(match: re.Match[str]) -> str:
    return match.group().translate(AS_FIGURES)


def _figures(match: re.Match[str]) -> str:
    """An amount or a date, when that is what it becomes and at least half of it were figures already."""
    token = match.group()
    digits, letters = _digits(token), sum(mark.isalpha() for mark in token)
    if not letters or digits < letters:
        return token
    plain = token.translate(AS_FIGURES)
    return plain if _AMOUNT_OR_DATE.fullmatch(plain) else token


def _digits(token: str) -> int:
    return sum(mark.isdigit() for mark in token)


def _word(match: re.Match[str]) -> str:
    """A known word of invoices, or one in which each figure stands alone between letters."""
    token = match.group()
    if _digits(token) > 2:
        return token
    spellings = list(_spellings(token))
    known = next((word for word in spellings if word in words("invoice_words")), None)
    inside = len(token) > 4 and re.fullmatch(r"[a-z]+(?:[0158][a-z]+)+", token)
    return known or (spellings[0] if inside else token)


def _spellings(token: str) -> Iterator[str]:
    yield from map("".join, product(*(_AS_LETTERS.get(mark, mark) for mark in token)))
