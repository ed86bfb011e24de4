"""A server that is not ours: the SDK's own, which passes on whatever a tool returns."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from mcp import types as t
from mcp.server import Server

from tzzr_mcp.gateway.connect import in_process
from tzzr_mcp.gateway.gateway import Gateway
from tzzr_mcp.gateway.settings import Limits
from tzzr_mcp.seams import Dice, LoopClock, Seams, SystemClock

SOURCED = {"type": "object", "properties": {"source": {"type": "object"}}, "required": ["source"]}
SOURCE = {
    "name": "Un extraño",
    "kind": "dataset",
    "retrieved_at": "2026-01-04T10:00:00.000Z",
    "simulated": False,
}

Answer = Callable[[Mapping[str, Any]], Awaitable[t.CallToolResult]]


def a_strange_tool(name: str = "dar", **changes: Any) -> t.Tool:
    """A tool that says that its results have a source."""
    given = {"input_schema": {"type": "object"}, "output_schema": SOURCED, "description": "Da algo.", **changes}
    return t.Tool(name=name, **given)


def giving(text: str, structured: dict[str, Any] | None) -> Answer:
    """Answers every call with this."""

    async def answer(_: Mapping[str, Any]) -> t.CallToolResult:
        return t.CallToolResult(content=[t.TextContent(text=text)], structured_content=structured)

    return answer


@dataclass
class Stranger:
    """The server's catalogue, which may change and takes ``patience_s`` to tell, and how often it was asked for."""

    tools: Sequence[t.Tool]
    answer: Answer = field(default_factory=lambda: giving("Hecho.", {"source": SOURCE}))
    patience_s: float = 0.0
    listed: int = 0
    called: list[str] = field(default_factory=list)

    @property
    def server(self) -> Server[dict[str, Any]]:
        """The server."""
        return Server("stranger", on_list_tools=self._list, on_call_tool=self._call)

    async def _list(self, _: Any, __: Any) -> t.ListToolsResult:
        self.listed += 1
        await SystemClock().sleep(self.patience_s)
        return t.ListToolsResult(tools=list(self.tools))

    async def _call(self, _: Any, params: t.CallToolRequestParams) -> t.CallToolResult:
        self.called.append(params.name)
        return await self.answer(params.arguments or {})


@asynccontextmanager
async def with_stranger(model: Any, stranger: Stranger) -> AsyncIterator[Gateway]:
    """A gateway in front of it."""
    seams = Seams(LoopClock(datetime(2026, 1, 4, 10, tzinfo=UTC)), Dice(7))
    async with Gateway(Limits(), in_process(stranger.server), model, seams) as gateway:
        yield gateway
