"""OpenAI's API, asked by OpenAI's own client."""

from __future__ import annotations

import json
from typing import Any

import openai
import pytest

from tests.tzzr_mocks.llm.asking import MODEL, SCRIPT, TOOLS, clients, says


async def test_tools_come_with_ids_and_their_results_lead_to_the_answer() -> None:
    async with clients(script=SCRIPT) as some:
        create = some.openai.chat.completions.create
        first = (await create(model=MODEL, messages=says("Un prestamo"), tools=TOOLS)).choices[0]
        calls = first.message.tool_calls or []
        results = [{"role": "tool", "tool_call_id": call.id, "content": "cuota de 12.5"} for call in calls]
        history: list[Any] = [*says("Un prestamo"), first.message.model_dump(exclude_none=True), *results]
        last = (await create(model=MODEL, messages=history, tools=TOOLS)).choices[0]

    assert (first.finish_reason, first.message.content) == ("tool_calls", "Lo calculo.")
    assert [json.loads(call.function.arguments) for call in calls if call.type == "function"] == [
        {"principal": 250000},
        {"principal": 200000},
    ]
    assert len({call.id for call in calls}) == 2
    assert (last.finish_reason, last.message.content, last.message.tool_calls) == ("stop", "Pagará 12.5 al mes.", None)


async def test_a_stream_says_what_the_whole_reply_says_in_pieces_on_the_world_s_clock() -> None:
    async with clients(script=SCRIPT) as some:
        before = some.world.elapsed
        stream = await some.openai.chat.completions.create(
            model=MODEL, messages=says("préstamo"), tools=TOOLS, stream=True, stream_options={"include_usage": True}
        )
        chunks = [chunk async for chunk in stream]
        took = some.world.elapsed - before

    deltas = [chunk.choices[0].delta for chunk in chunks if chunk.choices]
    fragments = [call for delta in deltas for call in delta.tool_calls or []]
    written = {
        index: "".join(call.function.arguments or "" for call in fragments if call.index == index and call.function)
        for index in (0, 1)
    }
    assert "".join(delta.content or "" for delta in deltas) == "Lo calculo."
    assert written == {0: '{"principal": 250000}', 1: '{"principal": 200000}'}
    assert [call.function.name for call in fragments if call.function and call.function.name] == ["prestar", "prestar"]
    assert [chunk.choices[0].finish_reason for chunk in chunks if chunk.choices][-1] == "tool_calls"
    assert len({chunk.id for chunk in chunks}) == 1
    assert took == pytest.approx(0.25 + 0.03 * len(chunks))


async def test_usage_comes_in_a_last_chunk_without_choices_when_it_is_asked_for_and_not_otherwise() -> None:
    async with clients(script=SCRIPT) as some:
        create = some.openai.chat.completions.create
        whole = await create(model=MODEL, messages=says("préstamo"), tools=TOOLS)
        counted = await create(
            model=MODEL, messages=says("préstamo"), tools=TOOLS, stream=True, stream_options={"include_usage": True}
        )
        plain = await create(model=MODEL, messages=says("préstamo"), tools=TOOLS, stream=True)
        usages = [chunk.usage async for chunk in counted]
        none = [chunk.usage async for chunk in plain]

    assert usages[-1] == whole.usage
    assert set(usages[:-1]) == set(none) == {None}
    assert whole.usage is not None
    assert whole.usage.total_tokens == whole.usage.prompt_tokens + whole.usage.completion_tokens


async def test_more_words_are_more_tokens() -> None:
    async with clients() as some:
        create = some.openai.chat.completions.create
        short, long = [await create(model=MODEL, messages=says("hola " * times)) for times in (1, 100)]

    assert short.usage is not None
    assert long.usage is not None
    assert long.usage.prompt_tokens > 50 * short.usage.prompt_tokens / 10


async def test_one_tool_may_be_demanded_none_forbidden_and_parallel_ones_refused() -> None:
    named: Any = {"type": "function", "function": {"name": "prestar"}}
    async with clients(script=SCRIPT) as some:
        create = some.openai.chat.completions.create
        demanded = await create(model=MODEL, messages=says("hola"), tools=TOOLS, tool_choice=named)
        required = await create(model=MODEL, messages=says("hola"), tools=TOOLS, tool_choice="required")
        forbidden = await create(model=MODEL, messages=says("préstamo"), tools=TOOLS, tool_choice="none")
        single = await create(model=MODEL, messages=says("préstamo"), tools=TOOLS, parallel_tool_calls=False)

    counts = [len(reply.choices[0].message.tool_calls or []) for reply in (demanded, required, forbidden, single)]
    assert counts == [1, 1, 0, 1]


