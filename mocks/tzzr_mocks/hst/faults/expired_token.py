"""A token whose time is over."""

from __future__ import annotations

from dataclasses import dataclass

from tzzr_mocks.hst.errors import token_expired
from tzzr_mocks.hst.faults.base import Reading, RowsFault


@dataclass(frozen=True)
class ExpiredToken(RowsFault):
    """The read is refused with 401 ``TOKEN_EXPIRED``.

    Seen fifteen minutes after each login, and in mid-paging by whoever does not renew in time.

    YAML: ``- hst: 2nd read finds its token expired``
    """

    kind = "expired_token"
    phrases = ("finds its token expired",)

    async def before(self, reading: Reading) -> None:
        """Refuse."""
        raise token_expired()
