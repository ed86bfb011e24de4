"""The fixtures of the conformance suite, called by the SDK's own client in process, in both eras."""

from __future__ import annotations

import base64
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Literal

import pytest
from mcp import Client, MCPError
from mcp import types as t
from mcp.client import ClientRequestContext

from tzzr_mcp.plugins.conformance import plugin
from tzzr_mcp.server import build_server
from tzzr_mcp.settings import DEFAULT_PLUGINS

Mode = Literal["auto", "legacy"]


async def _sample(context: ClientRequestContext, params: t.CreateMessageRequestParams) -> t.CreateMessageResult:
    (message,) = params.messages
    (content,) = message.content_as_list
    assert isinstance(content, t.TextContent)
    return t.CreateMessageResult(role="assistant", content=t.TextContent(text=f"on {content.text}"), model="test")


async def _elicit(context: ClientRequestContext, params: t.ElicitRequestParams) -> t.ElicitResult:
    assert isinstance(params, t.ElicitRequestFormParams)
    entered: dict[str, Any] = {name: _entry(field) for name, field in params.requested_schema["properties"].items()}
    return t.ElicitResult(action="accept", content=entered)


def _entry(field: dict[str, Any]) -> Any:
    return field.get("default", True if field["type"] == "boolean" else "Ada")


async def _roots(context: ClientRequestContext) -> t.ListRootsResult:
    return t.ListRootsResult(roots=[t.Root(uri="file:///test/root")])  # type: ignore[arg-type]  # a URL as text


@asynccontextmanager
async def fixtures(mode: Mode = "auto", **callbacks: Any) -> AsyncIterator[Client]:
    """A client of the plugin alone, with whatever it can do for the server."""
    async with build_server([plugin], {}) as server, Client(server.mcp, mode=mode, cache=None, **callbacks) as client:
        yield client


def able() -> dict[str, Any]:
    """A client that samples, asks its user and has roots."""
    return {"sampling_callback": _sample, "elicitation_callback": _elicit, "list_roots_callback": _roots}


def text(result: t.CallToolResult) -> str:
    """A result's only block."""
    (block,) = result.content
    assert isinstance(block, t.TextContent)
    return block.text


def test_the_plugin_is_never_enabled_by_default() -> None:
    assert plugin.name not in DEFAULT_PLUGINS


@pytest.mark.parametrize("mode", ["auto", "legacy"])
@pytest.mark.parametrize(
    ("tool", "kinds"),
    [
        ("test_simple_text", ["text"]),
        ("test_image_content", ["image"]),
        ("test_audio_content", ["audio"]),
        ("test_embedded_resource", ["resource"]),
        ("test_multiple_content_types", ["text", "image", "resource"]),
    ],
)
async def test_every_kind_of_content_comes_through(mode: Mode, tool: str, kinds: list[str]) -> None:
    async with fixtures(mode) as client:
        result = await client.call_tool(tool, {})

    assert [block.type for block in result.content] == kinds


async def test_picture_and_sound_are_what_they_say() -> None:
    async with fixtures() as client:
        (picture,) = (await client.call_tool("test_image_content", {})).content
        (sound,) = (await client.call_tool("test_audio_content", {})).content

    assert isinstance(picture, t.ImageContent)
    assert isinstance(sound, t.AudioContent)
    assert base64.b64decode(picture.data).startswith(b"\x89PNG\r\n\x1a\n")
    assert base64.b64decode(sound.data)[:4] == b"RIFF"


async def test_an_error_is_a_result() -> None:
    async with fixtures() as client:
        result = await client.call_tool("test_error_handling", {})

    assert result.is_error
    assert text(result) == "This tool intentionally returns an error for testing"


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_progress_is_told_in_three_steps(mode: Mode) -> None:
    steps: list[tuple[float, float | None]] = []

    async def told(progress: float, total: float | None, message: str | None) -> None:
        steps.append((progress, total))

    async with fixtures(mode) as client:
        await client.call_tool("test_tool_with_progress", {}, progress_callback=told)

    assert steps == [(0, 100), (50, 100), (100, 100)]


@pytest.mark.parametrize(("mode", "count"), [("legacy", 3), ("auto", 0)])
async def test_log_messages_reach_only_who_may_get_them(mode: Mode, count: int) -> None:
    logged: list[Any] = []

    async def log(params: t.LoggingMessageNotificationParams) -> None:
        logged.append(params.data)

    async with fixtures(mode, logging_callback=log) as client:
        await client.call_tool("test_tool_with_logging", {})

    assert len(logged) == count


async def test_an_older_client_is_asked_during_the_call() -> None:
    async with fixtures("legacy", **able()) as client:
        sampled = await client.call_tool("test_sampling", {"prompt": "tests"})
        asked = await client.call_tool("test_elicitation", {"message": "who?"})
        defaults = await client.call_tool("test_elicitation_sep1034_defaults", {})
        enums = await client.call_tool("test_elicitation_sep1330_enums", {})

    assert text(sampled) == "LLM response: on tests"
    assert text(asked) == 'User response: action=accept, content={"email": "Ada", "username": "Ada"}'
    assert '"age": 30' in text(defaults)
    assert "untitledMulti" in text(enums)


async def test_a_missing_argument_of_a_raw_tool_is_a_protocol_error() -> None:
    async with fixtures("legacy", **able()) as client:
        with pytest.raises(MCPError, match="«prompt»") as caught:
            await client.call_tool("test_sampling", {})

    assert caught.value.error.code == t.INVALID_PARAMS


