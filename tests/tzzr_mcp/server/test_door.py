"""The low-level door: answers in the protocol's own types, under the core's limits and in its catalogue."""

from __future__ import annotations

import pytest
from mcp import MCPError
from mcp import types as t

from tests.tzzr_mcp.server.tiny import ERAS, Era, a_plugin, talking
from tzzr_mcp.plugins.api import PromptArgument
from tzzr_mcp.plugins.lowlevel import RawPrompt, RawRequest, RawResource, RawTool

both_eras = pytest.mark.parametrize("era", ERAS)
ANYTHING = {"type": "object"}


async def tool(request: RawRequest) -> t.CallToolResult:
    if isinstance(request.params, t.CallToolRequestParams) and request.params.arguments:
        raise MCPError(code=-32021, message="as it is")
    await request.changed("tools")
    return t.CallToolResult(content=[t.TextContent(text="crudo")])


async def resource(request: RawRequest) -> t.ReadResourceResult:
    return t.ReadResourceResult(contents=[t.BlobResourceContents(uri="raw://r", blob="AA==")])


async def prompt(request: RawRequest) -> t.GetPromptResult:
    message = t.PromptMessage(role="assistant", content=t.TextContent(text="crudo"))
    return t.GetPromptResult(messages=[message])


RAW = a_plugin(
    RawTool("raw", "R", "Crudo.", ANYTHING, tool),
    resources=(RawResource("raw://r", "r", "R", "Crudo.", resource),),
    prompts=(RawPrompt("raw", "R", "Crudo.", "", (PromptArgument("a", "A.", required=True),), answer=prompt),),
)


@both_eras
async def test_raw_answers_reach_the_client_as_they_are(era: Era) -> None:
    async with talking(era, plugin=RAW) as (client, server):
        called = await client.call_tool("raw", {})
        (contents,) = (await client.read_resource("raw://r")).contents
        got = await client.get_prompt("raw", {"a": "x"})
        kinds = [event.kind for event in server.runtime.seams.trace]
    assert called.content == [t.TextContent(text="crudo")]
    assert isinstance(contents, t.BlobResourceContents)
    assert got.messages[0].role == "assistant"
    assert kinds == ["tool.start", "tool.end", "resource.start", "resource.end"]


@both_eras
async def test_a_raw_tool_has_no_output_schema_and_its_errors_are_the_protocol_s(era: Era) -> None:
    async with talking(era, plugin=RAW) as (client, _):
        assert (await client.list_tools()).tools[0].output_schema is None
        with pytest.raises(MCPError, match="as it is") as caught:
            await client.call_tool("raw", {"a": 1})
    assert caught.value.error.code == -32021


@both_eras
async def test_a_raw_prompt_s_arguments_are_checked(era: Era) -> None:
    async with talking(era, plugin=RAW) as (client, _):
        with pytest.raises(MCPError, match="obligatorio «a»"):
            await client.get_prompt("raw", {})
