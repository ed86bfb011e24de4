"""A row that comes on two pages."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tzzr_mocks.hst.faults.base import RowsFault
from tzzr_mocks.hst.query.model import Query


@dataclass(frozen=True)
class DuplicateRow(RowsFault):
    """Every page but the first begins with the last row of the page before it.

    Seen whenever a row is inserted before the place that a client has reached by offset or page.

    YAML: ``- hst: every read gets a row twice``
    """

    kind = "duplicate_row"
    phrases = ("gets a row twice",)

    def asked(self, query: Query) -> Query:
        """One row earlier."""
        return replace(query, offset=max(0, query.offset - 1))
