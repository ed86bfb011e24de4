"""RunPod's health in a few words."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from tests.tzzr_mcp.services.worlds import new_router, new_seams, new_upstream, within
from tzzr_mcp.services.health import workforce
from tzzr_mcp.services.runpod import RunPod
from tzzr_mcp.services.troubles import Trouble


@pytest.mark.parametrize(
    ("workers", "jobs", "told"),
    [
        ({"idle": 2, "ready": 2}, {"inQueue": 0, "completed": 9}, None),
        ({"running": 1, "unhealthy": 1}, {}, None),
        ({"idle": 1}, {"inQueue": 1}, "1 trabajo en cola"),
        ({"unhealthy": 2, "initializing": 1}, {}, "ningún trabajador disponible (2 con fallos, 1 en arranque)"),
        (
            {"throttled": 1},
            {"inQueue": 3},
            "ningún trabajador disponible (1 a la espera de máquina); 3 trabajos en cola",
        ),
        ({}, {"inQueue": 1}, "ningún trabajador disponible; 1 trabajo en cola"),
        (None, [], None),
        ({"idle": "2"}, {"inQueue": -1}, None),
    ],
    ids=range(8),
)
def test_what_keeps_jobs_waiting(workers: Any, jobs: Any, told: str | None) -> None:
    assert workforce({"workers": workers, "jobs": jobs}) == told


async def test_a_page_in_place_of_the_health_is_a_trouble() -> None:
    router, seams = new_router(), new_seams()
    router.get("/grace/health").mock(return_value=httpx.Response(200, text="<html>"))
    sight = await RunPod(new_upstream(router, seams), "grace").look(within(2, seams))
    assert (sight.trouble, sight.detail) == (Trouble.BAD_RESPONSE, None)


async def test_the_look_asks_the_endpoint_s_health_once_and_tells_what_it_says() -> None:
    router, seams = new_router(), new_seams()
    health = {"workers": {"unhealthy": 1}, "jobs": {"inQueue": 2}}
    route = router.get("/grace/health").mock(return_value=httpx.Response(200, json=health))
    sight = await RunPod(new_upstream(router, seams), "grace").look(within(2, seams))
    assert (sight.trouble, sight.detail) == (
        None,
        "ningún trabajador disponible (1 con fallos); 2 trabajos en cola",
    )
    asked = [event.details for event in seams.trace if event.kind == "upstream.request"]
    assert [(each["method"], each["path"]) for each in asked] == [("GET", "/grace/health")]
    assert route.call_count == 1
