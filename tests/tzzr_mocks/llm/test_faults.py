"""What the official clients meet when the model fails."""

from __future__ import annotations

import json
from typing import Any

import anthropic
import openai
import pytest

from tests.tzzr_mocks.llm.asking import BLOCK_TOOLS, MODEL, SCRIPT, TOOLS, Clients, clients, says
from tests.tzzr_mocks.small import expect_refusal
from tzzr_mocks.world import World

ASKED: dict[str, Any] = {"model": MODEL, "messages": says("préstamo")}


async def completion(some: Clients) -> Any:
    return await some.openai.chat.completions.create(**ASKED, tools=TOOLS)


async def streamed(some: Clients) -> list[Any]:
    return [chunk async for chunk in await some.openai.chat.completions.create(**ASKED, tools=TOOLS, stream=True)]


async def message(some: Clients) -> Any:
    return await some.anthropic.messages.create(**ASKED, tools=BLOCK_TOOLS, max_tokens=500)


async def events(some: Clients) -> list[Any]:
    stream = await some.anthropic.messages.create(**ASKED, tools=BLOCK_TOOLS, max_tokens=500, stream=True)
    return [event async for event in stream]


REFUSED = [
    ("is overloaded", openai.InternalServerError, 503, anthropic.APIStatusError, 529, "overloaded_error"),
    ("is out of quota", openai.RateLimitError, 429, anthropic.APIStatusError, 402, "billing_error"),
    (
        "has its key refused",
        openai.AuthenticationError,
        401,
        anthropic.AuthenticationError,
        401,
        "authentication_error",
    ),
    (
        "finds the context too long",
        openai.BadRequestError,
        400,
        anthropic.BadRequestError,
        400,
        "invalid_request_error",
    ),
    ("is rate limited for 20s", openai.RateLimitError, 429, anthropic.RateLimitError, 429, "rate_limit_error"),
    ("fails with 500", openai.InternalServerError, 500, anthropic.InternalServerError, 500, "api_error"),
]


@pytest.mark.parametrize(("effect", "error", "status", "other", "other_status", "kind"), REFUSED)
async def test_a_refused_request_raises_what_each_client_has_for_it(
    effect: str, error: type[Exception], status: int, other: type[Exception], other_status: int, kind: str
) -> None:
    async with clients(f"llm: every call {effect}", script=SCRIPT) as some:
        with pytest.raises(error) as first:
            await completion(some)
        with pytest.raises(other) as second:
            await message(some)

    assert (first.value.status_code, second.value.status_code) == (status, other_status)  # type: ignore[attr-defined]
    assert second.value.body["error"]["type"] == kind  # type: ignore[attr-defined]


async def test_a_rate_limit_says_when_to_come_back_and_the_client_that_waits_is_served() -> None:
    async with clients("llm: first call is rate limited for 7s", script=SCRIPT) as some:
        patient = some.openai.with_options(max_retries=1)
        before = some.world.elapsed
        reply = await patient.chat.completions.create(**ASKED)
        waited = some.world.elapsed - before

    assert reply.choices[0].message.content == "Lo calculo."
    assert waited >= 7


async def test_a_stream_that_is_cut_short_is_a_broken_connection_or_just_ends() -> None:
    async with clients("llm: every call is cut short", script=SCRIPT) as some:
        with pytest.raises(openai.APIConnectionError):
            await streamed(some)
        with pytest.raises((anthropic.APIConnectionError, Exception), match="peer closed"):
            await events(some)
        some.world.plan.heal()
        some.world.plan.add("llm: every call is cut short how=short after=3")
        chunks, seen = await streamed(some), await events(some)

    assert [chunk.choices[0].finish_reason for chunk in chunks] == [None] * 3
    assert "message_stop" not in [event.type for event in seen]


async def test_without_a_stream_half_of_the_body_comes() -> None:
    async with clients("llm: first call is cut short", "llm: 2nd call is cut short how=short", script=SCRIPT) as some:
        with pytest.raises(openai.APIConnectionError):
            await completion(some)
        with pytest.raises((openai.APIError, json.JSONDecodeError)):
            await completion(some)


async def test_an_error_in_mid_stream_comes_as_the_api_s_event() -> None:
    async with clients("llm: every call fails in mid-stream with 529", script=SCRIPT) as some:
        with pytest.raises(openai.APIError, match="Overloaded"):
            await streamed(some)
        with pytest.raises(anthropic.APIStatusError) as caught:
            await events(some)
        with pytest.raises(openai.InternalServerError):
            await completion(some)

    assert caught.value.status_code == 200, "the status was sent before the error"
    assert caught.value.body["error"]["type"] == "overloaded_error"  # type: ignore[index]


