"""Which allowed name was probably meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def nearest(name: str, allowed: Iterable[str]) -> str | None:
    """The allowed name most like ``name``, or None when none is like it; case does not count."""
    folded = {candidate.casefold(): candidate for candidate in allowed}
    found = difflib.get_close_matches(name.casefold(), folded, n=1, cutoff=0.5)
    return folded[found[0]] if found else None


def listed(names: Iterable[str]) -> str:
    """The names in their order with commas, for the end of an error message."""
    return ", ".join(names) or "(none)"
