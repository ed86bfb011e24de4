"""Names that were probably meant, and how many there are of something."""

from __future__ import annotations

from collections.abc import Sequence

from tzzr_mcp.seams.spelling import nearest


def suggestion(word: str, known: Sequence[str], what: str) -> str:
    """``did you mean X?`` followed by everything that is allowed."""
    close = nearest(word, known)
    allowed = f"{what}: {', '.join(known)}"
    return f"did you mean {close}?  {allowed}" if close else allowed


def counted(number: int, what: str) -> str:
    """``1 scenario``, ``2 scenarios``."""
    return f"{number} {what}{'' if number == 1 else 's'}"
