"""GRACE's clients over a lifespan, and how its health is asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tzzr_mcp.services.worlds import BASE, KEY, TRACE_ID, new_router, new_seams, transport, within
from tzzr_mcp.plugins.api import Opening
from tzzr_mcp.plugins.grace import plugin
from tzzr_mcp.plugins.grace.clients import lifespan, probe
from tzzr_mcp.services.http import Request


async def test_health_is_asked_at_the_endpoint_with_the_key(tmp_path: Path) -> None:
    router, seams = new_router(), new_seams()
    route = router.get("/mine/health").respond(json={"jobs": {"inQueue": 2}, "workers": {"throttled": 1}})
    environment = {
        "RUNPOD_API_KEY": KEY,
        "GRACE_BASE_URL": BASE,
        "GRACE_ENDPOINT_ID": "mine",
        "TZZR_FILES_ROOT": str(tmp_path),
    }
    settings = plugin.settings.model_validate(environment)
    async with lifespan(Opening(settings, seams, transport(router))) as clients:
        row = await probe(clients, within(2, seams))
        assert clients.files.roots == [tmp_path]
    assert (row.name, row.kind, row.reachable, row.base_url) == ("GRACE", "RunPod", True, BASE)
    assert row.detail == "ningún trabajador disponible (1 a la espera de máquina); 2 trabajos en cola"
    assert route.calls.last.request.headers["Authorization"] == f"Bearer {KEY}"


async def test_a_server_without_a_world_opens_connections_of_its_own_and_closes_them() -> None:
    settings = plugin.settings.model_validate({"RUNPOD_API_KEY": KEY})
    async with lifespan(Opening(settings, new_seams())) as clients:
        door = clients.grace.runpod.upstream.door
    with pytest.raises(RuntimeError, match="door to grace is closed"):
        await door.send(Request("GET", "/mine/health"), within(2, new_seams()), TRACE_ID)
