"""Resources, templates and what plugins see of them."""

from __future__ import annotations

import asyncio
import string
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import astuple
from datetime import UTC, datetime
from typing import Any

import pytest
from mcp import Client, MCPError
from mcp.types import TextResourceContents
from pydantic import BaseModel

from tests.tzzr_mcp.server.tiny import (
    ENVIRON,
    ERAS,
    Clients,
    Era,
    a_plugin,
    a_server,
    a_timeout,
    a_tool,
    echo,
    lifespan_of,
    output,
    probe,
    read_self,
    talking,
    text_of,
)
from tzzr_mcp.contract.errors import Code, ContractError, Failure
from tzzr_mcp.output import ToolOutput
from tzzr_mcp.plugins.api import Call, Opening, Resource, ResourceNotFound, ResourceTemplate, ServiceStatus
from tzzr_mcp.seams import Deadline, Dice, LoopClock, Seams
from tzzr_mcp.server import build_server

both_eras = pytest.mark.parametrize("era", ERAS)
NOT_FOUND = {"auto": -32602, "legacy": -32002}


def shown(item: BaseModel) -> dict[str, Any]:
    """What goes over the wire of it."""
    return item.model_dump(mode="json", by_alias=True, exclude_none=True)


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
    assert [shown(each) for each in resources] == [
        {
            "uri": "tiny://self",
            "name": "self",
            "title": "Sí mismo",
            "description": "Se describe.",
            "mimeType": "text/plain",
        }
    ]
    assert [shown(each) for each in templates] == [
        {
            "uriTemplate": "tiny://name/{name}",
            "name": "name",
            "title": "Nombre",
            "description": "Un nombre.",
            "mimeType": "text/plain",
        }
    ]


@both_eras
async def test_both_lists_come_in_pages(era: Era) -> None:
    resources = tuple(Resource(f"tiny://{name}", name, "R", "Algo.", read_self) for name in "abc")
    templates = tuple(ResourceTemplate(f"tiny://{name}/{{x}}", name, "T", "Algo.", read_self) for name in "abc")
    async with talking(era, plugin=a_plugin(resources=resources, templates=templates), page_size=2) as (client, _):
        first, first_template = await client.list_resources(), await client.list_resource_templates()
        rest = await client.list_resources(cursor=first.next_cursor)
        rest_template = await client.list_resource_templates(cursor=first_template.next_cursor)
    assert [[each.name for each in page.resources] for page in (first, rest)] == [["a", "b"], ["c"]]
    pages = (first_template, rest_template)
    assert [[each.name for each in page.resource_templates] for page in pages] == [["a", "b"], ["c"]]
    assert (rest.next_cursor, rest_template.next_cursor) == (None, None)


@both_eras
async def test_a_static_resource_and_one_of_a_family_are_read(era: Era) -> None:
    async with talking(era) as (client, server):
        assert await text(client, "tiny://self") == "name=None"
        assert await text(client, "tiny://name/Jos%C3%A9") == "name=José"
        told = [event.as_json() for event in server.runtime.seams.trace][:2]
    assert [(event["kind"], event["uri"], event.get("outcome")) for event in told] == [
        ("resource.start", "tiny://self", None),
        ("resource.end", "tiny://self", "OK"),
    ]
    assert told[0]["trace_id"] == told[1]["trace_id"]


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


async def test_where_there_are_many_the_first_twenty_are_named() -> None:
    resources = tuple(Resource(f"tiny://{name}", name, "R", "Algo.", read_self) for name in string.ascii_lowercase)
    async with talking("auto", plugin=a_plugin(resources=resources)) as (client, _):
        with pytest.raises(MCPError) as caught:
            await client.read_resource(f"urn:{'0' * 400}")
    known = ", ".join(f"tiny://{name}" for name in string.ascii_lowercase[:20])
    assert caught.value.error.message == f"No existe el recurso urn:{'0' * 296}; existen {known}."


async def test_where_there_are_none_none_is_named() -> None:
    async with a_server(plugin=a_plugin(resources=(), templates=())) as server:
        with pytest.raises(ResourceNotFound) as caught:
            server.runtime.view.find("tiny://self")
    assert str(caught.value) == "No existe el recurso tiny://self."


async def busy(call: Call[Any]) -> str:
    raise ContractError(Failure.of(Code.HST_UNREACHABLE, "El directorio no responde."))


@both_eras
async def test_a_failure_while_reading_is_an_error_with_its_sentence(era: Era) -> None:
    broken = Resource("tiny://busy", "busy", "Ocupado", "No responde.", busy)
    async with talking(era, plugin=a_plugin(resources=(broken,))) as (client, server):
        with pytest.raises(MCPError) as caught:
            await client.read_resource("tiny://busy")
        end = list(server.runtime.seams.trace)[-1]
    assert (caught.value.error.code, caught.value.error.message) == (-32603, "El directorio no responde.")
    assert caught.value.error.data is not None
    assert caught.value.error.data["uri"] == "tiny://busy"
    assert caught.value.error.data["tzzr/error"]["code"] == end.details["outcome"] == "HST_UNREACHABLE"


@both_eras
async def test_a_cancelled_reading_is_told_to_the_trace(era: Era) -> None:
    slow = Resource("tiny://slow", "slow", "Lento", "Tarda.", sleep_long)
    async with talking(era, plugin=a_plugin(resources=(slow,))) as (client, server):
        reading = asyncio.create_task(client.read_resource("tiny://slow"))
        await server.runtime.seams.clock.sleep(1)
        reading.cancel()
        await asyncio.wait([reading])
        await server.runtime.seams.clock.sleep(1)
        assert len(server.runtime.running) == 0
        assert list(server.runtime.seams.trace)[-1].details["outcome"] == "CANCELLED"