async def test_an_answer_survives_the_call_for_reconnection() -> None:
    async with fixtures("legacy") as client:
        assert text(await client.call_tool("test_reconnection", {})) == "Reconnection test completed successfully"


async def test_a_capability_that_the_client_lacks_is_named() -> None:
    async with fixtures() as client:
        with pytest.raises(MCPError) as caught:
            await client.call_tool("test_missing_capability", {})
    async with fixtures(**able()) as client:
        granted = await client.call_tool("test_missing_capability", {})

    assert (caught.value.error.code, caught.value.error.data) == (-32021, {"requiredCapabilities": {"sampling": {}}})
    assert "declara" in text(granted)


@pytest.mark.parametrize(
    ("tool", "expected"),
    [
        ("elicitation", "Hello, Ada!"),
        ("sampling", "on What is the capital of France?"),
        ("list_roots", "Client roots: file:///test/root"),
        ("request_state", "state-ok"),
        ("multiple_inputs", "on Generate a greeting Ada (file:///test/root)"),
        ("multi_round", "Ada: Ada"),
        ("tampered_state", "state-ok"),
        ("capabilities", "No queda nada que preguntar."),
    ],
)
async def test_a_newer_client_is_asked_in_rounds(tool: str, expected: str) -> None:
    async with fixtures(**able()) as client:
        assert text(await client.call_tool(f"test_input_required_result_{tool}", {})) == expected


async def test_who_declined_is_asked_again() -> None:
    answers = iter(["decline", "accept"])

    async def hesitate(context: ClientRequestContext, params: t.ElicitRequestParams) -> t.ElicitResult:
        return t.ElicitResult(action=next(answers), content={"name": "Eva"})  # type: ignore[arg-type]

    async with fixtures(elicitation_callback=hesitate) as client:
        result = await client.call_tool("test_input_required_result_elicitation", {})

    assert text(result) == "Hello, Eva!"


async def test_a_state_that_this_server_did_not_give_out_is_refused() -> None:
    async with fixtures(**able()) as client:
        with pytest.raises(MCPError) as caught:
            await client.call_tool("test_input_required_result_request_state", {}, request_state="round 1")

    assert caught.value.error.code == t.INVALID_PARAMS


async def test_a_prompt_may_ask_too() -> None:
    async with fixtures(**able()) as client:
        prompt = await client.get_prompt("test_input_required_result_prompt")

    (message,) = prompt.messages
    assert message.content == t.TextContent(text="Context: Ada")


async def test_prompts_carry_pictures_and_resources() -> None:
    async with fixtures() as client:
        simple = await client.get_prompt("test_simple_prompt")
        filled = await client.get_prompt("test_prompt_with_arguments", {"arg1": "a", "arg2": "b"})
        picture = await client.get_prompt("test_prompt_with_image")
        document = await client.get_prompt("test_prompt_with_embedded_resource", {"resourceUri": "test://x"})

    assert simple.messages[0].content == t.TextContent(text="This is a simple prompt for testing.")
    assert filled.messages[0].content == t.TextContent(text="Prompt with arguments: arg1='a', arg2='b'")
    assert [message.content.type for message in picture.messages] == ["image", "text"]
    embedded = document.messages[0].content
    assert isinstance(embedded, t.EmbeddedResource)
    assert str(embedded.resource.uri) == "test://x"


async def test_resources_are_text_bytes_and_templates() -> None:
    async with fixtures() as client:
        listed = [str(resource.uri) for resource in (await client.list_resources()).resources]
        (binary,) = (await client.read_resource("test://static-binary")).contents
        (made,) = (await client.read_resource("test://template/123/data")).contents
        texts = [(await client.read_resource(uri)).contents[0] for uri in (listed[0], listed[2])]

    assert listed == ["test://static-text", "test://static-binary", "test://watched-resource"]
    assert isinstance(binary, t.BlobResourceContents)
    assert isinstance(made, t.TextResourceContents)
    assert '"id": "123"' in made.text
    assert all(isinstance(each, t.TextResourceContents) for each in texts)


@pytest.mark.parametrize(("tool", "what"), [("tool", "tools"), ("prompt", "prompts")])
async def test_a_change_is_told_to_an_older_session(tool: str, what: str) -> None:
    told: list[str] = []

    async def message(received: object) -> None:
        if isinstance(received, t.ToolListChangedNotification | t.PromptListChangedNotification):
            told.append(received.method)

    async with fixtures("legacy", message_handler=message) as client:
        await client.call_tool(f"test_trigger_{tool}_change", {})

    assert told == [f"notifications/{what}/list_changed"]


async def test_the_schemas_keep_their_keywords() -> None:
    async with fixtures() as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        refused = await client.call_tool("json_schema_2020_12_tool", {"contactMethod": "phone"})
        taken = await client.call_tool("json_schema_2020_12_tool", {"contactMethod": "phone", "phone": "1"})

    keywords = {"$schema", "$defs", "allOf", "if", "then", "else", "additionalProperties"}
    assert keywords <= set(tools["json_schema_2020_12_tool"].input_schema)
    assert tools["test_x_mcp_header"].input_schema["properties"]["region"]["x-mcp-header"] == "Region"
    assert tools["test_image_content"].output_schema is None
    assert refused.is_error
    assert text(taken) == '{"contactMethod": "phone", "phone": "1"}'
