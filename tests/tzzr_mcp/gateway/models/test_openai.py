"""The dialect of chat completions: what is asked, and answers that come in odd pieces."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import httpx2
import openai
import pytest

from tzzr_mcp.gateway.formodel import from_catalogue, from_conversation, from_gateway
from tzzr_mcp.gateway.models import Asked, Delta, Ended, ModelError, Offer, Output, Question, Said, Told, ToolRequest
from tzzr_mcp.gateway.models.openai import OpenAiModel, request

SYSTEM = from_gateway("Eres el asistente.")


def chunk(delta: dict[str, Any], reason: str | None = None) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "finish_reason": reason}
    return {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}


def part(index: int, **function: Any) -> dict[str, Any]:
    return {"tool_calls": [{"index": index, "id": function.pop("id", None), "function": function}]}


async def outputs(chunks: Sequence[Any], *, end: str = "data: [DONE]\n\n") -> list[Output]:
    def answer(_: httpx2.Request) -> httpx2.Response:
        told = "".join(f"data: {each if isinstance(each, str) else json.dumps(each)}\n\n" for each in chunks)
        return httpx2.Response(200, text=told + end, headers={"content-type": "text/event-stream"})

    async with httpx2.AsyncClient(transport=httpx2.MockTransport(answer)) as http:
        client = openai.AsyncOpenAI(api_key="k", base_url="http://m.test/v1", http_client=http, max_retries=0)
        model = OpenAiModel(client, "m", 100)
        return [output async for output in model.stream(SYSTEM, [Question(from_conversation("Hola"))], [])]


def test_a_conversation_is_written_as_the_api_has_it() -> None:
    calls = (Asked("c1", "prestar", {"monto": 5}),)
    told = request(
        SYSTEM,
        [
            Question(from_conversation("Hola")),
            Said(from_conversation(""), calls),
            Told("c1", from_gateway("Listo.")),
            Said(from_conversation("Ya está.")),
        ],
        [Offer("prestar", from_catalogue("Presta."), {"type": "object"})],
    )
    assert told["messages"] == [
        {"role": "system", "content": "Eres el asistente."},
        {"role": "user", "content": "Hola"},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {"id": "c1", "type": "function", "function": {"name": "prestar", "arguments": '{"monto": 5}'}}
            ],
        },
        {"role": "tool", "tool_call_id": "c1", "content": "Listo."},
        {"role": "assistant", "content": "Ya está."},
    ]
    assert told["tools"] == [
        {
            "type": "function",
            "function": {"name": "prestar", "description": "Presta.", "parameters": {"type": "object"}},
        }
    ]


def test_without_tools_none_are_sent_for_the_api_refuses_an_empty_list() -> None:
    assert "tools" not in request(SYSTEM, [Question(from_conversation("Hola"))], [])


async def test_calls_that_come_in_mixed_fragments_are_put_together_in_their_order() -> None:
    told = await outputs(
        [
            chunk(part(1, id="b", name="dos", arguments='{"x"')),
            chunk(part(0, id="a", name="uno", arguments="")),
            chunk(part(1, arguments=": 2}")),
            chunk(part(0, arguments="{}")),
            chunk({}, "tool_calls"),
        ]
    )
    assert told == [ToolRequest("a", "uno", "{}"), ToolRequest("b", "dos", '{"x": 2}'), Ended()]


async def test_a_call_without_an_id_gets_one() -> None:
    told = await outputs([chunk(part(0, name="uno", arguments="{}")), chunk({}, "stop")])
    assert told == [ToolRequest("call_0", "uno", "{}"), Ended()]


async def test_a_call_that_the_length_cut_off_is_not_run() -> None:
    told = await outputs([chunk(part(0, id="a", name="uno", arguments='{"x": 1')), chunk({}, "length")])
    assert told == [Ended("length")]


async def test_a_filtered_answer_counts_as_refused() -> None:
    assert await outputs([chunk({"content": "Se"}), chunk({}, "content_filter")]) == [Delta("Se"), Ended("refused")]


@pytest.mark.parametrize(
    ("chunks", "end", "code"),
    [
        ([chunk({"content": "Se"})], "data: [DONE]\n\n", "MODEL_CUT"),
        ([chunk({"content": "Se"})], "", "MODEL_CUT"),
        (["{no es json"], "", "MODEL_GARBLED"),
        (["[1, 2]"], "", "MODEL_GARBLED"),
        ([{"choices": [{"delta": None}]}], "", "MODEL_GARBLED"),
        ([{"choices": "?"}], "", "MODEL_GARBLED"),
        ([{"error": {"message": "swordfish"}}], "", "MODEL_DOWN"),
    ],
)
async def test_what_is_no_answer_is_told_as_what_it_is(chunks: list[Any], end: str, code: str) -> None:
    with pytest.raises(ModelError) as caught:
        await outputs(chunks, end=end)
    assert caught.value.code == code
    assert "swordfish" not in caught.value.message
