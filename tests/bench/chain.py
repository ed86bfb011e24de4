"""The whole chain in process - client, server, contract, fake and back - against a bare SDK tool that echoes."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import httpx
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, Response
from mcp import Client, types
from mcp.server import Server

from tests.bench.timing import best, microseconds
from tzzr_mocks.network.direct import DirectTransport
from tzzr_mocks.network.virtual import new_virtual_loop
from tzzr_scenarios.stage import staged

CALLS = 200


def figures() -> Iterator[tuple[str, str, str]]:
    """Rows of name, figure, ratio."""
    with asyncio.Runner(loop_factory=new_virtual_loop) as runner:
        bare = runner.run(_bare())
        yield "bare SDK echo tool, in process", microseconds(bare), "1.0 ×"
        floor = runner.run(_floor())
        yield "two requests to an empty FastAPI route", microseconds(floor), f"{floor / bare:.1f} ×"
        for name, tool, arguments in _CHAINS:
            chain = runner.run(_chain(tool, arguments))
            yield f"whole chain: {name}", microseconds(chain), f"{chain / bare:.1f} ×"


_CHAINS: tuple[tuple[str, str, dict[str, object]], ...] = (
    ("generar_hash", "generar_hash", {"texto": "Factura de la luz"}),
    ("clasificar", "clasificar", {"texto": "Factura de la luz"}),
    ("obtener_tag", "obtener_tag", {"ref": "ES"}),
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


async def _floor() -> float:
    """What a job's submission and one reading cost before anybody does anything: httpx, transport, FastAPI."""
    app = FastAPI()

    @app.post("/run")
    async def run(request: Request) -> Response:
        await request.body()
        return JSONResponse({"id": "1", "status": "IN_QUEUE"})

    client = httpx.AsyncClient(base_url="http://grace.tzzr.test", transport=DirectTransport(app))

    async def twice() -> None:
        for _ in range(2):
            (await client.post("/run", json={"input": {}})).json()

    async with client:
        return await best(twice, CALLS)


async def _chain(tool: str, arguments: dict[str, object]) -> float:
    async with staged() as stage, stage.client() as client:
        numbers = iter(range(10**9))

        async def call() -> object:
            given = dict(arguments)
            if "texto" in given:  # another text each time, so that no answer comes from a cache
                given["texto"] = f"{given['texto']} {next(numbers)}"
            return await client.call_tool(tool, given)

        return await best(call, CALLS)
