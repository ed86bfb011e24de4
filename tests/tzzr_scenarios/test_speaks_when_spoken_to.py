"""The server only speaks when it is spoken to: it answers, and tells the progress of what was asked."""

from __future__ import annotations

from typing import Any

import pytest
from mcp import Client, types

from tzzr_scenarios.stage import ERAS, Era, staged

CALLS: list[tuple[str, dict[str, Any]]] = [
    ("clasificar", {"texto": "Factura de la luz"}),
    ("generar_hash", {"texto": "hola"}),
    ("buscar_tags", {"consulta": "espana"}),
    ("explorar_recursos", {}),
    ("clasificar", {}),
]


@pytest.mark.parametrize("era", ERAS)
async def test_the_server_asks_its_client_for_nothing(era: Era) -> None:
    heard: list[str] = []

    async def asked(context: Any, params: Any = None) -> types.ErrorData:
        heard.append(f"was asked: {params}")
        return types.ErrorData(code=-32603, message="no")

    async def told(message: Any) -> None:
        heard.append(f"was told: {message}")

    async with staged(faults=["grace: first call fails with 503"]) as stage, stage.server() as server:
        mode: Any = "legacy" if era == ERAS[1] else "auto"
        async with Client(
            server.mcp,
            mode=mode,
            cache=None,
            sampling_callback=asked,
            list_roots_callback=asked,
            elicitation_callback=asked,
            message_handler=told,
        ) as client:
            await client.list_tools()
            for tool, arguments in CALLS:
                await client.call_tool(tool, arguments)
            await client.read_resource("tzzr://servers/status")
            await stage.world.seams.clock.sleep(3600)
    assert heard == []
