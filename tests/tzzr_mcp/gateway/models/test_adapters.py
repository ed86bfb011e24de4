"""Both adapters in front of the model's fake: one answer, one failure, one sentence, whichever the dialect."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.tzzr_mcp.gateway.chatting import APIS, Api, a_chat
from tests.tzzr_mcp.gateway.scripted import done, events_of, prose, question
from tests.tzzr_mcp.server.tiny import a_tool, echo
from tzzr_mcp.gateway.events import ErrorEvent, Event, ToolEvent
from tzzr_mcp.gateway.models.failures import SENTENCES

SCRIPT: list[dict[str, Any]] = [
    {"when": "dos veces", "call": [{"echo": {"texto": "uno"}}, {"echo": {"texto": "dos"}}], "answer": "Ambas: {echo}"},
    {
        "when": "repite",
        "say": "Lo hago.",
        "call": {"echo": {"texto": "hola"}},
        "answer": "Dijo {echo}, que es lo que usted pidió.",
    },
    {"answer": "Buenos días, ¿en qué puedo ayudarle?"},
]
both_apis = pytest.mark.parametrize("api", APIS)


def failure(events: list[Event]) -> ErrorEvent:
    (found,) = [event for event in events if isinstance(event, ErrorEvent)]
    return found


def finished(events: list[Event]) -> list[ToolEvent]:
    return [event for event in events if isinstance(event, ToolEvent) and event.phase == "finished"]


@both_apis
async def test_words_tools_and_tokens_come_the_same_over_either_api(api: Api) -> None:
    async with a_chat(SCRIPT, a_tool(echo), api=api) as chat:
        events = await events_of(chat.gateway, "Repite hola")
    assert prose(events) == "Lo hago.Dijo hola, que es lo que usted pidió."
    assert [(event.name, event.text) for event in finished(events)] == [("echo", "hola")]
    last = done(events)
    assert (last.stopped, last.rounds, last.tool_calls) == ("answer", 2, 1)
    assert last.usage.input_tokens > last.usage.output_tokens > 0


@both_apis
async def test_several_tools_at_once_are_answered_at_once(api: Api) -> None:
    async with a_chat(SCRIPT, a_tool(echo), api=api) as chat:
        events = await events_of(chat.gateway, "Repite dos veces")
    assert {event.text for event in finished(events)} == {"uno", "dos"}
    assert done(events).stopped == "answer"


@both_apis
async def test_a_conversation_goes_on_after_every_kind_of_end(api: Api) -> None:
    """The next request must be one that the API takes: roles in turn, every call with its answer."""
    async with a_chat(SCRIPT, a_tool(echo), api=api, faults=["llm: 2nd call fails in mid-stream"]) as chat:
        broken = done(await events_of(chat.gateway, "Repite hola"))
        assert broken.stopped == "error"
        again = await events_of(chat.gateway, "Repite hola", *broken.messages, "Buenas")
    assert prose(again) == "Buenos días, ¿en qué puedo ayudarle?"


FAULTS = {
    "has its key refused": "MODEL_AUTH",
    "is out of quota": "MODEL_QUOTA",
    "finds the context too long": "MODEL_REJECTED",
    "is overloaded": "MODEL_DOWN",
    "is rate limited": "MODEL_RATE_LIMITED",
    "fails with 500": "MODEL_DOWN",
    "fails with 404": "MODEL_NOT_FOUND",
    "says nothing": "MODEL_SILENT",
    "is cut short": "MODEL_CUT",
    "is cut short how=short": "MODEL_CUT",
    "fails in mid-stream": "MODEL_DOWN",
    "is down": "MODEL_UNREACHABLE",
    "stalls for 5m": "MODEL_TIMEOUT",
}


@both_apis
@pytest.mark.parametrize(("fault", "code"), FAULTS.items())
async def test_a_model_that_fails_is_told_in_our_own_sentence(api: Api, fault: str, code: Any) -> None:
    async with a_chat(SCRIPT, api=api, faults=[f"llm: every call {fault}"]) as chat:
        events = await events_of(chat.gateway, "Buenas")
    assert failure(events).code == code
    assert failure(events).message == SENTENCES[code]
    assert done(events).stopped == "error"
    assert [message.content for message in done(events).messages] == ([prose(events)] if prose(events) else [])


@both_apis
async def test_an_answer_cut_inside_a_tool_call_was_cut_though_nobody_read_a_word_of_it(api: Api) -> None:
    script = [{"call": {"echo": {"texto": "hola"}}}]
    async with a_chat(script, a_tool(echo), api=api, faults=["llm: every call is cut short after=2"]) as chat:
        events = await events_of(chat.gateway, "Repite hola")
        asked = len(chat.world.journal.of("llm"))
    assert prose(events) == ""
    assert failure(events).code == "MODEL_CUT"
    assert asked == 3


@both_apis
@pytest.mark.parametrize("fault", ["is overloaded", "is rate limited", "fails with 500"])
async def test_what_fails_before_it_begins_is_tried_again_and_nobody_notices(api: Api, fault: str) -> None:
    async with a_chat(SCRIPT, api=api, faults=[f"llm: first 2 calls {fault}"]) as chat:
        began = chat.world.elapsed
        events = await events_of(chat.gateway, "Buenas")
        took = chat.world.elapsed - began
        asked = len(chat.world.journal.of("llm"))
    assert prose(events) == "Buenos días, ¿en qué puedo ayudarle?"
    assert asked == 3
    assert 0.75 <= took < 20


@both_apis
@pytest.mark.parametrize("fault", ["has its key refused", "is out of quota", "finds the context too long"])
async def test_what_would_fail_again_is_not_tried_again(api: Api, fault: str) -> None:
    async with a_chat(SCRIPT, api=api, faults=[f"llm: every call {fault}"]) as chat:
        await events_of(chat.gateway, "Buenas")
        assert len(chat.world.journal.of("llm")) == 1


@both_apis
async def test_what_has_begun_is_never_asked_for_again(api: Api) -> None:
    async with a_chat(SCRIPT, api=api, faults=["llm: every call is cut short after=6"]) as chat:
        events = await events_of(chat.gateway, "Buenas")
        assert len(chat.world.journal.of("llm")) == 1
    assert prose(events)
    assert failure(events).retryable


@both_apis
@pytest.mark.parametrize("fault", ["writes malformed json", "gives wrong types"])
async def test_arguments_that_a_model_gets_wrong_once_it_gets_right_the_second_time(api: Api, fault: str) -> None:
    async with a_chat(SCRIPT, a_tool(echo), api=api, faults=[f"llm: first call {fault}"]) as chat:
        events = await events_of(chat.gateway, "Repite hola")
    assert finished(events)[0].outcome == "error"
    assert done(events).stopped == "answer"


@both_apis
@pytest.mark.parametrize(
    ("fault", "code"),
    [("loops", "LIMIT_LOOP"), ("asks for a tool that there is not", "LIMIT_LOOP")],
)
async def test_a_model_that_goes_in_circles_is_stopped(api: Api, fault: str, code: str) -> None:
    async with a_chat(SCRIPT, a_tool(echo), api=api, faults=[f"llm: every call {fault}"]) as chat:
        events = await events_of(chat.gateway, "Repite hola")
    assert (failure(events).code, done(events).stopped) == (code, "limit")


@both_apis
async def test_a_model_that_refuses_says_so_in_its_words_and_ours(api: Api) -> None:
    async with a_chat(SCRIPT, api=api, faults=["llm: every call refuses to answer"]) as chat:
        events = await events_of(chat.gateway, "Buenas")
    assert [event.notice.text for event in events if event.type == "notice"] == [
        "El modelo no quiere responder a esto."
    ]
    assert done(events).stopped == "answer"


@both_apis
async def test_a_model_that_thinks_for_long_is_waited_for(api: Api) -> None:
    async with a_chat(SCRIPT, api=api, faults=["llm: every call thinks for 40s"]) as chat:
        events = await events_of(chat.gateway, "Buenas")
    assert done(events).stopped == "answer"


@both_apis
async def test_a_reader_who_goes_away_ends_the_stream_of_the_model(api: Api) -> None:
    async with a_chat(SCRIPT, api=api, faults=["llm: every call stalls for 5m"]) as chat:
        turn = chat.gateway.turn([question("Buenas")])
        assert (await anext(turn)).type == "text"
        await turn.aclose()
        await chat.gateway.clock.sleep(1)
        (exchange,) = chat.world.journal.of("llm")
    assert exchange.duration is not None, "the request has ended"
    assert exchange.duration < 5
    assert exchange.reply is None or not exchange.reply.complete


@both_apis
async def test_no_key_is_in_any_event_log_line_or_body(api: Api, caplog: pytest.LogCaptureFixture) -> None:
    async with a_chat(SCRIPT, api=api, faults=["llm: every call has its key refused"]) as chat:
        key = chat.world.environment["TZZR_MODEL_API_KEY"]
        events = await events_of(chat.gateway, "Buenas")
        assert key not in chat.read
    assert key not in json.dumps([event.model_dump(mode="json") for event in events])
    assert key not in caplog.text