async def test_a_stream_that_stalls_goes_on_later_or_runs_into_the_client_s_time_out() -> None:
    async with clients("llm: every call stalls for 50s", script=SCRIPT) as some:
        before = some.world.elapsed
        chunks = await streamed(some)
        took = some.world.elapsed - before
        some.world.plan.add("llm: every call stalls for 10m")
        with pytest.raises(openai.APITimeoutError):
            await streamed(some)

    assert chunks[-1].choices[0].finish_reason == "tool_calls"
    assert 50 < took < 60


async def test_a_model_may_think_for_long_before_its_first_token() -> None:
    async with clients("llm: every call thinks for 40s", script=SCRIPT) as some:
        before = some.world.elapsed
        await completion(some)

        assert 40 <= some.world.elapsed - before < 41


async def test_arguments_may_be_no_json_while_anthropic_s_whole_message_cannot_say_so() -> None:
    async with clients("llm: every call writes malformed json", script=SCRIPT) as some:
        calls = (await completion(some)).choices[0].message.tool_calls
        parts = [
            event.delta.partial_json
            for event in await events(some)
            if hasattr(getattr(event, "delta", None), "partial_json")
        ]

    assert [call.function.arguments for call in calls] == ['{"principal": 250000', '{"principal": 200000']
    assert "".join(parts) == "".join(call.function.arguments for call in calls)


async def test_a_tool_that_nobody_offered_and_arguments_of_wrong_types() -> None:
    rules = ("llm: first call asks for a tool that there is not", "llm: 2nd call gives wrong types")
    async with clients(*rules, script=SCRIPT) as some:
        first = (await completion(some)).choices[0].message.tool_calls
        second = (await completion(some)).choices[0].message.tool_calls

    assert {call.function.name for call in first} == {"consultar_oraculo"}
    assert [json.loads(call.function.arguments) for call in second] == [
        {"principal": "unos 250000"},
        {"principal": "unos 200000"},
    ]


async def test_a_refusal_comes_as_each_api_tells_it() -> None:
    async with clients("llm: every call refuses to answer", script=SCRIPT) as some:
        first, second = await completion(some), await message(some)

    assert first.choices[0].message.refusal == second.content[0].text == "Lo siento, no puedo ayudar con esa petición."
    assert (first.choices[0].finish_reason, second.stop_reason) == ("stop", "refusal")


async def test_a_model_that_loops_asks_the_same_again_whatever_the_tools_say() -> None:
    async with clients("llm: every call loops", script=SCRIPT) as some:
        history: list[Any] = says("préstamo")
        asked = []
        for _ in range(4):
            said = (await some.openai.chat.completions.create(model=MODEL, messages=history, tools=TOOLS)).choices[0]
            calls = said.message.tool_calls or []
            asked.append([call.function.arguments for call in calls if call.type == "function"])
            results = [{"role": "tool", "tool_call_id": call.id, "content": "cuota de 1"} for call in calls]
            history = [*history, said.message.model_dump(exclude_none=True), *results]

    assert asked == [asked[0]] * 4
    assert asked[0]


async def test_a_fault_said_by_its_bare_name_is_that_fault_and_no_other_phrase() -> None:
    async with clients("llm: every call refuses", script=SCRIPT) as some:
        assert (await message(some)).stop_reason == "refusal"


async def test_a_model_that_says_nothing_is_whole_and_empty() -> None:
    async with clients("llm: every call says nothing", script=SCRIPT) as some:
        first, second = await completion(some), await message(some)

    assert (first.choices[0].message.content, first.choices[0].message.tool_calls) == (None, None)
    assert (second.content, second.stop_reason) == ([], "end_turn")


@pytest.mark.parametrize(
    ("rule", "told"),
    [
        ("llm: first call is cut short after=0", "after 0"),
        ("llm: first call fails in mid-stream with 200", "not an error"),
        ("llm: every call thinks for -3s", "duration"),
        ("grace: every call loops", "unknown effect for grace"),
        ("llm: every call is ovrloaded", "is overloaded"),
    ],
)
def test_an_impossible_fault_is_refused_with_the_mend(rule: str, told: str) -> None:
    with expect_refusal(told):
        World(faults=[rule])
