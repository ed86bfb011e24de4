"""A right that was taken away."""

from __future__ import annotations

from dataclasses import dataclass

from tzzr_mocks.hst.errors import forbidden_collection
from tzzr_mocks.hst.faults.base import Reading, RowsFault


@dataclass(frozen=True)
class PermissionRevoked(RowsFault):
    """The collection may not be read any more: 403, in the words that an unknown collection gets too.

    Seen when somebody edits a role while clients are at work.

    YAML: ``- hst: every read to tags_flg finds its permission revoked``
    """

    kind = "permission_revoked"
    phrases = ("finds its permission revoked",)

    async def before(self, reading: Reading) -> None:
        """Refuse."""
        raise forbidden_collection(reading.collection)
