"""The fake behind a real client, in a world: what a client library makes of a query still reaches it whole."""

from __future__ import annotations

import json

import httpx
import pytest

from tzzr_mocks.world import World

FILTER = {"_and": [{"nombre": {"_contains": "ña"}}, {"nivel": {"_eq": 1}}]}


@pytest.fixture
def world() -> World:
    return World(starting="recorded")


def client_of(world: World) -> httpx.AsyncClient:
    token = world.environment["HST_TOKEN"]
    headers = {"Authorization": f"Bearer {token}"}
    return httpx.AsyncClient(transport=world.transport, base_url=world.environment["HST_BASE_URL"], headers=headers)


async def test_a_filter_in_json_survives_the_client(world: World) -> None:
    async with world, client_of(world) as client:
        parameters = {"filter": json.dumps(FILTER), "fields": "ref", "sort": "ref"}
        answer = await client.get("/items/tags_flg", params=parameters)
    assert answer.json() == {"data": [{"ref": "ES"}]}


async def test_brackets_survive_the_client(world: World) -> None:
    async with world, client_of(world) as client:
        answer = await client.get("/items/tags_flg", params={"filter[nombre][_eq]": "España", "fields[]": "id"})
    assert answer.json() == {"data": [{"id": 38}]}


async def test_a_slash_in_an_id_stays_in_its_segment(world: World) -> None:
    async with world, client_of(world) as client:
        answer = await client.get("/items/tags_flg/1%2F2")
    assert answer.status_code == 403


async def test_search_by_body_and_writes_work(world: World) -> None:
    async with world, client_of(world) as client:
        admin = {"Authorization": "Bearer lab-admin-static-token-000000000001"}
        made = await client.post("/items/tags_flg", json={"ref": "XX", "nombre": "Nueva"}, headers=admin)
        body = {"query": {"filter": {"ref": "XX"}, "fields": ["id", "nombre"]}}
        found = await client.request("SEARCH", "/items/tags_flg", json=body)
        gone = await client.delete(f"/items/tags_flg/{made.json()['data']['id']}", headers=admin)
    assert made.json()["data"]["date_created"].startswith("2026-01-04T")
    assert found.json() == {"data": [{"id": 66, "nombre": "Nueva"}]}
    assert (gone.status_code, gone.content) == (204, b"")


async def test_a_head_that_is_too_long_for_node_is_a_bare_431(world: World) -> None:
    async with world, client_of(world) as client:
        answer = await client.get("/items/tags_flg", headers={"X-Big": "a" * 20000})
    assert answer.status_code == 431
    assert "x-powered-by" not in answer.headers
