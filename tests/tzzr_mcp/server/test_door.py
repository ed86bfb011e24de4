"""The low-level door: answers in the protocol's own types, under the core's limits and in its catalogue."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest
from mcp import MCPError
from mcp import types as t
from mcp.server.request_state import RequestStateBoundary

from tests.tzzr_mcp.server.tiny import ERAS, Era, a_plugin, a_tool, echo, talking
from tzzr_mcp.plugins.api import PromptArgument
from tzzr_mcp.plugins.lowlevel import RawPrompt, RawRequest, RawResource, RawTool
from tzzr_mcp.seams import Dice, LoopClock, Seams, Trace
from tzzr_mcp.server.door import sealing
from tzzr_mcp.server.registry import Registry

both_eras = pytest.mark.parametrize("era", ERAS)
ANYTHING = {"type": "object"}
VERSIONS = {"auto": "2026-07-28", "legacy": "2025-11-25"}


async def tool(request: RawRequest) -> t.CallToolResult:
    if isinstance(request.params, t.CallToolRequestParams) and request.params.arguments:
        raise MCPError(code=-32021, message="as it is")
    await request.changed("tools")
    return t.CallToolResult(content=[t.TextContent(text="crudo")])


async def resource(request: RawRequest) -> t.ReadResourceResult:
    assert isinstance(request.params, t.ReadResourceRequestParams)
    return t.ReadResourceResult(contents=[t.BlobResourceContents(uri=request.params.uri, blob="AA==")])


async def prompt(request: RawRequest) -> t.GetPromptResult:
    assert isinstance(request.params, t.GetPromptRequestParams)
    said = str((request.params.arguments or {})["a"])
    return t.GetPromptResult(messages=[t.PromptMessage(role="assistant", content=t.TextContent(text=said))])


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
        told = [(event.kind, event.details.get("outcome")) for event in server.runtime.seams.trace]
    assert called.content == [t.TextContent(text="crudo")]
    assert isinstance(contents, t.BlobResourceContents)
    assert str(contents.uri) == "raw://r"
    assert got.messages == [t.PromptMessage(role="assistant", content=t.TextContent(text="x"))]
    assert told == [("tool.start", None), ("tool.end", "OK"), ("resource.start", None), ("resource.end", "OK")]


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


@both_eras
async def test_a_raw_answer_is_given_the_server_s_clock_and_the_way_to_its_client(era: Era) -> None:
    async def told(request: RawRequest) -> t.CallToolResult:
        await request.clock.sleep(3)
        version = request.context.protocol_version
        return t.CallToolResult(content=[t.TextContent(text=f"{request.clock.monotonic():g} {version}")])

    async with talking(era, plugin=replace(RAW, tools=(RawTool("raw", "R", "Crudo.", ANYTHING, told),))) as (client, _):
        (block,) = (await client.call_tool("raw", {})).content
    assert block == t.TextContent(text=f"3 {VERSIONS[era]}")


@pytest.mark.parametrize("which", ["tools", "resources", "prompts"])
def test_state_is_sealed_wherever_a_raw_answer_may_give_it_away_and_nowhere_else(which: str) -> None:
    bare: dict[str, Any] = {"tools": (a_tool(echo),), "resources": (), "prompts": ()}
    raw = a_plugin(**{**bare, which: getattr(RAW, which)})
    (sealing_raw,) = sealing(Registry((raw,)), Dice(7), "mcp-server-tzzr")
    assert isinstance(sealing_raw, RequestStateBoundary)
    assert sealing(Registry((a_plugin(),)), Dice(7), "mcp-server-tzzr") == []


async def asks_first(request: RawRequest) -> t.CallToolResult | t.InputRequiredResult:
    """Gives a state along, and tells the state that comes back."""
    assert isinstance(request.params, t.CallToolRequestParams)
    if request.params.request_state is None:
        return t.InputRequiredResult(request_state="swordfish")
    return t.CallToolResult(content=[t.TextContent(text=request.params.request_state)])


KEEPING = replace(RAW, tools=(RawTool("raw", "R", "Crudo.", ANYTHING, asks_first),))


async def sealed(audience: str) -> str:
    """A state as a server of that name, whose dice have the seed 7, gives it to a client."""

    async def kept(_: object) -> dict[str, Any]:
        return {"resultType": "input_required", "requestState": "swordfish"}

    (boundary,) = sealing(Registry((KEEPING,)), Dice(7), audience)
    asked: Any = SimpleNamespace(method="tools/call", params={"name": "raw"})
    result = await boundary(asked, kept)
    assert isinstance(result, dict)
    return str(result["requestState"])


async def test_what_a_client_keeps_for_a_raw_answer_is_unreadable_and_comes_back_plain() -> None:
    async with talking("auto", plugin=KEEPING) as (client, _):
        first = await client.session.call_tool("raw", {}, allow_input_required=True)
        assert isinstance(first, t.InputRequiredResult)
        assert first.request_state is not None
        assert "swordfish" not in first.request_state
        again = await client.session.call_tool("raw", {}, request_state=first.request_state)
    assert again.content == [t.TextContent(text="swordfish")]


@pytest.mark.parametrize(
    ("seed", "name", "taken"),
    [(7, "mcp-server-tzzr", True), (8, "mcp-server-tzzr", False), (7, "another-server", False)],
    ids=["the same", "another seed", "another server"],
)
async def test_a_state_is_taken_from_a_server_of_the_same_seed_and_name_alone(
    seed: int, name: str, taken: bool
) -> None:
    state, seams = await sealed(name), Seams(LoopClock(datetime(2026, 1, 4, tzinfo=UTC)), Dice(seed), Trace())
    async with talking("auto", plugin=KEEPING, seams=seams) as (client, _):
        with nullcontext() if taken else pytest.raises(MCPError, match="requestState"):
            again = await client.session.call_tool("raw", {}, request_state=state)
            assert again.content == [t.TextContent(text="swordfish")]
