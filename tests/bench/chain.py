"""The whole chain in process - client, server, contract, fake and back - against a bare SDK tool that echoes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from functools import partial
from typing import Any

from mcp import Client, types
from mcp.server import Server

from tests.bench import floors
from tests.bench.timing import each, microseconds
from tzzr_mocks.network.virtual import new_virtual_loop
from tzzr_scenarios.stage import staged

ROUNDS = 12


def figures() -> Iterator[tuple[str, str, str]]:
    """Rows of name, figure, ratio to the first; all are measured in turn, so that they meet the same noise."""
    seconds: dict[str, list[float]] = {name: [] for name in _MEASURED}
    with asyncio.Runner(loop_factory=new_virtual_loop) as runner:
        for _ in range(ROUNDS):
            for name, measure in _MEASURED.items():
                seconds[name].append(runner.run(measure()))
    bare = min(next(iter(seconds.values())))
    for name, found in seconds.items():
        yield name, microseconds(min(found)), f"{min(found) / bare:.1f} ×"


async def _bare() -> float:
    async def call(_: object, params: types.CallToolRequestParams) -> types.CallToolResult:
        text = str((params.arguments or {}).get("texto"))
        return types.CallToolResult(content=[types.TextContent(text=text)], structured_content={"text": text})

    async def tools(_: object, __: object) -> types.ListToolsResult:
        return types.ListToolsResult(
            tools=[types.Tool(name="echo", description="Echo", input_schema=_ANY, output_schema=_ANY)]
        )

    server = Server("bare", on_list_tools=tools, on_call_tool=call)
    async with Client(server, cache=None) as client:
        return await each(lambda: client.call_tool("echo", {"texto": "Factura de la luz"}))


_ANY = {"type": "object"}


async def _chain(tool: str, arguments: dict[str, object]) -> float:
    async with staged() as stage, stage.client() as client:
        numbers = iter(range(10**9))

        async def call() -> object:
            given = dict(arguments)
            if "texto" in given:  # another text each time, so that no answer comes from a cache
                given["texto"] = f"{given['texto']} {next(numbers)}"
            return await client.call_tool(tool, given)

        return await each(call)


_MEASURED: dict[str, Callable[[], Coroutine[Any, Any, float]]] = {
    "bare SDK echo tool, in process": _bare,
    "two requests of httpx's client to an empty FastAPI route": floors.client,
    "two requests through the server's door to nothing": floors.door,
    "one job of the fake GRACE, without MCP": floors.job,
    "whole chain: obtener_tag, one request": partial(_chain, "obtener_tag", {"ref": "doc.factura"}),
    "whole chain: obtener_tag, three": partial(_chain, "obtener_tag", {"ref": "ES"}),
    "whole chain: generar_hash, two and a job": partial(_chain, "generar_hash", {"texto": "Factura de la luz"}),
    "whole chain: clasificar, three and a job": partial(_chain, "clasificar", {"texto": "Factura de la luz"}),
}
