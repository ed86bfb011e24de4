"""A count that does not fit the rows."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tzzr_mocks.hst.faults.base import RowsFault
from tzzr_mocks.hst.items import Found


@dataclass(frozen=True)
class WrongTotal(RowsFault):
    """Every count in ``meta`` is off by ``by`` (never below zero).

    Who pages until the count is reached stops too early, or never. Seen while rows are written between the query for
    the rows and the one for the count.

    YAML: ``- hst: every read gets a wrong total by=-1``
    """

    kind = "wrong_total"
    phrases = ("gets a wrong total",)
    by: int = 7

    def __post_init__(self) -> None:
        if self.by == 0:
            raise ValueError("by 0 leaves the total right; give another number")

    def found(self, found: Found) -> Found:
        """With other counts."""
        if found.meta is None:
            return found
        return replace(found, meta={word: max(0, count + self.by) for word, count in found.meta.items()})
