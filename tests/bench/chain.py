"""The whole chain in process - client, server, contract, fake and back - against a bare SDK tool that echoes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from typing import Any

from mcp import Client, types
from mcp.server import Server

from tests.bench import floors
from tests.bench.timing import best, microseconds
from tzzr_mocks.network.virtual import new_virtual_loop
from tzzr_scenarios.stage import staged

CALLS = 200


def figures() -> Iterator[tuple[str, str, str]]:
    """Rows of name, figure, ratio."""
    with asyncio.Runner(loop_factory=new_virtual_loop) as runner:
        bare = runner.run(_bare())
        yield "bare SDK echo tool, in process", microseconds(bare), "1.0 ×"
        for name, floor in _FLOORS:
            alone = runner.run(floor())
            yield name, microseconds(alone), f"{alone / bare:.1f} ×"
        for name, tool, arguments in _CHAINS:
            chain = runner.run(_chain(tool, arguments))
            yield f"whole chain: {name}", microseconds(chain), f"{chain / bare:.1f} ×"


_FLOORS: tuple[tuple[str, Callable[[], Coroutine[Any, Any, float]]], ...] = (
    ("two requests of httpx's client to an empty FastAPI route", floors.client),
    ("two requests through the server's door to nothing", floors.door),
    ("one job of the fake GRACE, without MCP", floors.job),
)
_CHAINS: tuple[tuple[str, str, dict[str, object]], ...] = (
    ("obtener_tag, one request", "obtener_tag", {"ref": "doc.factura"}),
    ("obtener_tag, three", "obtener_tag", {"ref": "ES"}),
    ("generar_hash, two and a job", "generar_hash", {"texto": "Factura de la luz"}),
    ("clasificar, three and a job", "clasificar", {"texto": "Factura de la luz"}),
)


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
        return await best(lambda: client.call_tool("echo", {"texto": "Factura de la luz"}), CALLS)


_ANY = {"type": "object"}


async def _chain(tool: str, arguments: dict[str, object]) -> float:
    async with staged() as stage, stage.client() as client:
        numbers = iter(range(10**9))

        async def call() -> object:
            given = dict(arguments)
            if "texto" in given:  # another text each time, so that no answer comes from a cache
                given["texto"] = f"{given['texto']} {next(numbers)}"
            return await client.call_tool(tool, given)

        return await best(call, CALLS)
