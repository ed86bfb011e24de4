"""The base of the faults in what Directus reads: rows that are old, missing, doubled, or no longer to be had.

The item routes ask the plan before each read (`Point.ROWS`). ``module`` of the occasion is the collection, ``key`` the
item's key, if one was asked for. What fires then changes the read at the moments below, in the plan's order.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tzzr_mcp.seams import Clock
from tzzr_mocks.control import Fault, Point
from tzzr_mocks.hst.items import Found
from tzzr_mocks.hst.query.model import Query
from tzzr_mocks.hst.store import Store


@dataclass(frozen=True)
class Reading:
    """What a fault may look at and change: the collection's name, the store, the world's clock."""

    collection: str
    store: Store
    clock: Clock


@dataclass(frozen=True)
class RowsFault(Fault):
    """A fault in a read. Every moment does nothing unless a kind says otherwise."""

    point: ClassVar[Point] = Point.ROWS
    services: ClassVar[frozenset[str]] = frozenset({"hst"})

    async def before(self, reading: Reading) -> None:
        """The read is about to begin. May wait, change the schema, or raise a `Refusal`."""

    def stale(self) -> bool:
        """Whether the rows of the world's start are read instead of the present ones."""
        return False

    def asked(self, query: Query) -> Query:
        """The query that is run instead."""
        return query

    def found(self, found: Found) -> Found:
        """What is answered instead of what was found."""
        return found
