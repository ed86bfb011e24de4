"""What every page of a printed invoice repeats: its number, and where the firm stands in the register of companies."""

from __future__ import annotations

import re

__all__ = ["furniture"]

_COUNT = r"(?:pagina|pag\.?|hoja|page)\s*(?:n[.º°]*\s*)?"
_WHOLE_LINE = re.compile(
    rf"\s*(?:[-–—\s]*\d{{1,3}}[-–—\s]*[-–—]\s*|[(\[]?\s*(?:continuacion|continua|sigue|suma\s+y\s+sigue)[^\d]{{0,20}}|"
    rf"{_COUNT}\d{{1,3}}(?:\s*(?:de|of|/)\s*\d{{1,3}})?\s*|"
    rf".*\b{_COUNT}(?!1\b)\d{{1,3}}\s*(?:de|of|/)\s*\d{{1,3}}\s*|"
    r".*\binscrit[ao]\s+en\s+el\s+(?:registro|r\.?\s?m\b).*)"
)
_AT_THE_END = re.compile(rf"(?<!\s)(?:\s{{2,}}|\s*[-–—·|]\s*){_COUNT}\d{{1,3}}\s*(?:de|of|/)\s*\d{{1,3}}\s*$")


def furniture(folded: str) -> int:
    """How many characters at the end of a line (folded text) belong to the page and not to the invoice: all, some or 0."""
    if _WHOLE_LINE.fullmatch(folded):
        return len(folded)
    end = _AT_THE_END.search(folded)
    return len(folded) - end.start() if end else 0