async def test_a_limit_and_a_stop_sequence_end_the_reply_and_say_so() -> None:
    script = [{"answer": "uno dos tres cuatro cinco seis"}]
    async with clients(script=script) as some:
        create = some.openai.chat.completions.create
        limited = (await create(model=MODEL, messages=says("x"), max_completion_tokens=2)).choices[0]
        stopped = (await create(model=MODEL, messages=says("x"), stop=["tres"])).choices[0]

    assert (limited.finish_reason, limited.message.content) == ("length", "uno dos ")
    assert (stopped.finish_reason, stopped.message.content) == ("stop", "uno dos ")


async def test_models_are_listed_and_told() -> None:
    async with clients() as some:
        assert [model.id async for model in some.openai.models.list()] == [MODEL]
        assert (await some.openai.models.retrieve(MODEL)).object == "model"
        with pytest.raises(openai.NotFoundError) as caught:
            await some.openai.models.retrieve("gpt-9")

    assert caught.value.code == "model_not_found"


async def test_a_wrong_key_is_refused_as_the_api_refuses_it() -> None:
    async with clients(key="another") as some:
        with pytest.raises(openai.AuthenticationError) as caught:
            await some.openai.chat.completions.create(model=MODEL, messages=says("hola"))

    assert (caught.value.status_code, caught.value.code) == (401, "invalid_api_key")
    assert some.world.llm.seen == ()


CALLED: dict[str, Any] = {
    "role": "assistant",
    "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "prestar", "arguments": "{}"}}],
}
ANSWERED = {"role": "tool", "tool_call_id": "c1", "content": "1"}


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ({"messages": []}, "messages is empty"),
        ({"messages": says("x"), "temprature": 1}, "Unknown field 'temprature'"),
        ({"messages": [{"role": "robot", "content": "x"}]}, "messages[0].role is 'robot'"),
        ({"messages": [{"role": "user"}]}, "messages[0].content is required"),
        ({"messages": [*says("x"), CALLED]}, "lacks: c1"),
        ({"messages": [*says("x"), CALLED, *says("y"), ANSWERED]}, "lacks: c1"),
        ({"messages": [*says("x"), ANSWERED]}, "did not ask for"),
        ({"messages": says("x"), "tool_choice": "auto"}, "goes with tools"),
        ({"messages": says("x"), "stream_options": {"include_usage": True}}, "goes with stream"),
        ({"messages": says("x"), "max_tokens": 0}, "at least 1"),
        ({"messages": says("x"), "n": 2}, "one choice"),
        ({"messages": says("x"), "functions": []}, "does not play functions"),
        (
            {"messages": says("x"), "tools": [{"type": "function", "function": {"name": "a b"}}]},
            "no name of a function",
        ),
    ],
)
async def test_a_wrong_request_is_refused_with_what_is_wrong_and_where(body: dict[str, Any], told: str) -> None:
    async with clients() as some:
        with pytest.raises(openai.BadRequestError) as caught:
            await some.openai.post("/chat/completions", cast_to=object, body={"model": MODEL, **body})

    assert told in caught.value.message
    assert caught.value.type == "invalid_request_error"


async def test_a_body_that_is_no_json_and_a_path_that_is_none_are_refused_in_the_api_s_words() -> None:
    async with clients() as some:
        http, key = some.openai._client, {"authorization": f"Bearer {some.openai.api_key}"}
        base = str(some.openai.base_url)
        broken = await http.post(f"{base}chat/completions", content=b"{", headers=key)
        nowhere = await http.get(f"{base}nowhere", headers=key)

    assert (broken.status_code, broken.json()["error"]["type"]) == (400, "invalid_request_error")
    assert (nowhere.status_code, nowhere.json()["error"]["message"]) == (404, "Not Found")


async def test_the_same_seed_gives_the_same_ids() -> None:
    ids = []
    for _ in range(2):
        async with clients(script=SCRIPT) as some:
            reply = await some.openai.chat.completions.create(model=MODEL, messages=says("préstamo"), tools=TOOLS)
            ids.append([reply.id, *(call.id for call in reply.choices[0].message.tool_calls or [])])

    assert ids[0] == ids[1]
    assert len(set(ids[0])) == 3


async def test_what_the_model_was_shown_is_kept_whole_and_the_journal_has_it_without_the_key() -> None:
    text = "a" * 100_000
    async with clients(script=SCRIPT) as some:
        await some.openai.chat.completions.create(model=MODEL, messages=says(text))
        [exchange] = some.world.journal.saw("POST /v1/chat/completions", service="llm")

    assert json.loads(some.world.llm.seen[0])["messages"] == says(text)
    assert exchange.body.truncated
    assert some.openai.api_key not in repr(exchange)
