"""Which known name was probably meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Final

_COMPARED: Final = 300
"""Characters of a name that are looked at: a stranger may have sent a megabyte."""


def nearest(name: str, known: Iterable[str], *, likeness: float = 0.6) -> str | None:
    """The known name that is most like ``name``, case aside; None when none has that ``likeness`` (0 to 1)."""
    folded = {each.casefold(): each for each in known}
    found = difflib.get_close_matches(name[:_COMPARED].casefold(), folded, n=1, cutoff=likeness)
    return folded[found[0]] if found else None
