"""Each fake publishes an OpenAPI document: whole, of one piece, and of the fake as it is set up."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.tzzr_mocks.small import seams_of
from tzzr_mocks.addresses import HOSTS
from tzzr_mocks.context import ContextFake
from tzzr_mocks.control import Control
from tzzr_mocks.grace import GraceFake
from tzzr_mocks.grace.options import Options
from tzzr_mocks.hst.accounts import STATIC_TOKENS
from tzzr_mocks.world import World

METHODS = ("get", "post", "put", "patch", "delete")
TOLD_BY_ITEM = "/items/"
NOT_SAYABLE = {"SEARCH /items/{collection}"}
"""OpenAPI before 3.2 knows no method but its eight."""


@pytest.fixture
def world() -> World:
    return World()


def operations(document: Any) -> dict[str, Any]:
    """Every operation by method and path, items of any collection as one."""
    found: dict[str, Any] = {}
    for path, item in document["paths"].items():
        plain = re.sub(r"/items/\w+", "/items/{collection}", path).replace("/{id}", "/{key}")
        found |= {f"{method.upper()} {plain}": item[method] for method in METHODS if method in item}
    return found


def references(value: Any) -> Iterator[str]:
    if isinstance(value, list):
        yield from (found for one in value for found in references(one))
    elif isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        yield from (found for one in value.values() for found in references(one))


@pytest.mark.parametrize("service", HOSTS)
def test_every_route_of_a_fake_is_described_and_no_other(service: str, world: World) -> None:
    fake = world.fakes[service]
    routes = {route.replace(":path}", "}") for route in fake.control.surface.routes} - NOT_SAYABLE

    described = set(operations(fake.openapi())) - {"GET /server/ping"}
    assert described == routes


@pytest.mark.parametrize("service", HOSTS)
def test_a_document_is_of_one_piece(service: str, world: World) -> None:
    document = world.fakes[service].openapi()
    told = [item[method] for item in document["paths"].values() for method in METHODS if method in item]
    names = [operation["operationId"] for operation in told]
    links = re.findall(r"'operationId': '(\w+)', 'description'", repr(document))

    assert len(names) == len(set(names))
    assert set(links) <= set(names)
    for reference in references(document):
        _, _, kind, name = reference.split("/")
        assert name in document["components"][kind]
    assert all(operation["responses"] for operation in told)


@pytest.mark.parametrize("service", HOSTS)
async def test_a_document_is_served_under_the_control_plane(service: str, world: World) -> None:
    async with world, httpx.AsyncClient(transport=world.transport) as client:
        served = await client.get(f"http://{HOSTS[service]}/__tzzr/openapi/{service}")

    assert served.json() == world.fakes[service].openapi()


async def test_two_fakes_serve_it_themselves_and_hst_tells_each_asker_what_it_may_do(world: World) -> None:
    admin = {"Authorization": f"Bearer {next(iter(STATIC_TOKENS))}"}
    async with world, httpx.AsyncClient(transport=world.transport) as client:
        grace = await client.get(f"http://{HOSTS['grace']}/openapi.json")
        hst = await client.get(f"http://{HOSTS['hst']}/server/specs/oas", headers=admin)
        stranger = await client.get(f"http://{HOSTS['hst']}/server/specs/oas")

    assert grace.json() == world.grace.openapi()
    assert hst.json() == world.hst.openapi()
    assert not [path for path in stranger.json()["paths"] if path.startswith(TOLD_BY_ITEM)]


@pytest.mark.parametrize(
    ("changed", "response", "media", "schema"),
    [
        ({"unauthorized": "json"}, "unauthorized", "application/json", {"$ref": "#/components/schemas/Refusal"}),
        ({"not_found": "html"}, "gone", "text/html", {"type": "string"}),
    ],
)
def test_graces_document_follows_its_options(changed: Any, response: str, media: str, schema: Any) -> None:
    options = Options(api_base="/v9", **changed)
    document = GraceFake(Control("grace", seams_of()), options=options).openapi()

    assert document["components"]["responses"][response]["content"][media]["schema"] == schema
    assert all(path.startswith("/v9/") for path in document["paths"])


def test_the_document_says_whether_the_context_manager_demands_a_token() -> None:
    found = [
        ContextFake(Control("context", seams_of()), token_required=demanded).openapi() for demanded in (False, True)
    ]

    security = [one["paths"]["/v1/agents/{agent_id}/context"]["get"]["security"] for one in found]
    assert security == [[{}, {"bearer": []}], [{"bearer": []}]]
