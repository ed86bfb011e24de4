"""The loop: model, tools, model again, until the answer or a limit."""

from __future__ import annotations

from tests.tzzr_mcp.gateway.scripted import ScriptedModel, a_gateway, asks, done, events_of, prose, says
from tests.tzzr_mcp.server.tiny import a_tool, echo
from tzzr_mcp.gateway.models import Question, Said, Told


async def test_an_answer_in_words_comes_piece_by_piece() -> None:
    model = ScriptedModel([says("Bue", "nas")])
    async with a_gateway(model) as gateway:
        events = await events_of(gateway, "Hola")
    assert [event.type for event in events] == ["text", "text", "done"]
    assert prose(events) == "Buenas"
    assert done(events).stopped == "answer"
    assert [message.content for message in done(events).messages] == ["Buenas"]


async def test_a_tool_is_run_and_the_model_gets_its_text_alone() -> None:
    model = ScriptedModel([asks("echo", texto="hola"), says("Dijo hola.")])
    async with a_gateway(model, a_tool(echo)) as gateway:
        events = await events_of(gateway, "Repite hola")
    assert [event.type for event in events] == ["tool", "tool", "text", "done"]
    first, second = model.seen
    assert [type(exchange) for exchange in first.messages] == [Question]
    asked, told = second.messages[1:]
    assert isinstance(asked, Said)
    assert isinstance(told, Told)
    assert (told.call, told.text.text, told.failed) == (asked.calls[0].id, "hola", False)
