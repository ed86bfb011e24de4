"""A value that was found on the page, before it is written as the contract has it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .page import Page

__all__ = ["Found"]


@dataclass(frozen=True, slots=True)
class Found:
    """A normalised value, where it stands (None when it was worked out), how sure it is, and whether it checks."""

    value: str | None
    span: tuple[int, int] | None
    confidence: float
    valid: bool | None = None

    def as_field(self, name: str, page: Page) -> dict[str, Any]:
        """The entry of ``fields``: ``raw`` is the original text at ``span``, in code points, half open."""
        span = page.original(*self.span) if self.span else None
        return {
            "name": name,
            "value": self.value,
            "raw": page.source[span[0] : span[1]] if span else None,
            "span": list(span) if span else None,
            "confidence": self.confidence,
            "valid": self.valid,
        }