async def sleep_long(call: Call[Any]) -> str:
    await call.seams.clock.sleep(300)
    raise AssertionError("unreachable")


@both_eras
async def test_a_reader_sees_the_deadline_that_the_client_asked_for(era: Era) -> None:
    async def tell(call: Call[Any]) -> str:
        return f"{call.deadline.remaining():g}"

    resource = Resource("tiny://time", "time", "Tiempo", "El que queda.", tell, "text/plain")
    async with talking(era, plugin=a_plugin(resources=(resource,))) as (client, _):
        told = [await client.read_resource("tiny://time", meta=meta) for meta in (None, a_timeout(1500))]
    texts = [each.text for result in told for each in result.contents if isinstance(each, TextResourceContents)]
    assert texts == ["50", "1.5"]


@both_eras
async def test_an_unforeseen_exception_while_reading_is_never_shown(era: Era) -> None:
    async with talking(era) as (client, _):
        with pytest.raises(MCPError) as caught:
            await client.read_resource("tiny://name/crash")
    assert caught.value.error.code == -32603
    assert "swordfish" not in str(caught.value.error)


async def test_a_deadline_that_is_no_time_is_refused() -> None:
    async with talking("auto") as (client, server):
        with pytest.raises(MCPError, match="milisegundos") as caught:
            await client.read_resource("tiny://self", meta=a_timeout("soon"))
        end = list(server.runtime.seams.trace)[-1]
    assert (caught.value.error.code, caught.value.error.data) == (-32602, {"uri": "tiny://self"})
    assert end.details["outcome"] == "ARGUMENT_INVALID"


async def look(call: Call[Any]) -> ToolOutput:
    """What a plugin sees of the server."""
    listed = [astuple(each) for each in call.server.resources()]
    name = await call.server.read("tiny://name/eva", call)
    services = [(row.name, row.reachable, row.detail) for row in await call.server.services()]
    return output(call, f"{listed} {name} {services}")


@both_eras
async def test_a_plugin_sees_the_catalogue_reads_it_and_asks_for_the_services(era: Era) -> None:
    async with talking(era, a_tool(look)) as (client, _):
        told = text_of(await client.call_tool("echo", {"texto": "x"}))
    resource = ("tiny://self", "self", "Sí mismo", "Se describe.", "text/plain", False)
    template = ("tiny://name/{name}", "name", "Nombre", "Un nombre.", "text/plain", True)
    assert told == f"{[resource, template]} name=eva [('tiny', True, None)]"


@both_eras
async def test_what_a_plugin_reads_of_another_is_read_with_that_one_s_clients(era: Era) -> None:
    theirs, ours = Clients(), Clients()

    async def read(call: Call[Any]) -> str:
        return str(call.clients is theirs)

    async def ask(call: Call[Any]) -> ToolOutput:
        return output(call, await call.server.read("other://self", call))

    resource = Resource("other://self", "other", "Otro", "Algo.", read)
    other = a_plugin(
        a_tool(echo), name="other", resources=(resource,), templates=(), prompts=(), lifespan=lifespan_of(theirs)
    )
    asking = a_plugin(a_tool(ask, name="ask"), lifespan=lifespan_of(ours))
    server = build_server([asking, other], ENVIRON, seams=Seams(LoopClock(datetime(2026, 1, 4, tzinfo=UTC)), Dice(7)))
    async with server, Client(server.mcp, mode=era, cache=None) as client:
        assert text_of(await client.call_tool("ask", {"texto": "x"})) == "True"
    assert (theirs.opened, ours.opened) == (1, 1)


async def hang(clients: Any, deadline: Deadline) -> ServiceStatus:
    await asyncio.Event().wait()
    raise AssertionError("unreachable")


async def fall(clients: Any, deadline: Deadline) -> ServiceStatus:
    raise RuntimeError("swordfish")


def silent(detail: str) -> ServiceStatus:
    """The row of a service that could not tell how it is."""
    return ServiceStatus("tiny", "tiny", "", configured=True, reachable=False, detail=detail)


async def test_services_that_hang_or_fail_are_rows_and_the_others_are_asked_at_the_same_time(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with talking("auto", plugin=a_plugin(a_tool(look), probes=(hang, probe, fall))) as (_, server):
        rows = await server.runtime.view.services()
        assert server.runtime.seams.clock.monotonic() == 2.5
    assert list(rows) == [
        silent("No respondió en 2 s."),
        ServiceStatus("tiny", "local", "http://tiny", configured=True, reachable=True),
        silent("No se pudo consultar su estado."),
    ]
    (record,) = (record for record in caplog.records if record.name == "tzzr_mcp.server.view")
    assert record.getMessage() == "the probe of plugin tiny failed"
    assert "swordfish" in caplog.text


async def test_a_probe_is_given_the_plugin_s_clients() -> None:
    clients = Clients()

    async def probe(given: Any, deadline: Deadline) -> ServiceStatus:
        return ServiceStatus("tiny", "local", "", configured=given is clients, reachable=True)

    async with talking("auto", plugin=a_plugin(probes=(probe,), lifespan=lifespan_of(clients))) as (_, server):
        (row,) = await server.runtime.view.services()
    assert row.configured


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
