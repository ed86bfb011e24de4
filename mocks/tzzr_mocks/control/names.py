"""Names in messages about a rule: the one that was probably meant, and all that may be given."""

from __future__ import annotations

from collections.abc import Iterable

from tzzr_mcp.seams.spelling import nearest as most_like


def nearest(name: str, allowed: Iterable[str]) -> str | None:
    """The allowed name most like ``name``, or None. Rules have phrases of several words: half of one is enough."""
    return most_like(name, allowed, likeness=0.5)


def listed(names: Iterable[str]) -> str:
    """The names in their order with commas, for the end of an error message."""
    return ", ".join(names) or "(none)"
