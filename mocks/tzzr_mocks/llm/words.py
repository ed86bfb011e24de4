"""Text folded for comparison: no case, no accents."""

from __future__ import annotations

import re
import unicodedata

_MARKS = re.compile(r"[\u0300-\u036f]")
_BLANKS = re.compile(r"\s+")


def folded(text: str) -> str:
    """``text`` without case and accents, blanks as one."""
    plain = _MARKS.sub("", unicodedata.normalize("NFD", text.casefold()))
    return _BLANKS.sub(" ", plain).strip()
