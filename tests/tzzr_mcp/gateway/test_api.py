"""The API: server-sent events, errors of one form, what a page needs beside the chat."""

from __future__ import annotations

from tests.tzzr_mcp.gateway.reaching import an_api, asked
from tests.tzzr_mcp.gateway.scripted import ScriptedModel, asks, done, prose, says
from tests.tzzr_mcp.server.tiny import a_tool, echo


async def test_an_answer_comes_as_server_sent_events_that_end_with_done() -> None:
    model = ScriptedModel([asks("echo", texto="hola"), says("Dijo ", "hola.")])
    async with an_api(model, a_tool(echo)) as http:
        events = await asked(http, "Repite hola")
    assert [event.type for event in events] == ["tool", "tool", "text", "text", "done"]
    assert prose(events) == "Dijo hola."
    assert [message.role for message in done(events).messages] == ["assistant", "tool", "assistant"]


async def test_the_conversation_goes_on_with_the_messages_that_done_gave() -> None:
    model = ScriptedModel([asks("echo", texto="uno"), says("Uno."), says("Ya lo dije.")])
    async with an_api(model, a_tool(echo)) as http:
        first = done(await asked(http, "Di uno"))
        before = [message.model_dump(mode="json", exclude_none=True) for message in first.messages]
        second = await asked(http, "Di uno", *before, "¿Qué dijiste?")
    assert prose(second) == "Ya lo dije."
    assert len(model.seen[-1].messages) == 5
