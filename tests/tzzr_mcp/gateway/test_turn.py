"""The loop: model, tools, model again, until the answer or a limit."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.tzzr_mcp.gateway.scripted import ScriptedModel, a_gateway, asks, done, events_of, prose, question, says
from tests.tzzr_mcp.server.tiny import Clients, a_plugin, a_server, a_tool, echo, lifespan_of, output, refuse, wait
from tzzr_mcp.gateway.events import ErrorEvent, Event, ToolEvent
from tzzr_mcp.gateway.failures import Stopping
from tzzr_mcp.gateway.models import Delta, Ended, ModelError, Question, Said, Told, ToolRequest, Used
from tzzr_mcp.gateway.settings import Limits
from tzzr_mcp.output import ToolOutput
from tzzr_mcp.plugins.api import Call


def finished(events: list[Event]) -> list[ToolEvent]:
    return [event for event in events if isinstance(event, ToolEvent) and event.phase == "finished"]


def error(events: list[Event]) -> ErrorEvent:
    (found,) = [event for event in events if isinstance(event, ErrorEvent)]
    return found


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


async def test_a_finished_tool_tells_its_source_its_trace_and_how_long_it_took() -> None:
    model = ScriptedModel([asks("echo", texto="7"), says("Ya.")])
    async with a_gateway(model, a_tool(wait)) as gateway:
        (tool,) = finished(await events_of(gateway, "Espera"))
    assert (tool.title, tool.outcome, tool.text, tool.duration_ms) == ("Eco", "ok", "hecho", 7000)
    assert tool.source is not None
    assert (tool.source.name, tool.source.kind) == ("tiny", "computation")
    assert tool.trace_id is not None


async def test_a_tool_that_fails_tells_the_model_why_and_the_turn_goes_on() -> None:
    model = ScriptedModel([asks("echo", texto="x"), says("Está ocupado.")])
    async with a_gateway(model, a_tool(refuse)) as gateway:
        events = await events_of(gateway, "Repite")
    (tool,) = finished(events)
    assert (tool.outcome, tool.text) == ("error", "El servicio está ocupado. Espere un minuto.")
    told = model.seen[1].messages[-1]
    assert isinstance(told, Told)
    assert told.failed
    assert done(events).stopped == "answer"


async def test_tools_asked_for_together_run_together_and_are_told_in_the_order_asked() -> None:
    def two(_: Any) -> list[Any]:
        return [ToolRequest("a", "echo", '{"texto": "9"}'), ToolRequest("b", "echo", '{"texto": "4"}'), Ended()]

    model = ScriptedModel([two, says("Ya.")])
    async with a_gateway(model, a_tool(wait)) as gateway:
        began = gateway.clock.monotonic()
        events = await events_of(gateway, "Espera dos veces")
        took = gateway.clock.monotonic() - began
    assert took == pytest.approx(9)
    assert [event.call for event in finished(events)] == ["b", "a"]
    assert [told.call for told in model.seen[1].messages if isinstance(told, Told)] == ["a", "b"]


async def test_the_model_is_asked_as_often_as_it_asks_for_tools() -> None:
    model = ScriptedModel([asks("echo", "one", texto="1"), asks("echo", "two", texto="2"), says("Tres.")])
    async with a_gateway(model, a_tool(echo)) as gateway:
        last = done(await events_of(gateway, "Cuenta"))
    assert (last.rounds, last.tool_calls, last.stopped) == (3, 2, "answer")
    assert [message.role for message in last.messages] == ["assistant", "tool", "assistant", "tool", "assistant"]


async def test_a_call_s_id_that_the_model_uses_twice_is_made_another_one() -> None:
    model = ScriptedModel([asks("echo", texto="1"), asks("echo", texto="2"), says("Ya.")])
    async with a_gateway(model, a_tool(echo)) as gateway:
        events = await events_of(gateway, "Cuenta")
    assert len({event.call for event in finished(events)}) == 2
    assert [message.content for message in done(events).messages if message.role == "tool"] == ["1", "2"]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ('{"texto": "x", "veces": 9}', "El argumento «veces» vale 9, pero se espera un valor entre 1 y 5."),
        ('{"texto": "x"', "Los argumentos no son JSON bien escrito."),
        ('["x"]', "Los argumentos no son un objeto JSON."),
    ],
)
async def test_arguments_that_are_wrong_go_back_to_the_model_with_the_complaint(arguments: str, complaint: str) -> None:
    model = ScriptedModel([[ToolRequest("c1", "echo", arguments), Ended()], asks("echo", "c2", texto="x"), says("x")])
    clients = Clients()
    plugin = a_plugin(a_tool(echo), lifespan=lifespan_of(clients))
    async with a_gateway(model, plugin=plugin) as gateway:
        events = await events_of(gateway, "Repite x")
    wrong, right = finished(events)
    assert wrong.outcome == "error"
    assert (wrong.text or "").startswith(complaint)
    assert right.outcome == "ok"
    told = model.seen[1].messages[-1]
    assert isinstance(told, Told)
    assert told.text.text == wrong.text
    assert len(clients.seen) == 1
    assert done(events).stopped == "answer"


async def test_arguments_that_are_wrong_a_second_time_end_the_turn() -> None:
    model = ScriptedModel([asks("echo", "c1", veces=0), asks("echo", "c2", veces=9)])
    async with a_gateway(model, a_tool(echo)) as gateway:
        events = await events_of(gateway, "Repite")
    assert error(events).code == "MODEL_ARGUMENTS"
    assert "«Eco»" in error(events).message
    assert done(events).stopped == "error"
    assert len(model.seen) == 2


async def test_a_tool_that_is_not_there_is_told_with_the_nearest_name() -> None:
    model = ScriptedModel([asks("ecco", texto="x"), says("Perdón.")])
    async with a_gateway(model, a_tool(echo)) as gateway:
        events = await events_of(gateway, "Repite")
    (tool,) = finished(events)
    assert (tool.outcome, tool.text) == ("error", "No existe la herramienta «ecco»; ¿quiso decir «echo»? Hay: echo.")
    assert done(events).stopped == "answer"


async def test_a_model_that_asks_for_the_same_again_and_again_is_stopped() -> None:
    model = ScriptedModel([asks("echo", texto="x")])
    async with a_gateway(model, a_tool(echo)) as gateway:
        events = await events_of(gateway, "Repite")
    assert (error(events).code, done(events).stopped) == ("LIMIT_LOOP", "limit")
    assert (done(events).rounds, done(events).tool_calls) == (3, 2)


@pytest.mark.parametrize(
    ("limits", "code", "rounds"),
    [
        (Limits(rounds=4), "LIMIT_ROUNDS", 4),
        (Limits(tool_calls=2), "LIMIT_TOOL_CALLS", 3),
        (Limits(tokens=250), "LIMIT_TOKENS", 3),
        (Limits(timeout_s=12), "LIMIT_TIME", 3),
    ],
)
async def test_a_limit_ends_the_turn_and_says_so(limits: Limits, code: str, rounds: int) -> None:
    def again(seen: Any) -> list[Any]:
        return [Used(90, 10), *asks("echo", f"c{len(model.seen)}", texto=str(5 + 0.001 * len(model.seen)))]

    model = ScriptedModel([again])
    async with a_gateway(model, a_tool(wait), limits=limits) as gateway:
        events = await events_of(gateway, "Espera")
    assert (error(events).code, done(events).stopped, done(events).rounds) == (code, "limit", rounds)
    assert not error(events).retryable


async def test_a_call_cut_off_by_the_time_limit_has_an_answer_in_the_conversation() -> None:
    model = ScriptedModel([asks("echo", texto="60"), says("Sigo.")])
    async with a_gateway(model, a_tool(wait), limits=Limits(timeout_s=12)) as gateway:
        messages = done(await events_of(gateway, "Espera")).messages
        assert [(message.role, message.ok, message.content) for message in messages] == [
            ("assistant", True, ""),
            ("tool", False, "La llamada no terminó."),
        ]
        assert prose(await events_of(gateway, "Espera", *messages, "¿Y?")) == "Sigo."


async def test_a_model_that_breaks_off_yields_what_came_and_then_the_error() -> None:
    model = ScriptedModel([[Delta("La cuota "), Delta("es"), ModelError("MODEL_CUT")]])
    async with a_gateway(model) as gateway:
        events = await events_of(gateway, "¿Cuota?")
    assert [event.type for event in events] == ["text", "text", "error", "done"]
    assert (error(events).code, error(events).retryable) == ("MODEL_CUT", True)
    assert done(events).stopped == "error"
    assert [message.content for message in done(events).messages] == ["La cuota es"]


async def test_what_the_gateway_did_not_foresee_is_told_without_a_word_of_it(caplog: pytest.LogCaptureFixture) -> None:
    model = ScriptedModel([[Delta("Voy"), ZeroDivisionError("swordfish")]])
    async with a_gateway(model) as gateway:
        events = await events_of(gateway, "Hola")
    assert error(events).code == "INTERNAL"
    assert "swordfish" not in "".join(event.model_dump_json() for event in events)
    assert "swordfish" in caplog.text


@pytest.mark.parametrize(("reason", "told"), [("length", "quedó cortada"), ("refused", "no quiere responder")])
async def test_why_a_model_stopped_is_told_where_it_is_not_the_end(reason: Any, told: str) -> None:
    model = ScriptedModel([[Delta("Se"), Ended(reason)]])
    async with a_gateway(model) as gateway:
        events = await events_of(gateway, "Hola")
    (notice,) = [event.notice for event in events if event.type == "notice"]
    assert told in notice.text
    assert done(events).stopped == "answer"


async def test_a_model_that_says_nothing_is_told_of() -> None:
    async with a_gateway(ScriptedModel([says()])) as gateway:
        events = await events_of(gateway, "Hola")
    assert (error(events).code, done(events).messages) == ("MODEL_SILENT", ())


async def test_tokens_are_counted_as_the_model_counts_or_guessed_from_the_characters() -> None:
    async with a_gateway(ScriptedModel([[Used(120, 7), *says("x" * 40)]])) as gateway:
        assert done(await events_of(gateway, "Hola")).usage.model_dump() == {"input_tokens": 120, "output_tokens": 7}
    async with a_gateway(ScriptedModel([says("x" * 40)])) as gateway:
        assert done(await events_of(gateway, "Hola" * 10)).usage.model_dump() == {
            "input_tokens": 10,
            "output_tokens": 10,
        }


async def test_a_reader_who_goes_away_cancels_the_tools() -> None:
    model = ScriptedModel([asks("echo", texto="600"), says("Ya.")])
    server = a_server(a_tool(wait))
    async with a_gateway(model, server=server) as gateway:
        turn = gateway.turn([question("Espera")])
        first = await anext(turn)
        assert first.type == "tool"
        await gateway.clock.sleep(5)
        await turn.aclose()
        await gateway.clock.sleep(0.1)
        ends = [event.details["outcome"] for event in server.runtime.seams.trace if event.kind == "tool.end"]
    assert ends == ["CANCELLED"]
    assert len(model.seen) == 1


async def test_a_reader_who_goes_away_ends_the_request_to_the_model() -> None:
    model = ScriptedModel([says(*(["más "] * 10_000))])
    async with a_gateway(model) as gateway:
        turn = gateway.turn([question("Habla")])
        await anext(turn)
        await turn.aclose()
        assert model.closed == 1


async def test_a_slow_reader_makes_the_turn_wait() -> None:
    produced = 0

    def much(_: Any) -> Any:
        nonlocal produced
        for _number in range(5000):
            produced += 1
            yield Delta("x")

    async with a_gateway(ScriptedModel([much])) as gateway:
        turn = gateway.turn([question("Habla")])
        await anext(turn)
        await gateway.clock.sleep(1)
        assert produced < 100
        await turn.aclose()


async def test_a_gateway_that_is_closed_tells_the_readers_of_its_turns() -> None:
    model = ScriptedModel([asks("echo", texto="600")])
    events: list[Event] = []
    async with a_gateway(model, a_tool(wait)) as gateway:

        async def read() -> None:
            events.extend([event async for event in gateway.turn([question("Espera")])])

        reading = asyncio.create_task(read())
        await gateway.clock.sleep(5)
    await reading
    assert error(events).code == "CANCELLED"
    assert done(events).stopped == "cancelled"
    assert [message.role for message in done(events).messages] == ["assistant", "tool"]


async def test_a_gateway_that_stops_lets_answers_finish_for_a_while_and_admits_no_question() -> None:
    def waiting(seen: Any) -> list[Any]:
        return asks("echo", texto=seen.messages[0].text.text) if len(seen.messages) == 1 else says("Ya.")

    async with a_gateway(ScriptedModel([waiting]), a_tool(wait)) as gateway:
        quick, slow = (asyncio.create_task(events_of(gateway, seconds)) for seconds in ("3", "60"))
        await gateway.clock.sleep(1)
        began = gateway.clock.monotonic()
        stopping = asyncio.create_task(gateway.stop(5))
        await gateway.clock.sleep(0.1)
        with pytest.raises(Stopping):
            gateway.turn([question("Hola")])
        await stopping
        assert gateway.clock.monotonic() - began == pytest.approx(5)
    assert done(await quick).stopped == "answer"
    assert done(await slow).stopped == "cancelled"


async def test_text_beyond_the_limit_is_cut_for_the_model_and_says_so() -> None:
    async def long(call: Call[Any]) -> ToolOutput:
        return output(call, "palabra " * 1000)

    model = ScriptedModel([asks("echo", texto="x"), says("Ya.")])
    async with a_gateway(model, a_tool(long), limits=Limits(tool_text=400)) as gateway:
        await events_of(gateway, "Habla")
    told = model.seen[1].messages[-1]
    assert isinstance(told, Told)
    assert told.text.text == "palabra " * 50 + "\n[El texto sigue: faltan 7600 caracteres de 8000.]"
