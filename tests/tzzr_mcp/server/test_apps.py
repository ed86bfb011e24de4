"""MCP Apps: the page is for hosts that negotiated the extension; any other client gets what it always got."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from mcp import Client
from mcp import types as t
from mcp.client.extension import ClientExtension, advertise
from mcp.server.apps import APP_MIME_TYPE, EXTENSION_ID

from tests.tzzr_mcp.server.tiny import ERAS, Era, a_plugin, a_server, a_tool, echo
from tzzr_mcp.output import Chart, Column, Source, Table, ToolOutput
from tzzr_mcp.plugins.api import Call
from tzzr_mcp.screen import page
from tzzr_mcp.server import build_server, discover
from tzzr_mcp.server.apps import URI

both_eras = pytest.mark.parametrize("era", ERAS)
APPS = advertise(EXTENSION_ID, {"mimeTypes": [APP_MIME_TYPE]})
OTHERS = [
    pytest.param([], id="nothing"),
    pytest.param([advertise(EXTENSION_ID)], id="no type"),
    pytest.param([advertise(EXTENSION_ID, {"mimeTypes": ["text/uri-list"]})], id="another type"),
    pytest.param([advertise("com.example/ui", {"mimeTypes": [APP_MIME_TYPE]})], id="another extension"),
]


@asynccontextmanager
async def host(
    era: Era, *tools: Any, extensions: tuple[ClientExtension, ...] = (APPS,), **more: Any
) -> AsyncIterator[Client]:
    """A client that draws results."""
    async with a_server(*tools, **more) as server, Client(server.mcp, mode=era, cache=None, extensions=extensions) as c:
        yield c


async def drawn(call: Call[Any]) -> ToolOutput:
    """A table with its chart."""
    table = Table("t", "Tabla", [Column("x", "X", "integer"), Column("y", "Y", "number")], [[1, 2.5]])
    source = Source("tiny", "computation", call.seams.clock.now())
    return ToolOutput("Hay un valor.", {"said": ""}, source, [table], [Chart("c", "Gráfico", "t", "line", "x", ["y"])])


def ui(item: t.Tool | t.Resource) -> Any:
    """What an item says to hosts that draw."""
    return (item.meta or {}).get("ui")


@both_eras
async def test_a_host_that_draws_is_told_which_page_draws_a_tool_s_tables(era: Era) -> None:
    async with host(era, a_tool(echo), a_tool(echo, name="words", tables=False)) as client:
        tools = (await client.list_tools()).tools
    assert [ui(tool) for tool in tools] == [{"resourceUri": URI}, None]
    assert all((tool.meta or {})["tzzr/plugin"] == "tiny" for tool in tools)


@both_eras
async def test_such_a_host_finds_the_page_and_reads_it_as_the_extension_says(era: Era) -> None:
    async with host(era) as client:
        assert client.server_capabilities is not None
        assert EXTENSION_ID in (client.server_capabilities.extensions or {})
        listed = {str(each.uri): each for each in (await client.list_resources()).resources}[URI]
        (content,) = (await client.read_resource(URI)).contents
    assert isinstance(content, t.TextResourceContents)
    assert (listed.name, listed.title, listed.description) == (
        "resultado",
        "Resultado",
        "Dibuja las tablas y los gráficos del resultado de una herramienta, con su fuente.",
    )
    assert (listed.mime_type, content.mime_type, str(content.uri)) == (APP_MIME_TYPE, APP_MIME_TYPE, URI)
    assert content.text == page()
    assert ui(listed) == (content.meta or {})["ui"] == {"permissions": {"clipboardWrite": {}}, "prefersBorder": True}


@both_eras
@pytest.mark.parametrize("extensions", OTHERS)
async def test_any_other_client_gets_what_it_always_got(era: Era, extensions: list[ClientExtension]) -> None:
    async with host(era, a_tool(drawn), extensions=tuple(extensions)) as client:
        assert ui((await client.list_tools()).tools[0]) is None
        assert [str(each.uri) for each in (await client.list_resources()).resources] == ["tiny://self"]
        result = await client.call_tool("echo", {"texto": "x"})
    assert [block.text for block in result.content if isinstance(block, t.TextContent)] == ["Hay un valor."]
    assert result.structured_content is not None
    assert result.structured_content["tables"][0]["rows"] == [[1, 2.5]]


async def test_an_old_handshake_names_the_extension_only_to_who_named_it() -> None:
    async with host("legacy", extensions=()) as client:
        assert client.server_capabilities is not None
        assert client.server_capabilities.extensions is None


async def test_what_such_a_host_is_told_is_kept_for_no_other() -> None:
    async with host("auto") as client:
        tools, resources = await client.list_tools(), await client.list_resources()
    assert (tools.cache_scope, resources.cache_scope) == ("private", "private")
    assert (tools.ttl_ms, resources.ttl_ms) == (300_000, 300_000)


async def test_the_page_itself_is_the_same_for_everybody_for_an_hour() -> None:
    async with host("auto") as client:
        page = await client.read_resource(URI)
    assert (page.ttl_ms, page.cache_scope) == (3_600_000, "public")


async def test_the_linked_tools_come_in_pages_too() -> None:
    tools = [a_tool(echo, name=name) for name in "abc"]
    async with host("auto", *tools, page_size=2) as client:
        first = await client.list_tools()
        second = await client.list_tools(cursor=first.next_cursor)
    assert [tool.name for tool in (*first.tools, *second.tools)] == ["a", "b", "c"]
    assert second.next_cursor is None


async def test_the_page_comes_last_and_in_pages_like_the_rest() -> None:
    async with host("auto", page_size=1) as client:
        first = await client.list_resources()
        second = await client.list_resources(cursor=first.next_cursor)
    assert [str(each.uri) for each in (*first.resources, *second.resources)] == ["tiny://self", URI]
    assert second.next_cursor is None


@both_eras
async def test_a_plugin_without_resources_can_be_drawn_too(era: Era) -> None:
    async with host(era, plugin=a_plugin(resources=(), templates=())) as client:
        assert [str(each.uri) for each in (await client.list_resources()).resources] == [URI]
        assert (await client.read_resource(URI)).contents


@both_eras
async def test_where_no_tool_has_tables_there_is_no_page(era: Era) -> None:
    async with host(era, a_tool(echo, tables=False)) as client:
        assert client.server_capabilities is not None
        assert client.server_capabilities.extensions is None
        assert [str(each.uri) for each in (await client.list_resources()).resources] == ["tiny://self"]


async def test_a_tool_that_brings_a_page_of_its_own_keeps_it() -> None:
    own = {"ui": {"resourceUri": "tiny://self"}}
    async with host("auto", a_tool(echo, meta=own)) as client:
        (tool,) = (await client.list_tools()).tools
    assert ui(tool) == own["ui"]


async def test_the_catalogue_links_the_tools_whose_results_hold_tables() -> None:
    environ = {"RUNPOD_API_KEY": "k", "HST_TOKEN": "t"}
    server = build_server(discover("system,grace,hst,context,finance"), environ)
    async with server, Client(server.mcp, cache=None, extensions=(APPS,)) as client:
        tools = (await client.list_tools()).tools
    without = {"resumir", "traducir", "embeddings", "generar_hash"}
    assert {tool.name for tool in tools if ui(tool) is None} == without
    assert {tool.name for tool in tools} > without
