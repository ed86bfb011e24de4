"""The libraries and single tags as resources, and the completion of refs."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from tests.tzzr_mcp.plugins.calls import a_call
from tests.tzzr_mcp.services.rows import LIBRARIES, Shelf
from tests.tzzr_mcp.services.worlds import BASE, KEY, new_router, new_seams, new_upstream, transport, within
from tzzr_mcp.contract.errors import ContractError
from tzzr_mcp.plugins.api import Call, Opening, ResourceNotFound
from tzzr_mcp.plugins.hst import plugin
from tzzr_mcp.plugins.hst.clients import lifespan, probe
from tzzr_mcp.plugins.hst.resources import complete_ref, read_flg, read_hst, read_spe, read_tag
from tzzr_mcp.services.directus import Directus
from tzzr_mcp.services.hst import Hst


def calling(shelf: Shelf, **arguments: Any) -> Call[Hst]:
    seams = new_seams()
    return a_call(Hst(Directus(new_upstream(shelf.router, seams, "hst"))), seams, arguments)


@pytest.mark.parametrize(
    ("name", "read", "total"), [("hst", read_hst, 639), ("spe", read_spe, 145), ("flg", read_flg, 2)]
)
async def test_a_library_is_read_whole(name: str, read: Any, total: int) -> None:
    document = json.loads(await read(calling(Shelf())))
    assert (document["biblioteca"], document["coleccion"], document["total"]) == (name, f"tags_{name}", total)
    assert document["simulado"] is True
    assert document["leido"] == "2026-01-04T10:00:00+00:00"
    assert len(document["tags"]) == total


async def test_a_tag_is_read_by_its_ref() -> None:
    document = json.loads(await read_tag(calling(Shelf(), ref="FR")))
    assert (document["nombre"], document["simulado"]) == ("Francia", True)


async def test_an_unknown_tag_is_no_resource() -> None:
    with pytest.raises(ResourceNotFound, match="Se parece FR"):
        await read_tag(calling(Shelf(), ref="FRA"))


async def test_a_directus_that_cannot_be_asked_is_a_failure_and_not_a_missing_resource() -> None:
    shelf = Shelf()
    shelf.router.get(url__regex=r".*/items/\w+").mock(side_effect=httpx.ConnectError(""))
    with pytest.raises(ContractError):
        await read_tag(calling(shelf, ref="FR"))


async def test_refs_are_completed_from_memory_once_the_libraries_were_read() -> None:
    shelf = Shelf()
    call = calling(shelf)
    assert await complete_ref(call, "e") == ["ES"]
    asked = len(shelf.asked)
    assert await complete_ref(call, "fran") == ["FR"]
    assert len(await complete_ref(call, "")) == sum(len(rows) for rows in LIBRARIES.values())
    assert len(shelf.asked) == asked


async def test_the_lifespan_opens_a_client_that_can_be_probed() -> None:
    router, seams = new_router(), new_seams()
    route = router.get("/server/ping").respond(text="pong")
    settings = plugin.settings.model_validate({"HST_TOKEN": KEY, "HST_BASE_URL": BASE})
    async with lifespan(Opening(settings, seams, transport(router))) as hst:
        row = await probe(hst, within(2, seams))
    assert (row.name, row.kind, row.reachable, row.breaker) == ("HST", "Directus", True, "closed")
    assert route.calls.last.request.headers["Authorization"] == f"Bearer {KEY}"
