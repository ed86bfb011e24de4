"""A read from a replica that is behind."""

from __future__ import annotations

from dataclasses import dataclass

from tzzr_mocks.hst.faults.base import RowsFault


@dataclass(frozen=True)
class StaleRead(RowsFault):
    """The rows are those of the world's start, whatever was written since.

    Seen with read replicas, and with Directus' own cache when something writes past it.

    YAML: ``- hst: every read gets old rows``
    """

    kind = "stale_read"
    phrases = ("gets old rows", "is stale")

    def stale(self) -> bool:
        """Always."""
        return True
