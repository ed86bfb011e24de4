"""Resources, templates and what plugins see of them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import pytest
from mcp import MCPError
from mcp.types import TextResourceContents

from tests.tzzr_mcp.server.tiny import (
    ERAS,
    Clients,
    Era,
    a_plugin,
    a_timeout,
    a_tool,
    lifespan_of,
    output,
    probe,
    read_self,
    talking,
    text_of,
)
from tzzr_mcp.contract.errors import Code, ContractError, Failure
from tzzr_mcp.output import ToolOutput
from tzzr_mcp.plugins.api import Call, Opening, Resource, ResourceTemplate, ServiceStatus
from tzzr_mcp.seams import Deadline

both_eras = pytest.mark.parametrize("era", ERAS)
NOT_FOUND = {"auto": -32602, "legacy": -32002}


async def text(client: Any, uri: str) -> str:
    (contents,) = (await client.read_resource(uri)).contents
    assert isinstance(contents, TextResourceContents)
    assert (str(contents.uri), contents.mime_type) == (uri, "text/plain")
    return contents.text


@both_eras
async def test_resources_and_templates_are_listed_apart(era: Era) -> None:
    async with talking(era) as (client, _):
        resources = (await client.list_resources()).resources
        templates = (await client.list_resource_templates()).resource_templates
    assert [(each.uri, each.title, each.mime_type) for each in resources] == [("tiny://self", "Sí mismo", "text/plain")]
    assert [(each.uri_template, each.name) for each in templates] == [("tiny://name/{name}", "name")]


@both_eras
async def test_a_static_resource_and_one_of_a_family_are_read(era: Era) -> None:
    async with talking(era) as (client, server):
        assert await text(client, "tiny://self") == "name=None"
        assert await text(client, "tiny://name/Jos%C3%A9") == "name=José"
        kinds = [(event.kind, event.details["uri"]) for event in server.runtime.seams.trace]
    assert kinds[:2] == [("resource.start", "tiny://self"), ("resource.end", "tiny://self")]


@both_eras
@pytest.mark.parametrize(
    ("uri", "told"),
    [
        ("tiny://sel", "No existe el recurso tiny://sel; el más parecido es tiny://self."),
        ("other:thing", "No existe el recurso other:thing; existen tiny://self, tiny://name/{name}."),
        ("tiny://name/ghost", "No existe el nombre ghost."),
    ],
)
async def test_what_is_not_there_is_told_with_the_code_of_the_era(era: Era, uri: str, told: str) -> None:
    async with talking(era) as (client, server):
        with pytest.raises(MCPError) as caught:
            await client.read_resource(uri)
        end = list(server.runtime.seams.trace)[-1]
    assert caught.value.error.code == NOT_FOUND[era]
    assert caught.value.error.message == told
    assert caught.value.error.data == {"uri": uri}
    assert end.details["outcome"] == "NOT_FOUND"


@both_eras
async def test_the_few_that_there_are_are_named_when_none_is_near(era: Era) -> None:
    template = ResourceTemplate("zzz://{a}", "z", "Z", "Algo.", read_self)
    async with talking(era, plugin=a_plugin(resources=(), templates=(template,))) as (client, _):
        with pytest.raises(MCPError, match=r"existen zzz://\{a\}\."):
            await client.read_resource("tiny://self")


async def busy(call: Call[Any]) -> str:
    raise ContractError(Failure.of(Code.HST_UNREACHABLE, "El directorio no responde."))


@both_eras
async def test_a_failure_while_reading_is_an_error_with_its_sentence(era: Era) -> None:
    broken = Resource("tiny://busy", "busy", "Ocupado", "No responde.", busy)
    async with talking(era, plugin=a_plugin(resources=(broken,))) as (client, _):
        with pytest.raises(MCPError) as caught:
            await client.read_resource("tiny://busy")
    assert (caught.value.error.code, caught.value.error.message) == (-32603, "El directorio no responde.")
    assert caught.value.error.data is not None
    assert caught.value.error.data["tzzr/error"]["code"] == "HST_UNREACHABLE"


@both_eras
async def test_an_unforeseen_exception_while_reading_is_never_shown(era: Era) -> None:
    async with talking(era) as (client, _):
        with pytest.raises(MCPError) as caught:
            await client.read_resource("tiny://name/crash")
    assert caught.value.error.code == -32603
    assert "swordfish" not in str(caught.value.error)


async def test_a_deadline_that_is_no_time_is_refused() -> None:
    async with talking("auto") as (client, _):
        with pytest.raises(MCPError, match="milisegundos") as caught:
            await client.read_resource("tiny://self", meta=a_timeout("soon"))
    assert caught.value.error.code == -32602


async def look(call: Call[Any]) -> ToolOutput:
    """What a plugin sees of the server."""
    listed = [(each.uri, each.template) for each in call.server.resources()]
    name = await call.server.read("tiny://name/eva", call)
    services = [(row.name, row.reachable, row.detail) for row in await call.server.services()]
    return output(call, f"{listed} {name} {services}")


@both_eras
async def test_a_plugin_sees_the_catalogue_reads_it_and_asks_for_the_services(era: Era) -> None:
    async with talking(era, a_tool(look)) as (client, _):
        told = text_of(await client.call_tool("echo", {"texto": "x"}))
    assert told == "[('tiny://self', False), ('tiny://name/{name}', True)] name=eva [('tiny', True, None)]"


async def hang(clients: Any, deadline: Deadline) -> ServiceStatus:
    await asyncio.Event().wait()
    raise AssertionError("unreachable")


async def fall(clients: Any, deadline: Deadline) -> ServiceStatus:
    raise RuntimeError("swordfish")


async def test_services_that_hang_or_fail_are_rows_and_the_others_are_asked_at_the_same_time() -> None:
    async with talking("auto", plugin=a_plugin(a_tool(look), probes=(hang, probe, fall))) as (_, server):
        rows = await server.runtime.view.services()
        assert server.runtime.seams.clock.monotonic() == 2.5
    assert [(row.name, row.reachable, row.detail) for row in rows] == [
        ("tiny", False, "No respondió en 2 s."),
        ("tiny", True, None),
        ("tiny", False, "No se pudo consultar su estado."),
    ]


async def late(clients: Any, deadline: Deadline) -> ServiceStatus:
    with suppress(TimeoutError):
        await asyncio.wait_for(asyncio.Event().wait(), deadline.remaining())
    return ServiceStatus("Late", "HTTP", "http://late.test", configured=True, reachable=False, detail="calla")


async def test_a_probe_that_keeps_its_deadline_tells_of_its_service_itself() -> None:
    async with talking("auto", plugin=a_plugin(probes=(late,))) as (_, server):
        (row,) = await server.runtime.view.services()
    assert (row.name, row.base_url, row.detail) == ("Late", "http://late.test", "calla")


async def test_opening_the_clients_does_not_count_as_the_service_s_silence() -> None:
    @asynccontextmanager
    async def slow(opening: Opening[Any]) -> AsyncIterator[None]:
        await opening.seams.clock.sleep(5)
        yield

    async with talking("auto", plugin=a_plugin(lifespan=slow)) as (_, server):
        (row,) = await server.runtime.view.services()
    assert row.reachable


@both_eras
async def test_every_request_shares_the_clients_that_the_first_one_opened(era: Era) -> None:
    clients = Clients()
    async with talking(era, plugin=a_plugin(lifespan=lifespan_of(clients))) as (client, _):
        assert clients.opened == 0
        await asyncio.gather(*(client.read_resource("tiny://self") for _ in range(5)))
        await client.call_tool("echo", {"texto": "x"})
        assert (clients.opened, clients.closed) == (1, 0)
    assert (clients.opened, clients.closed) == (1, 1)
