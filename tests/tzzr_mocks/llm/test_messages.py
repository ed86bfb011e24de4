"""Anthropic's API, asked by Anthropic's own client."""

from __future__ import annotations

from typing import Any

import anthropic
import pytest

from tests.tzzr_mocks.llm.asking import BLOCK_TOOLS, MODEL, SCRIPT, clients, says


async def test_tools_come_as_blocks_and_their_results_lead_to_the_answer() -> None:
    async with clients(script=SCRIPT) as some:
        create = some.anthropic.messages.create
        first = await create(model=MODEL, max_tokens=500, messages=says("préstamo"), tools=BLOCK_TOOLS)
        used = [block for block in first.content if block.type == "tool_use"]
        results = [{"type": "tool_result", "tool_use_id": one.id, "content": "cuota de 7"} for one in used]
        history: list[Any] = [*says("préstamo"), first.to_param(), {"role": "user", "content": results}]
        last = await create(model=MODEL, max_tokens=500, messages=history, tools=BLOCK_TOOLS)

    assert [block.type for block in first.content] == ["text", "tool_use", "tool_use"]
    assert ([one.input for one in used], first.stop_reason) == (
        [{"principal": 250000}, {"principal": 200000}],
        "tool_use",
    )
    assert ([getattr(block, "text", "") for block in last.content], last.stop_reason) == (
        ["Pagará 7 al mes."],
        "end_turn",
    )


async def test_a_stream_has_the_api_s_events_in_their_order_and_adds_up_to_the_whole_message() -> None:
    async with clients(script=SCRIPT) as some:
        asked: dict[str, Any] = {"model": MODEL, "max_tokens": 500, "messages": says("préstamo"), "tools": BLOCK_TOOLS}
        whole = await some.anthropic.messages.create(**asked)
        events = [event async for event in await some.anthropic.messages.create(**asked, stream=True)]
        async with some.anthropic.messages.stream(**asked) as stream:
            final = await stream.get_final_message()

    kinds = [event.type for event in events]
    block = ["content_block_start", "content_block_delta", "content_block_stop"]
    assert [kind for place, kind in enumerate(kinds) if place == 0 or kinds[place - 1] != kind] == [
        "message_start",
        *block * 3,
        "message_delta",
        "message_stop",
    ]
    assert [block.model_dump(exclude={"id", "parsed_output"}) for block in final.content] == [
        block.model_dump(exclude={"id", "parsed_output"}) for block in whole.content
    ]
    assert final.stop_reason == whole.stop_reason
    assert final.usage.output_tokens == whole.usage.output_tokens
    assert final.usage.input_tokens == whole.usage.input_tokens


async def test_tokens_are_counted_as_the_reply_says_and_more_with_tools() -> None:
    async with clients(script=SCRIPT) as some:
        count = some.anthropic.messages.count_tokens
        plain = await count(model=MODEL, messages=says("préstamo"))
        with_tools = await count(model=MODEL, messages=says("préstamo"), tools=BLOCK_TOOLS)
        reply = await some.anthropic.messages.create(
            model=MODEL, max_tokens=9, messages=says("préstamo"), tools=BLOCK_TOOLS
        )

    assert plain.input_tokens < with_tools.input_tokens == reply.usage.input_tokens


async def test_a_tool_may_be_demanded_any_or_none_and_parallel_ones_refused() -> None:
    choices: list[Any] = [
        {"type": "tool", "name": "prestar"},
        {"type": "any"},
        {"type": "none"},
        {"type": "auto", "disable_parallel_tool_use": True},
    ]
    questions = ["hola", "hola", "préstamo", "préstamo"]
    async with clients(script=SCRIPT) as some:
        replies = [
            await some.anthropic.messages.create(
                model=MODEL, max_tokens=500, messages=says(question), tools=BLOCK_TOOLS, tool_choice=choice
            )
            for question, choice in zip(questions, choices, strict=True)
        ]

    assert [sum(block.type == "tool_use" for block in reply.content) for reply in replies] == [1, 1, 0, 1]


async def test_a_limit_and_a_stop_sequence_end_the_reply_and_say_so() -> None:
    async with clients(script=[{"answer": "uno dos tres cuatro"}]) as some:
        create = some.anthropic.messages.create
        limited = await create(model=MODEL, max_tokens=1, messages=says("x"))
        stopped = await create(model=MODEL, max_tokens=99, messages=says("x"), stop_sequences=["tres", "dos"])

    assert limited.stop_reason == "max_tokens"
    assert (stopped.stop_reason, stopped.stop_sequence) == ("stop_sequence", "dos")


async def test_models_are_listed_in_this_api_s_form() -> None:
    async with clients() as some:
        [model] = [one async for one in some.anthropic.models.list()]

    assert (model.id, model.type, model.created_at.year) == (MODEL, "model", 2026)


async def test_the_key_is_taken_in_both_headers_and_a_wrong_one_in_none() -> None:
    async with clients() as some:
        http, url = some.anthropic._client, f"{some.anthropic.base_url}".rstrip("/") + "/v1/messages/count_tokens"
        body, version = {"model": MODEL, "messages": says("hola")}, {"anthropic-version": "2023-06-01"}
        key = some.anthropic.api_key or ""
        keys: list[dict[str, str]] = [{"x-api-key": key}, {"authorization": f"Bearer {key}"}, {"x-api-key": "no"}, {}]
        replies = [await http.post(url, json=body, headers={**version, **one}) for one in keys]
        bare = await http.post(url, json=body, headers={"x-api-key": key})

    assert [reply.status_code for reply in replies] == [200, 200, 401, 401]
    assert replies[2].json()["error"]["type"] == "authentication_error"
    assert (bare.status_code, "anthropic-version" in bare.json()["error"]["message"]) == (400, True)


USED: dict[str, Any] = {
    "role": "assistant",
    "content": [{"type": "tool_use", "id": "t1", "name": "prestar", "input": {}}],
}
RESULT: dict[str, Any] = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "1"}]}


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ({"messages": says("x")}, "max_tokens is required"),
        ({"messages": [], "max_tokens": 9}, "messages is empty"),
        ({"messages": [{"role": "system", "content": "x"}], "max_tokens": 9}, "messages.0.role is 'system'"),
        ({"messages": [*says("x"), USED], "max_tokens": 9}, "lacks: t1"),
        ({"messages": [*says("x"), RESULT], "max_tokens": 9}, "answers no tool_use"),
        ({"messages": says("x"), "max_tokens": 9, "tools": [{"name": "a"}]}, "tools.0.input_schema is required"),
        ({"messages": says("x"), "max_tokens": 9, "functions": []}, "Unknown field 'functions'"),
        ({"messages": says("x"), "max_tokens": 9, "tool_choice": {"type": "all"}}, "tool_choice.type is 'all'"),
    ],
)
async def test_a_wrong_request_is_refused_in_the_api_s_envelope(body: dict[str, Any], told: str) -> None:
    async with clients() as some:
        with pytest.raises(anthropic.BadRequestError) as caught:
            await some.anthropic.post("/v1/messages", cast_to=object, body={"model": MODEL, **body})

    answer: Any = caught.value.body
    assert told in answer["error"]["message"]
    assert (answer["type"], answer["error"]["type"]) == ("error", "invalid_request_error")
    assert caught.value.request_id == answer["request_id"]


async def test_a_model_that_there_is_not_is_not_found() -> None:
    async with clients() as some:
        with pytest.raises(anthropic.NotFoundError):
            await some.anthropic.messages.create(model="claude-9", max_tokens=9, messages=says("x"))
