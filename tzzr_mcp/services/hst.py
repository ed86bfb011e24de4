"""HST: the three libraries of tags on Directus, read whole and kept for a while (contract §5 and §6)."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from tzzr_mcp.contract.errors import Code, ContractError
from tzzr_mcp.seams import Deadline
from tzzr_mcp.services.directus import Directus, Query, Rows
from tzzr_mcp.services.failures import failure, from_upstream
from tzzr_mcp.services.tags import FIELDS, LIBRARIES, Entry, Tag, nearest, read_tag
from tzzr_mcp.services.troubles import Trouble, UpstreamError

CODES: Final = {
    Trouble.UNREACHABLE: Code.HST_UNREACHABLE,
    Trouble.TIMEOUT: Code.HST_UNREACHABLE,
    Trouble.BROKEN: Code.HST_UNREACHABLE,
    Trouble.DEADLINE: Code.HST_UNREACHABLE,
    Trouble.CIRCUIT_OPEN: Code.CIRCUIT_OPEN,
    Trouble.BUSY: Code.BUSY,
    Trouble.AUTH: Code.HST_AUTH,
    Trouble.FORBIDDEN: Code.HST_NOT_FOUND,
    Trouble.NOT_FOUND: Code.HST_NOT_FOUND,
    Trouble.RATE_LIMITED: Code.HST_RATE_LIMITED,
    Trouble.TOO_LARGE: Code.HST_BAD_RESPONSE,
    Trouble.REFUSED: Code.HST_BAD_RESPONSE,
    Trouble.BAD_RESPONSE: Code.HST_BAD_RESPONSE,
}
"""What a trouble with Directus means (contract §2)."""

TTL_S: Final = 300.0
"""Seconds for which a library is taken for unchanged."""


@dataclass(frozen=True)
class Library:
    """One library as it was read at ``read_at``; ``expires`` is on the clock's monotonic scale."""

    name: str
    entries: Sequence[Entry]
    read_at: datetime
    expires: float
    simulated: bool

    @property
    def tags(self) -> list[Tag]:
        """The tags in order of their refs."""
        return [entry.tag for entry in self.entries]


@dataclass(frozen=True)
class Found:
    """One tag, and when and by whom it was told."""

    tag: Tag
    read_at: datetime
    simulated: bool


class Hst:
    """The client of HST."""

    def __init__(self, directus: Directus, ttl_s: float = TTL_S) -> None:
        self.directus = directus
        self._ttl_s = ttl_s
        self._clock = directus.upstream.seams.clock
        self._kept: dict[str, Library] = {}
        self._locks = {name: asyncio.Lock() for name in LIBRARIES}

    async def library(self, name: str, deadline: Deadline, trace_id: UUID) -> Library:
        """The library ``name``; concurrent callers share one reading.

        Raises:
            ContractError: Directus could not be asked, or its answer could not be used.
        """
        try:
            async with asyncio.timeout(deadline.remaining()), self._locks[name]:
                kept = self._kept.get(name)
                if kept is None or kept.expires <= self._clock.monotonic():
                    kept = self._kept[name] = await self._read(name, deadline, trace_id)
                return kept
        except TimeoutError:
            raise ContractError(failure(Code.HST_UNREACHABLE, "HST")) from None

    async def libraries(self, names: Iterable[str], deadline: Deadline, trace_id: UUID) -> list[Library]:
        """Several libraries, in order.

        Raises:
            ContractError: one of them could not be read.
        """
        return [await self.library(name, deadline, trace_id) for name in names]

    async def tag(self, ref: str, deadline: Deadline, trace_id: UUID) -> Found:
        """The tag ``ref`` as it is now, from whichever library has it.

        Raises:
            ContractError: HST_NOT_FOUND with the nearest refs, or Directus could not be asked.
        """
        refused: list[ContractError] = []
        for name in LIBRARIES:
            try:
                found = await self._looked_up(name, ref, deadline, trace_id)
            except ContractError as error:
                if error.failure.code is not Code.HST_NOT_FOUND:
                    raise
                refused.append(error)
            else:
                if found is not None:
                    return found
        if len(refused) == len(LIBRARIES):
            raise refused[0]
        near = await self._near(ref, deadline, trace_id)
        raise ContractError(failure(Code.HST_NOT_FOUND, "HST_TAG", ref=ref, near=near))

    async def _looked_up(self, name: str, ref: str, deadline: Deadline, trace_id: UUID) -> Found | None:
        query = Query(LIBRARIES[name], FIELDS, ["ref"], {"ref": {"_eq": ref}})
        rows = await self._asked(query, deadline, trace_id)
        # Directus coerces: "null" and "0123" may match what is not written so (directus.md §4.3).
        exact = (tag for tag in self._tags(name, rows) if tag.ref == ref)
        return next((Found(tag, self._clock.now(), rows.simulated) for tag in exact), None)

    async def _near(self, ref: str, deadline: Deadline, trace_id: UUID) -> list[str] | None:
        entries: list[Entry] = []
        for name in LIBRARIES:
            try:
                entries += (await self.library(name, deadline, trace_id)).entries
            except ContractError:
                continue
        return list(nearest(entries, ref)) or None

    async def _read(self, name: str, deadline: Deadline, trace_id: UUID) -> Library:
        rows = await self._asked(Query(LIBRARIES[name], FIELDS, ["ref"]), deadline, trace_id)
        entries = [Entry(tag) for tag in sorted(self._tags(name, rows), key=lambda tag: tag.ref)]
        expires = self._clock.monotonic() + self._ttl_s
        return Library(name, entries, self._clock.now(), expires, rows.simulated)

    async def _asked(self, query: Query, deadline: Deadline, trace_id: UUID) -> Rows:
        try:
            with self.directus.upstream.seats.taken():
                return await self.directus.items(query, deadline, trace_id)
        except UpstreamError as error:
            raise from_upstream(error, CODES, "HST") from error

    def _tags(self, name: str, rows: Rows) -> list[Tag]:
        tags = [read_tag(name, row) for row in rows.rows]
        if None in tags:
            raise ContractError(failure(Code.HST_BAD_RESPONSE, "HST"))
        return [tag for tag in tags if tag is not None]
