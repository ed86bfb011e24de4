"""The server's tools: fetched before the first question, kept for as long as the server says, fixed within a turn."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from mcp import Client, MCPError
from mcp import types as t

from tzzr_mcp.gateway.connect import Connect
from tzzr_mcp.gateway.failures import ServerLost
from tzzr_mcp.gateway.formodel import from_catalogue
from tzzr_mcp.gateway.link import Link
from tzzr_mcp.gateway.models import Offer
from tzzr_mcp.seams import Clock

log = logging.getLogger(__name__)

TTL_S = 60.0
"""Seconds for which a catalogue is kept when the server says nothing, as those of the older era never do."""
LIST_S = 30.0
"""Seconds that the server has to list its tools, the connection included."""
PAGES = 100
"""A server that still has further pages then has a mistake."""


@dataclass(frozen=True)
class Listed:
    """One tool. ``offered`` is the name that the model knows it by: models take fewer characters than MCP does."""

    tool: t.Tool
    offered: str

    @property
    def name(self) -> str:
        """The name that the server knows it by."""
        return self.tool.name

    @property
    def title(self) -> str:
        """What a person calls it."""
        return self.tool.title or (self.tool.annotations and self.tool.annotations.title) or self.tool.name

    @property
    def repeatable(self) -> bool:
        """Whether calling it twice does no more than calling it once."""
        hints = self.tool.annotations
        return hints is not None and bool(hints.read_only_hint or hints.idempotent_hint)

    @property
    def source(self) -> Mapping[str, Any] | None:
        """The source that the server declares for it, where it does."""
        declared = (self.tool.meta or {}).get("tzzr/source")
        return declared if isinstance(declared, Mapping) and declared else None

    @property
    def sourced(self) -> bool:
        """Whether its results will say where they come from: its output schema demands it (seed 1)."""
        return "source" in (self.tool.output_schema or {}).get("required", ())

    @cached_property
    def offer(self) -> Offer:
        """What the model is told of it."""
        told = ". ".join(part.rstrip(".") for part in (self.title, self.tool.description or "") if part)
        return Offer(self.offered, from_catalogue(f"{told}."), self.tool.input_schema)


@dataclass(frozen=True)
class Catalogue:
    """The tools of one moment, in the server's order."""

    tools: tuple[Listed, ...]

    @cached_property
    def offers(self) -> tuple[Offer, ...]:
        """What the model may choose from: the tools that declare their source."""
        return tuple(tool.offer for tool in self.tools if tool.sourced)

    @property
    def refused(self) -> tuple[Listed, ...]:
        """Tools that do not say where their results come from."""
        return tuple(tool for tool in self.tools if not tool.sourced)

    def find(self, offered: str) -> Listed | None:
        """The tool that the model calls so."""
        return next((tool for tool in self.tools if tool.offered == offered), None)


class Catalogues:
    """The catalogue over time, and the connection that it comes over and that tells of its changes."""

    def __init__(self, connect: Connect, clock: Clock) -> None:
        self.link, self._clock = Link(connect, self.expire, clock), clock
        self._fetching = asyncio.Lock()
        self._now: Catalogue | None = None
        self._until = 0.0
        self._changes = 0

    def expire(self) -> None:
        """The server says that it is another one by now."""
        self._changes += 1
        self._until = 0.0

    async def current(self) -> Catalogue:
        """The catalogue; one task fetches it, the others wait for that.

        Raises:
            ServerLost: the server cannot be reached, or does not list its tools.
        """
        async with self._fetching:
            if self._now is None or self._clock.monotonic() >= self._until:
                before = self._changes
                tools, ttl_s = await self._asked()
                self._now = catalogue_of(tools)
                # What changed while it was being fetched may be missing in it.
                self._until = self._clock.monotonic() + ttl_s if self._changes == before else 0.0
                log.info("the MCP server has %d tools, kept for %g s", len(tools), ttl_s)
            return self._now

    async def _asked(self) -> tuple[Sequence[t.Tool], float]:
        try:
            async with asyncio.timeout(LIST_S):
                return await self.link.ask(_fetched, again=True)
        except (MCPError, TimeoutError) as error:
            log.warning("the MCP server refuses to list its tools: %s", error)
            raise ServerLost from error


def catalogue_of(tools: Iterable[t.Tool]) -> Catalogue:
    """The tools, each with a name that every model takes."""
    taken: dict[str, Listed] = {}
    for tool in tools:
        offered = _free(re.sub(r"[^A-Za-z0-9_-]", "_", tool.name)[:60] or "tool", taken)
        taken[offered] = Listed(tool, offered)
    return Catalogue(tuple(taken.values()))


def _free(name: str, taken: Mapping[str, Any]) -> str:
    number, wanted = 1, name
    while name in taken:
        number += 1
        name = f"{wanted}_{number}"
    return name


async def _fetched(client: Client) -> tuple[Sequence[t.Tool], float]:
    found: list[t.Tool] = []
    lives: list[float] = []
    cursor: str | None = None
    for _ in range(PAGES):
        page = await client.list_tools(cursor=cursor)
        found += page.tools
        lives.append(page.ttl_ms / 1000 if "ttl_ms" in page.model_fields_set else TTL_S)
        cursor = page.next_cursor
        if cursor is None:
            break
    return found, min(lives)
