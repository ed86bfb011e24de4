"""Many conversations, large tables, several gateways on one conversation."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

import pytest

from tests.tzzr_mcp.gateway.chatting import a_chat
from tests.tzzr_mcp.gateway.scripted import ScriptedModel, Seen, a_gateway, asks, done, events_of, prose, question, says
from tests.tzzr_mcp.server.tiny import a_server, a_tool, echo, output, wait
from tzzr_mcp.gateway.connect import in_process
from tzzr_mcp.gateway.events import ROWS, Event
from tzzr_mcp.gateway.failures import Busy
from tzzr_mcp.gateway.gateway import Gateway
from tzzr_mcp.gateway.models import Told
from tzzr_mcp.gateway.settings import Limits
from tzzr_mcp.output import Column, Table, ToolOutput
from tzzr_mcp.plugins.api import Call

CONVERSATIONS = 100
SCRIPT = [{"when": "repite", "call": {"echo": {"texto": "5"}}, "answer": "Pasaron 5 segundos: {echo}."}]


def rows_of(events: Iterable[Event]) -> list[list[Any]]:
    """The rows of every table, put together again."""
    rows: list[list[Any]] = []
    for event in events:
        if event.type == "table":
            rows += event.table.rows
        elif event.type == "rows":
            assert event.start == len(rows)
            rows += event.rows
    return rows


async def all_answers(gateway: Gateway) -> tuple[list[list[Event]], float]:
    """The events of a hundred conversations at once, and how long they took."""
    began = gateway.clock.monotonic()
    asking = (events_of(gateway, f"Repite por favor, soy el {number}") for number in range(CONVERSATIONS))
    answers = await asyncio.gather(*asking)
    return answers, gateway.clock.monotonic() - began


async def test_a_hundred_conversations_at_once_each_get_their_own_answer() -> None:
    def answering(seen: Seen) -> list[Any]:
        asked, last = seen.messages[0], seen.messages[-1]
        return says(f"A «{asked.text.text}»: {last.text.text}") if isinstance(last, Told) else asks("echo", texto="5")

    async with a_gateway(ScriptedModel([answering]), a_tool(wait)) as gateway:
        answers, took = await all_answers(gateway)
    told = [f"A «Repite por favor, soy el {number}»: hecho" for number in range(CONVERSATIONS)]
    assert [prose(events) for events in answers] == told
    assert took == pytest.approx(5)


@pytest.mark.slow
async def test_a_hundred_conversations_at_once_through_the_official_client() -> None:
    async with a_chat(SCRIPT, a_tool(wait)) as chat:
        answers, took = await all_answers(chat.gateway)
        requests = chat.world.journal.of("llm")
    assert {prose(events) for events in answers} == {"Pasaron 5 segundos: hecho."}
    assert {done(events).stopped for events in answers} == {"answer"}
    assert len(requests) == 2 * CONVERSATIONS
    assert took < 10, "they run side by side"


async def test_beyond_the_limit_a_question_is_turned_away_and_room_is_made_by_every_end() -> None:
    model = ScriptedModel([asks("echo", texto="60"), says("Ya.")])
    async with a_gateway(model, a_tool(wait), limits=Limits(turns=2)) as gateway:
        first, second = gateway.turn([question("Uno")]), gateway.turn([question("Dos")])
        await anext(first)
        await anext(second)
        with pytest.raises(Busy):
            gateway.turn([question("Tres")])
        await first.aclose()
        await gateway.clock.sleep(0.1)
        third = gateway.turn([question("Tres")])
        assert (await anext(third)).type in {"text", "tool"}
        await third.aclose()
        await second.aclose()


async def test_a_table_of_fifty_thousand_rows_comes_whole_in_slices_and_the_model_sees_none_of_it() -> None:
    rows: list[list[Any]] = [[number, f"fila-{number}", number * 1.5] for number in range(50_000)]

    async def large(call: Call[Any]) -> ToolOutput:
        columns = [Column("n", "N", "integer"), Column("nombre", "Nombre"), Column("valor", "Valor", "number")]
        return output(call, "Cincuenta mil filas.", tables=[Table("t", "Todas", columns, rows)])

    model = ScriptedModel([asks("echo", texto="x"), says("Son muchas.")])
    async with a_gateway(model, a_tool(large)) as gateway:
        events = await events_of(gateway, "Dame todo")
    slices = [event for event in events if event.type in {"table", "rows"}]
    assert len(slices) == 50
    assert all(len(event.rows) == ROWS for event in slices if event.type == "rows")
    assert [event.table.total for event in events if event.type == "table"] == [50_000]
    assert rows_of(events) == rows
    assert "fila-" not in model.seen[-1].text
    assert len(model.seen[-1].text) < 5_000
    assert sum(len(message.content) for message in done(events).messages) < 200


async def test_a_table_s_numbers_arrive_as_they_were_given() -> None:
    cells: list[list[Any]] = [[1, 1.0, -0.0, 0.1 + 0.2, 10**15 + 1, True, None, "", "1.0", "<b>&amp;</b>"]]
    columns = [Column(f"c{number}", "C") for number in range(len(cells[0]))]

    async def odd(call: Call[Any]) -> ToolOutput:
        return output(call, "Números raros.", tables=[Table("t", "Raros", columns, cells)])

    model = ScriptedModel([asks("echo", texto="x"), says("Ya.")])
    async with a_gateway(model, a_tool(odd)) as gateway:
        events = await events_of(gateway, "Dame")
    assert [list(map(repr, row)) for row in rows_of(events)] == [list(map(repr, row)) for row in cells]


async def test_two_gateways_take_turns_on_one_conversation() -> None:
    server = a_server(a_tool(echo))
    seams = server.runtime.seams
    models = [
        ScriptedModel([asks("echo", f"c{number}", texto=f"de {number}"), says(f"Soy {number}.")]) for number in range(2)
    ]
    connect = in_process(server.mcp)
    async with (
        server,
        Gateway(Limits(), connect, models[0], seams) as first,
        Gateway(Limits(), connect, models[1], seams) as second,
    ):
        asked = [question("¿Quién eres?")]
        said = [*asked, *done(await events_of(first, *asked)).messages, question("¿Y tú?")]
        said = [*said, *done(await events_of(second, *said)).messages]
    assert [message.content for message in said if message.role == "assistant" and message.content] == [
        "Soy 0.",
        "Soy 1.",
    ]
    assert len(models[1].seen[0].messages) == 5, "the second has read what the first one did"
