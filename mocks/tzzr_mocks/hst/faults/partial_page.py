"""A page with fewer rows than there are."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tzzr_mocks.hst.faults.base import RowsFault
from tzzr_mocks.hst.items import Found


@dataclass(frozen=True)
class PartialPage(RowsFault):
    """The last ``missing`` rows of a page are not sent, while ``meta`` counts them.

    Who takes a short page for the last one loses the rest. Seen where a permission filters rows after the page was
    cut, and with limits that somebody lowered.

    YAML: ``- hst: 2nd read gets a partial page missing=3``
    """

    kind = "partial_page"
    phrases = ("gets a partial page",)
    missing: int = 1

    def __post_init__(self) -> None:
        if self.missing < 1:
            raise ValueError(f"missing {self.missing} takes nothing away; give at least 1")

    def found(self, found: Found) -> Found:
        """Without the last rows."""
        return replace(found, rows=found.rows[: -self.missing])
