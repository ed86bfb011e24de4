"""Who asks, and what they may see."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tzzr_mocks.hst.errors import forbidden_collection
from tzzr_mocks.hst.schemas import Collection


@dataclass(frozen=True)
class Grant:
    """The right to read one collection: ``fields`` None is all of them, ``rows`` a filter as JSON."""

    fields: tuple[str, ...] | None = None
    rows: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Account:
    """A user, or nobody. ``grants`` maps collections to what may be read of them."""

    name: str
    admin: bool = False
    grants: Mapping[str, Grant] = field(default_factory=dict)
    active: bool = True

    @property
    def known(self) -> bool:
        """Whether this is a user at all."""
        return self is not NOBODY

    def grant(self, collection: str) -> Grant:
        """What may be read of a collection.

        Raises:
            Refusal: 403, nothing.
        """
        if self.admin:
            return Grant()
        if collection not in self.grants:
            raise forbidden_collection(collection)
        return self.grants[collection]

    def visible(self, collection: Collection) -> frozenset[str]:
        """The names of the fields that may be seen.

        Raises:
            Refusal: 403, none.
        """
        fields = self.grant(collection.name).fields
        return collection.names if fields is None else frozenset(fields)


NOBODY = Account("nobody")
"""Who sends no token."""

_ALL_TAGS = {"tags_hst": Grant(), "tags_spe": Grant(), "tags_flg": Grant()}
_LIMITED = {"tags_flg": Grant(("id", "ref", "nombre", "activo"), {"activo": {"_eq": True}})}

ADMIN = Account("admin", admin=True)
READER = Account("reader", grants=_ALL_TAGS)
NO_ACCESS = Account("noaccess")
SUSPENDED = Account("suspended", grants={"tags_hst": Grant()}, active=False)
LIMITED = Account("limited", grants=_LIMITED)

STATIC_TOKENS = {
    "lab-admin-static-token-000000000001": ADMIN,
    "lab-reader-static-token-00000000002": READER,
    "lab-noaccess-static-token-000000003": NO_ACCESS,
    "lab-suspended-static-token-00000004": SUSPENDED,
    "lab-limited-static-token-0000000005": LIMITED,
}
"""The accounts of the recordings by their static tokens, which open nothing but this fake."""

READER_TOKEN = next(token for token, account in STATIC_TOKENS.items() if account is READER)
PASSWORD = "Lab-Passw0rd!"
"""The password of every account; their addresses are ``<name>@example.com``."""
