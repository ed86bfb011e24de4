"""A server that stops lets what is nearly done finish, and leaves no job behind at GRACE for what is not."""

from __future__ import annotations

import asyncio

from tzzr_scenarios.observation import of_tool
from tzzr_scenarios.stage import connected, staged

FAULTS = ["grace: CLASSIFIER takes 30s", "grace: LANG_DETECT takes 3s"]


async def test_the_jobs_of_calls_that_are_cut_off_are_cancelled_and_the_others_are_answered() -> None:
    async with staged(faults=FAULTS) as stage, stage.server() as server, connected(server) as client:
        clock = stage.world.seams.clock
        long = asyncio.ensure_future(client.call_tool("clasificar", {"texto": "Factura de la luz"}))
        short = asyncio.ensure_future(client.call_tool("detectar_idioma", {"texto": "Buenos días a todos"}))
        await clock.sleep(1)
        began = clock.monotonic()
        await server.stop(5)
        assert clock.monotonic() - began < 5 + 2
        finished, cut = of_tool(await short, 0), of_tool(await long, 0)
        refused = of_tool(await client.call_tool("generar_hash", {"texto": "hola"}), 0)
        await clock.sleep(60)

    assert finished.data["language"] == "es"
    assert cut.error is not None
    assert cut.error["code"] == "CANCELLED"
    assert cut.text == "El servidor se está deteniendo y la petición quedó sin terminar."
    assert refused.outcome == "CANCELLED"
    statuses = [event.details["status"] for event in stage.world.trace if event.kind == "job"]
    assert statuses.count("CANCELLED") == 1
    assert statuses.count("COMPLETED") == 1
    computed = [event.details["module"] for event in stage.world.trace if event.kind == "module"]
    assert computed == ["LANG_DETECT"], "nothing is computed for a call that is gone"
