"""Directus' items over HTTP, held to what a real one does (directus.md §3–§6)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from tzzr_mcp.seams import Deadline
from tzzr_mcp.services.http import Answer, Request, read_object
from tzzr_mcp.services.troubles import Trouble, UpstreamError
from tzzr_mcp.services.upstream import Upstream

PAGE: Final = 250
"""Rows of one request. Never -1: a server with QUERY_LIMIT_MAX cuts that silently (directus.md §4.1)."""
MOST: Final = 20_000
"""Rows that a whole reading may have."""
READINGS: Final = 2
"""How often a collection is read when its rows change in between."""

PING: Final = Request("GET", "/server/ping")


@dataclass(frozen=True)
class Query:
    """What to read of a collection: fields and sort order always named, and an optional filter in JSON form."""

    collection: str
    fields: Sequence[str]
    sort: Sequence[str]
    filter: Mapping[str, Any] | None = None

    def params(self, offset: int) -> dict[str, str]:
        """The query string of one page."""
        plain = {"fields": ",".join(self.fields), "sort": ",".join(self.sort)}
        narrowed = {"filter": json.dumps(self.filter, ensure_ascii=False)} if self.filter is not None else {}
        return {**plain, **narrowed, "limit": str(PAGE), "offset": str(offset), "meta": "filter_count"}


@dataclass(frozen=True)
class Rows:
    """Rows as Directus gave them; ``simulated`` says that a fake did."""

    rows: Sequence[Mapping[str, Any]]
    simulated: bool


@dataclass(frozen=True)
class _Page:
    rows: list[dict[str, Any]]
    count: int
    simulated: bool
    etag: str | None


class Directus:
    """The client of one Directus, with a static token."""

    def __init__(self, upstream: Upstream) -> None:
        self.upstream = upstream
        self._service = upstream.door.service
        self._known: dict[str, _Page] = {}

    async def items(self, query: Query, deadline: Deadline, trace_id: UUID) -> Rows:
        """Every row that ``query`` selects, page by page until the count that ``meta`` reports, each row once.

        The fields must hold ``id``. Pages of a collection that was read whole before come again only if they changed.

        Raises:
            UpstreamError: FORBIDDEN for a collection or field that does not exist or may not be read (Directus does
                not tell them apart), BAD_RESPONSE when rows and count keep contradicting each other.
        """
        for _ in range(READINGS):
            rows = await self._reading(query, deadline, trace_id)
            if rows is not None:
                return rows
        raise UpstreamError(self._service, Trouble.BAD_RESPONSE)

    async def _reading(self, query: Query, deadline: Deadline, trace_id: UUID) -> Rows | None:
        """All rows, or None when they changed while they were read."""
        found: dict[Any, Mapping[str, Any]] = {}
        offset = 0
        while True:
            page = await self._page(query, offset, deadline, trace_id)
            found.update((row["id"], row) for row in page.rows)
            offset += len(page.rows)
            if offset >= page.count or not page.rows:
                return Rows(list(found.values()), page.simulated) if len(found) == page.count else None

    async def _page(self, query: Query, offset: int, deadline: Deadline, trace_id: UUID) -> _Page:
        params = query.params(offset)
        place = f"{query.collection} {params}"
        known = self._known.get(place)
        etag = known.etag if known is not None else None
        request = Request("GET", f"/items/{query.collection}", params, etag=etag)
        page = await self.upstream.ask(request, lambda answer: self._read(answer, known), deadline, trace_id)
        if query.filter is None:
            self._known[place] = page
        return page

    def _read(self, answer: Answer, known: _Page | None) -> _Page:
        if answer.unchanged and known is not None:
            return known
        document = read_object(self._service, answer)
        rows: Any = document.get("data")
        meta = document.get("meta")
        count = meta.get("filter_count") if isinstance(meta, dict) else None
        if not _are_rows(rows) or not isinstance(count, int) or not 0 <= count <= MOST:
            raise UpstreamError(self._service, Trouble.BAD_RESPONSE, status=answer.status)
        return _Page(rows, count, answer.simulated, answer.etag)


def _are_rows(rows: Any) -> bool:
    return isinstance(rows, list) and all(isinstance(row, dict) and isinstance(row.get("id"), int) for row in rows)
