"""The server as a whole: capabilities, identity, hints, notices of change, the guard, stopping."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import anyio
import pytest
from mcp import Client, MCPError
from mcp import types as t
from mcp.server.connection import Connection
from mcp.server.lowlevel import NotificationOptions
from mcp.server.subscriptions import ResourceUpdated
from mcp.shared.message import SessionMessage

from tests.tzzr_mcp.server.tiny import (
    ENVIRON,
    ERAS,
    Clients,
    Era,
    a_plugin,
    a_server,
    a_tool,
    echo,
    lifespan_of,
    meta_of,
    talking,
    text_of,
    wait,
)
from tzzr_mcp import __version__
from tzzr_mcp.plugins.api import Opening, Plugin
from tzzr_mcp.server import McpServer, build_server
from tzzr_mcp.settings import StartError

both_eras = pytest.mark.parametrize("era", ERAS)
old_subscriptions = pytest.mark.filterwarnings("ignore:resources/(un)?subscribe is removed")


@both_eras
async def test_the_server_says_who_it_is_and_how_to_use_it_in_spanish(era: Era) -> None:
    async with talking(era) as (client, _):
        info = client.server_info
        assert info is not None
        assert (info.name, info.title, info.version) == ("mcp-server-tzzr", "TZZR", __version__)
        assert client.instructions is not None
        assert client.instructions.startswith("Servidor MCP de TZZR.")


@both_eras
async def test_both_eras_are_told_that_lists_may_change(era: Era) -> None:
    async with talking(era) as (client, _):
        capabilities = client.server_capabilities
    assert capabilities is not None
    assert capabilities.tools == t.ToolsCapability(list_changed=True)
    assert capabilities.prompts == t.PromptsCapability(list_changed=True)
    assert capabilities.resources == t.ResourcesCapability(list_changed=True, subscribe=True)
    assert capabilities.completions is not None


@both_eras
async def test_what_no_plugin_brings_is_no_capability(era: Era) -> None:
    bare = a_plugin(a_tool(echo, tables=False), resources=(), templates=(), prompts=())
    async with talking(era, plugin=bare) as (client, _):
        capabilities = client.server_capabilities
    assert capabilities is not None
    assert capabilities.tools is not None
    assert (capabilities.resources, capabilities.prompts, capabilities.completions) == (None, None, None)


@both_eras
async def test_a_server_without_tools_has_none(era: Era) -> None:
    async with talking(era, plugin=Plugin("empty", "Nada.")) as (client, _):
        assert client.server_capabilities is not None
        assert client.server_capabilities.tools is None


NOTHING: list[tuple[str, Callable[[Client], Awaitable[Any]]]] = [
    ("tools/list", lambda client: client.session.list_tools()),
    ("tools/call", lambda client: client.session.call_tool("echo", {})),
    ("resources/list", lambda client: client.session.list_resources()),
    ("resources/templates/list", lambda client: client.session.list_resource_templates()),
    ("resources/read", lambda client: client.session.read_resource("tiny://self")),
    ("resources/subscribe", lambda client: client.session.subscribe_resource("tiny://self")),
    ("resources/unsubscribe", lambda client: client.session.unsubscribe_resource("tiny://self")),
    ("prompts/list", lambda client: client.session.list_prompts()),
    ("prompts/get", lambda client: client.session.get_prompt("saluda", {})),
    (
        "completion/complete",
        lambda client: client.session.complete(t.PromptReference(name="saluda"), {"name": "quien", "value": ""}),
    ),
]


@old_subscriptions
@pytest.mark.parametrize("ask", [ask for _, ask in NOTHING], ids=[method for method, _ in NOTHING])
async def test_what_no_plugin_brings_is_no_method(ask: Callable[[Client], Awaitable[Any]]) -> None:
    async with talking("legacy", plugin=Plugin("empty", "Nada.")) as (client, _):
        with pytest.raises(MCPError) as caught:
            await ask(client)
    assert caught.value.error.code == t.METHOD_NOT_FOUND


PARTS: dict[str, Any] = {"tools": (), "resources": (), "templates": (), "prompts": ()}


@pytest.mark.parametrize(
    ("part", "resources", "completions"),
    [("resources", True, False), ("templates", True, True), ("prompts", False, True)],
)
async def test_either_of_two_kinds_is_enough_for_a_capability(part: str, resources: bool, completions: bool) -> None:
    plugin = replace(a_plugin(), **{**PARTS, part: getattr(a_plugin(), part)})
    async with talking("auto", plugin=plugin) as (client, _):
        capabilities = client.server_capabilities
    assert capabilities is not None
    assert (capabilities.resources is not None, capabilities.completions is not None) == (resources, completions)


def test_what_a_transport_offers_beside_goes_into_the_handshake() -> None:
    given = NotificationOptions(tools_changed=True)
    options = a_server().mcp.create_initialization_options(given, {"own": {"a": 1}}, {"com.example/own": {"b": 2}})
    assert options.capabilities.experimental == {"own": {"a": 1}}
    assert options.capabilities.extensions == {"com.example/own": {"b": 2}}
    assert options.capabilities.tools == t.ToolsCapability(list_changed=True)
    assert options.capabilities.prompts == t.PromptsCapability(list_changed=False)


async def test_lists_may_be_kept_for_five_minutes_by_anybody() -> None:
    async with talking("auto") as (client, _):
        listed = await client.list_tools()
    assert (listed.ttl_ms, listed.cache_scope) == (300_000, "public")


@both_eras
async def test_long_lists_come_in_pages_and_a_strange_cursor_is_refused(era: Era) -> None:
    tools = [a_tool(echo, name=f"t{number}") for number in range(5)]
    async with talking(era, *tools, page_size=2) as (client, _):
        names: list[str] = []
        cursor: str | None = None
        while True:
            page = await client.list_tools(cursor=cursor)
            names += [tool.name for tool in page.tools]
            if (cursor := page.next_cursor) is None:
                break
            first = cursor
        for strange in ("x", "", first[:-2]):
            with pytest.raises(MCPError, match="nextCursor") as caught:
                await client.list_resources(cursor=strange)
            assert caught.value.error.code == -32602
    assert names == ["t0", "t1", "t2", "t3", "t4"]


async def test_an_old_client_may_set_a_log_level() -> None:
    async with talking("legacy") as (client, _):
        with pytest.warns(Warning, match="deprecated"):
            await client.set_logging_level("debug")  # type: ignore[deprecated, unused-ignore]


@old_subscriptions
async def test_an_old_session_hears_of_changes_and_of_what_it_subscribed_to() -> None:
    heard: list[str] = []

    async def hear(message: Any) -> None:
        heard.append(getattr(message, "method", str(message)))

    server = a_server()
    async with server, Client(server.mcp, mode="legacy", message_handler=hear) as client:
        await client.list_tools()
        await client.subscribe_resource("tiny://self")
        await client.subscribe_resource("tiny://name/a")
        await client.unsubscribe_resource("tiny://name/a")
        await server.changes.catalogue_changed("tools")
        await server.changes.catalogue_changed("resources")
        await server.changes.catalogue_changed("prompts")
        await server.changes.resource_changed("tiny://self")
        await server.changes.resource_changed("tiny://name/a")
        await server.runtime.seams.clock.sleep(1)
    assert heard == [
        "notifications/tools/list_changed",
        "notifications/resources/list_changed",
        "notifications/prompts/list_changed",
        "notifications/resources/updated",
    ]


async def test_an_old_session_that_only_said_that_it_is_ready_hears_of_the_lists() -> None:
    heard: list[str] = []

    async def hear(message: Any) -> None:
        heard.append(getattr(message, "method", str(message)))

    server = a_server()
    async with server, Client(server.mcp, mode="legacy", message_handler=hear):
        await server.runtime.seams.clock.sleep(1)
        await server.changes.catalogue_changed("prompts")
        await server.changes.resource_changed("tiny://self")
        await server.runtime.seams.clock.sleep(1)
    assert heard == ["notifications/prompts/list_changed"]


async def test_a_new_client_hears_of_the_resources_that_it_subscribed_to() -> None:
    async with talking("auto") as (client, server), client.listen(resource_subscriptions=["tiny://self"]) as stream:
        await server.changes.resource_changed("tiny://name/a")
        await server.changes.resource_changed("tiny://self")
        event = await anext(aiter(stream))
    assert isinstance(event, ResourceUpdated)
    assert str(event.uri) == "tiny://self"


async def test_a_session_that_has_not_said_yet_that_it_is_ready_hears_of_nothing() -> None:
    to_server, received = anyio.create_memory_object_stream[SessionMessage | Exception](9)
    sent, from_server = anyio.create_memory_object_stream[SessionMessage](9)
    greeting = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
    hello = t.JSONRPCRequest(jsonrpc="2.0", id=1, method="initialize", params=greeting)
    ready = t.JSONRPCNotification(jsonrpc="2.0", method="notifications/initialized")
    with to_server, received, sent, from_server:
        async with a_server() as server, anyio.create_task_group() as group:
            group.start_soon(server.mcp.run, received, sent, server.mcp.create_initialization_options())
            await to_server.send(SessionMessage(hello))
            assert isinstance((await from_server.receive()).message, t.JSONRPCResponse)
            for message, notices in ((None, 0), (ready, 1)):
                if message is not None:
                    await to_server.send(SessionMessage(message))
                await server.runtime.seams.clock.sleep(1)
                await server.changes.catalogue_changed("tools")
                assert from_server.statistics().current_buffer_used == notices
            group.cancel_scope.cancel()


@old_subscriptions
async def test_a_notice_that_fails_on_its_way_is_told_to_the_log_alone(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def gone(connection: Connection, uri: str) -> None:
        raise ConnectionError("gone")

    monkeypatch.setattr(Connection, "send_resource_updated", gone)
    caplog.set_level(logging.DEBUG, "tzzr_mcp.server.changes")
    async with talking("legacy") as (client, server):
        await client.subscribe_resource("tiny://self")
        await server.changes.resource_changed("tiny://self")
    (record,) = (record for record in caplog.records if record.name == "tzzr_mcp.server.changes")
    assert record.getMessage() == "a client is gone before its notice of change"
    assert record.exc_info is not None
    assert record.exc_info[0] is ConnectionError


async def test_a_new_client_hears_of_what_it_listens_to() -> None:
    async with talking("auto") as (client, server), client.listen(tools_list_changed=True) as stream:
        await server.changes.catalogue_changed("prompts")
        await server.changes.catalogue_changed("tools")
        event = await anext(aiter(stream))
    assert type(event).__name__ == "ToolsListChanged"


@both_eras
async def test_an_unforeseen_exception_in_the_core_is_no_text_for_the_client(
    era: Era, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("swordfish")

    monkeypatch.setattr("tzzr_mcp.server.prompts.rendered", broken)
    async with talking(era) as (client, _):
        with pytest.raises(MCPError) as caught:
            await client.get_prompt("saluda", {"quien": "Ana"})
    error = caught.value.error
    assert error.code == -32603
    assert error.message == ("El servidor no pudo atender la petición por un error interno, que ha quedado registrado.")
    assert isinstance(error.data, dict)
    assert "swordfish" not in str(error)
    (record,) = (record for record in caplog.records if record.name == "tzzr_mcp.server.guard")
    assert record.getMessage() == f"prompts/get failed unexpectedly (request {error.data['requestId']})"
    assert "swordfish" in caplog.text


@both_eras
async def test_stopping_lets_short_calls_finish_cancels_long_ones_and_refuses_new_ones(era: Era) -> None:
    clients = Clients()
    async with talking(era, plugin=a_plugin(a_tool(wait), lifespan=lifespan_of(clients))) as (client, server):
        short = asyncio.create_task(client.call_tool("echo", {"texto": "2"}))
        long = asyncio.create_task(client.call_tool("echo", {"texto": "30"}))
        await server.runtime.seams.clock.sleep(1)
        await server.stop(5)
        assert server.runtime.seams.clock.monotonic() == 6
        assert text_of(await short) == "hecho"
        for result in (await long, await client.call_tool("echo", {"texto": "1"})):
            assert meta_of(result)["tzzr/error"]["code"] == "CANCELLED"
            assert "se está deteniendo" in text_of(result)
    assert clients.closed == 1


async def test_stopping_an_idle_server_takes_no_time() -> None:
    async with a_server() as server:
        await server.stop(5)
        assert server.runtime.seams.clock.monotonic() == 0


async def test_leaving_a_server_cancels_what_is_in_flight_at_once() -> None:
    async with talking("auto", a_tool(wait)) as (client, server):
        long = asyncio.create_task(client.call_tool("echo", {"texto": "30"}))
        await server.runtime.seams.clock.sleep(1)
        await server.__aexit__(None, None, None)
        assert server.runtime.seams.clock.monotonic() == 1
        assert meta_of(await long)["tzzr/error"]["code"] == "CANCELLED"


async def test_a_plugin_s_clients_get_its_settings_and_the_transport_of_the_server() -> None:
    seen: list[Opening[Any]] = []

    @asynccontextmanager
    async def lifespan(opening: Opening[Any]) -> AsyncIterator[None]:
        seen.append(opening)
        yield

    async with talking("auto", plugin=a_plugin(lifespan=lifespan), transport="the transport") as (client, server):
        await client.call_tool("echo", {"texto": "x"})
        (opening,) = seen
        assert (opening.settings.size, opening.transport) == (3, "the transport")
        assert opening.seams is server.runtime.seams
        assert server.settings.secrets() == {"swordfish"}
        assert list(server.registry.tools) == ["echo"]


def test_building_refuses_wrong_settings_and_wrong_plugins() -> None:
    with pytest.raises(StartError, match="TINY_KEY is not set"):
        build_server([a_plugin()], {})
    with pytest.raises(StartError, match="declares no source"):
        build_server([a_plugin(a_tool(echo, source=None))], ENVIRON)


def test_a_server_in_production_stands_on_the_machine_s_own_seams() -> None:
    server = build_server([a_plugin()], ENVIRON)
    assert isinstance(server.mcp, McpServer)
    assert type(server.runtime.seams.clock).__name__ == "SystemClock"


@old_subscriptions
async def test_a_change_that_a_gone_client_cannot_hear_disturbs_nobody() -> None:
    heard: list[str] = []

    async def hear(message: Any) -> None:
        heard.append(getattr(message, "method", str(message)))

    async with a_server() as server, Client(server.mcp, mode="legacy", message_handler=hear) as staying:
        async with Client(server.mcp, mode="legacy", message_handler=hear) as client:
            await client.subscribe_resource("tiny://self")
        await staying.subscribe_resource("tiny://self")
        with anyio.fail_after(1):
            await server.changes.resource_changed("tiny://self")
            await server.changes.catalogue_changed("tools")
            await server.runtime.seams.clock.sleep(0.5)
    assert heard == ["notifications/resources/updated", "notifications/tools/list_changed"]
