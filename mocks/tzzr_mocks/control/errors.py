"""What can be wrong with a fault plan.

``PlanError`` is a rule that cannot be understood or could never act; it tells where, and what was probably meant.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tzzr_mocks.control.names import listed, nearest


@dataclass
class PlanError(ValueError):
    """A rule was refused.

    ``text`` is the rule as it was written, ``column`` where in it the mistake stands (from 1) and ``length`` how many
    characters it covers; 0 where the rule was not given as text. ``suggestion`` is the nearest valid name, if any.
    """

    message: str
    text: str = ""
    column: int = 0
    length: int = 0
    suggestion: str | None = None

    def __str__(self) -> str:
        mend = f"; did you mean {self.suggestion!r}?" if self.suggestion else ""
        if not self.column:
            return f"{self.message}{mend}"
        return f"{self.message}{mend}\n  {self.text}\n  {' ' * (self.column - 1)}{'^' * max(1, self.length)}"


def unknown(what: str, name: str, allowed: Iterable[str]) -> PlanError:
    """``name`` is not one of the ``allowed``: says so, with the nearest and the whole list."""
    known = list(allowed)
    return PlanError(f"unknown {what} {name!r} (known: {listed(known)})", suggestion=nearest(name, known))
