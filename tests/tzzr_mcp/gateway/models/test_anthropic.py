"""The dialect of Messages: roles in turn, blocks, and counts that are cumulative."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import anthropic
import httpx2
import pytest

from tzzr_mcp.gateway.formodel import from_catalogue, from_conversation, from_gateway
from tzzr_mcp.gateway.models import (
    Asked,
    Delta,
    Ended,
    ModelError,
    Offer,
    Output,
    Question,
    Said,
    Told,
    ToolRequest,
    Used,
)
from tzzr_mcp.gateway.models.anthropic import AnthropicModel, request

SYSTEM = from_gateway("Eres el asistente.")
MESSAGE: dict[str, Any] = {
    "id": "m1",
    "type": "message",
    "role": "assistant",
    "model": "m",
    "content": [],
    "stop_reason": None,
    "stop_sequence": None,
}


def start(**usage: int) -> dict[str, Any]:
    return {"type": "message_start", "message": {**MESSAGE, "usage": {"output_tokens": 1, **usage}}}


def block(index: int, **content: Any) -> dict[str, Any]:
    return {"type": "content_block_start", "index": index, "content_block": content}


def delta(index: int, **change: Any) -> dict[str, Any]:
    return {"type": "content_block_delta", "index": index, "delta": change}


def stop(reason: str | None, output_tokens: int = 5) -> dict[str, Any]:
    return {"type": "message_delta", "delta": {"stop_reason": reason}, "usage": {"output_tokens": output_tokens}}


async def outputs(events: Sequence[Any]) -> list[Output]:
    def answer(_: httpx2.Request) -> httpx2.Response:
        told = "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events)
        return httpx2.Response(200, text=told, headers={"content-type": "text/event-stream"})

    async with httpx2.AsyncClient(transport=httpx2.MockTransport(answer)) as http:
        client = anthropic.AsyncAnthropic(api_key="k", base_url="http://m.test", http_client=http, max_retries=0)
        model = AnthropicModel(client, "m", 100)
        return [output async for output in model.stream(SYSTEM, [Question(from_conversation("Hola"))], [])]


def test_neighbours_of_one_role_become_one_message() -> None:
    calls = (Asked("c1", "uno", {"x": 1}), Asked("c2", "dos", {}))
    told = request(
        SYSTEM,
        [
            Question(from_conversation("Hola")),
            Said(from_conversation("Voy."), calls),
            Told("c1", from_gateway("1")),
            Told("c2", from_gateway("No pudo ser."), failed=True),
            Question(from_conversation("¿Y?")),
        ],
        [Offer("uno", from_catalogue("Uno."), {"type": "object"})],
    )
    assert told["system"] == "Eres el asistente."
    assert told["messages"] == [
        {"role": "user", "content": [{"type": "text", "text": "Hola"}]},
        {
            "role": "assistant",
            "content": [
                {"type": "text", "text": "Voy."},
                {"type": "tool_use", "id": "c1", "name": "uno", "input": {"x": 1}},
                {"type": "tool_use", "id": "c2", "name": "dos", "input": {}},
            ],
        },
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "c1", "content": "1"},
                {"type": "tool_result", "tool_use_id": "c2", "content": "No pudo ser.", "is_error": True},
                {"type": "text", "text": "¿Y?"},
            ],
        },
    ]
    assert told["tools"] == [{"name": "uno", "description": "Uno.", "input_schema": {"type": "object"}}]


def test_blank_prose_is_left_out_for_the_api_refuses_it() -> None:
    said = Said(from_conversation(" \n"), (Asked("c1", "uno", {}),))
    (message,) = request(SYSTEM, [said], [])["messages"]
    assert [each["type"] for each in message["content"]] == ["tool_use"]


async def test_words_and_calls_come_block_by_block_and_tokens_are_counted_once() -> None:
    told = await outputs(
        [
            start(input_tokens=20, cache_read_input_tokens=100),
            block(0, type="text", text=""),
            delta(0, type="text_delta", text="Voy."),
            block(1, type="tool_use", id="c1", name="uno", input={}),
            delta(1, type="input_json_delta", partial_json='{"x"'),
            delta(1, type="input_json_delta", partial_json=": 1}"),
            block(2, type="tool_use", id="c2", name="dos", input={}),
            stop("tool_use", 9),
            {"type": "message_stop"},
        ]
    )
    assert told == [
        Delta("Voy."),
        Used(120, 9),
        ToolRequest("c1", "uno", '{"x": 1}'),
        ToolRequest("c2", "dos", "{}"),
        Ended(),
    ]


async def test_what_the_model_thinks_is_not_what_it_says() -> None:
    told = await outputs(
        [
            start(),
            block(0, type="thinking", thinking=""),
            delta(0, type="thinking_delta", thinking="mmm"),
            stop("end_turn"),
        ]
    )
    assert told == [Used(0, 5), Ended()]


@pytest.mark.parametrize(
    ("reason", "ended"), [("max_tokens", "length"), ("model_context_window_exceeded", "length"), ("refusal", "refused")]
)
async def test_a_stop_that_is_not_the_end_is_told(reason: str, ended: Any) -> None:
    assert (await outputs([start(), stop(reason)]))[-1] == Ended(ended)


@pytest.mark.parametrize(
    ("events", "code"),
    [
        ([start()], "MODEL_CUT"),
        ([], "MODEL_CUT"),
        ([delta(3, type="input_json_delta", partial_json="{")], "MODEL_GARBLED"),
        ([{"type": "message_start", "message": None}], "MODEL_GARBLED"),
        ([start(), {"type": "error", "error": {"type": "overloaded_error", "message": "swordfish"}}], "MODEL_DOWN"),
    ],
)
async def test_what_is_no_answer_is_told_as_what_it_is(events: list[Any], code: str) -> None:
    with pytest.raises(ModelError) as caught:
        await outputs(events)
    assert caught.value.code == code
    assert "swordfish" not in caught.value.message
