"""How a service is: one look, past the breaker, never an exception."""

from __future__ import annotations

import httpx
import pytest

from tests.tzzr_mcp.services.worlds import BASE, Hang, Reply, new_router, new_seams, new_upstream, script, within
from tzzr_mcp.services.http import Request
from tzzr_mcp.services.status import describe

HEALTH = Request("GET", "/health")


async def test_one_that_answers_is_reachable_with_its_latency() -> None:
    seams = new_seams()
    upstream = new_upstream(Hang(seams, until_s=0.25), seams)
    row = describe("GRACE", upstream, await upstream.look(HEALTH, within(2, seams)))
    assert row == {
        "name": "GRACE",
        "base_url": BASE,
        "configured": True,
        "reachable": True,
        "latency_ms": 250.0,
        "breaker": "closed",
        "detail": None,
        "simulated": False,
    }


@pytest.mark.parametrize(("status", "reachable"), [(200, True), (503, False)])
async def test_a_fake_is_told_from_the_real_one_whatever_it_answers(status: int, reachable: bool) -> None:
    router, seams = new_router(), new_seams()
    router.get("/health").mock(side_effect=script(httpx.Response(status, headers={"x-tzzr-fake": "grace"}, json={})))
    upstream = new_upstream(router, seams)
    row = describe("GRACE", upstream, await upstream.look(HEALTH, within(2, seams)))
    assert (row["reachable"], row["simulated"]) == (reachable, True)


@pytest.mark.parametrize(
    ("reply", "detail"),
    [
        (httpx.ConnectError(""), "no se puede conectar"),
        (httpx.ReadTimeout(""), "no contesta a tiempo"),
        (httpx.Response(401), "rechaza las credenciales"),
        (httpx.Response(404), "no existe en esa dirección"),
        (httpx.Response(429), "recibe demasiadas peticiones"),
        (httpx.Response(503), "contesta con un error interno"),
        (httpx.Response(302), "contesta algo que no se entiende"),
    ],
    ids=["refused", "slow", "401", "404", "429", "503", "302"],
)
async def test_one_that_does_not_is_told_in_a_few_words(reply: Reply, detail: str) -> None:
    router, seams = new_router(), new_seams()
    router.get("/health").mock(side_effect=script(reply))
    upstream = new_upstream(router, seams)
    row = describe("GRACE", upstream, await upstream.look(HEALTH, within(2, seams)))
    assert (row["reachable"], row["detail"], row["simulated"]) == (False, detail, False)


async def test_one_that_hangs_is_asked_no_longer_than_its_deadline() -> None:
    seams = new_seams()
    upstream = new_upstream(Hang(seams), seams)
    row = describe("GRACE", upstream, await upstream.look(HEALTH, within(2, seams)))
    assert (row["reachable"], row["detail"], row["latency_ms"]) == (False, "no contesta a tiempo", 2000.0)
