"""Names that were probably meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The most similar of the known names, or None when none is close."""
    close = difflib.get_close_matches(word, list(known), n=1, cutoff=0.6)
    return close[0] if close else None


def suggestion(word: str, known: Sequence[str], what: str) -> str:
    """``did you mean X?`` followed by everything that is allowed."""
    close = nearest(word, known)
    allowed = f"{what}: {', '.join(known)}"
    return f"did you mean {close}?  {allowed}" if close else allowed


def counted(number: int, what: str) -> str:
    """``1 scenario``, ``2 scenarios``."""
    return f"{number} {what}{'' if number == 1 else 's'}"
