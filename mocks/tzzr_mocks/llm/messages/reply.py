"""Writes a reply of ``/v1/messages``, whole or as events."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from tzzr_mcp.seams import Dice
from tzzr_mocks.llm.count import of_prompt, of_reply
from tzzr_mocks.llm.prompt import Prompt
from tzzr_mocks.llm.reply import Call, Reply, pieces

_REASONS: Final[Mapping[str, str]] = {
    "answer": "end_turn", "calls": "tool_use", "length": "max_tokens", "sequence": "stop_sequence",
    "refusal": "refusal",
}  # fmt: skip


def usage(asked: int, said: int) -> dict[str, Any]:
    """Tokens used, by the fake's estimate; nothing is ever cached."""
    return {
        "input_tokens": asked, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0, "output_tokens": said,
        "service_tier": "standard",
    }  # fmt: skip


def whole(identity: str, prompt: Prompt, reply: Reply, dice: Dice) -> dict[str, Any]:
    """The reply as one object."""
    blocks = [{"type": "text", "text": text} for text in (reply.text, reply.refusal) if text]
    return {
        **_frame(identity, prompt),
        "content": [*blocks, *({**_opened(call, dice), "input": _input(call)} for call in reply.calls)],
        "stop_reason": _REASONS[reply.stop],
        "stop_sequence": reply.sequence,
        "usage": usage(of_prompt(prompt), of_reply(reply)),
    }


def _frame(identity: str, prompt: Prompt) -> dict[str, Any]:
    return {"id": identity, "type": "message", "role": "assistant", "model": prompt.model}


def _opened(call: Call, dice: Dice) -> dict[str, Any]:
    return {"type": "tool_use", "id": f"toolu_{dice.hex(24)}", "name": call.tool, "input": {}}


def _input(call: Call) -> Any:
    """The arguments as an object; broken ones cannot be told so, and come as far as they can be read."""
    try:
        return json.loads(call.text)
    except ValueError:
        return {}


def events(identity: str, prompt: Prompt, reply: Reply, dice: Dice) -> Iterator[bytes]:
    """The reply as server-sent events."""
    start = {**_frame(identity, prompt), "content": [], "stop_reason": None, "stop_sequence": None}
    yield event("message_start", message={**start, "usage": usage(of_prompt(prompt), 1)})
    for index, (opened, deltas) in enumerate(_blocks(reply, dice)):
        yield event("content_block_start", index=index, content_block=opened)
        if index == 0:
            yield event("ping")
        for delta in deltas:
            yield event("content_block_delta", index=index, delta=delta)
        yield event("content_block_stop", index=index)
    stop = {"stop_reason": _REASONS[reply.stop], "stop_sequence": reply.sequence}
    yield event("message_delta", delta=stop, usage={"output_tokens": of_reply(reply)})
    yield event("message_stop")


def _blocks(reply: Reply, dice: Dice) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
    for text in (reply.text, reply.refusal):
        if text:
            yield {"type": "text", "text": ""}, [{"type": "text_delta", "text": piece} for piece in pieces(text)]
    for call in reply.calls:
        parts = ("", *pieces(call.text))
        yield _opened(call, dice), [{"type": "input_json_delta", "partial_json": part} for part in parts]


def event(kind: str, **parts: Any) -> bytes:
    """One server-sent event with its name."""
    content = json.dumps({"type": kind, **parts}, ensure_ascii=False, separators=(",", ":"))
    return f"event: {kind}\ndata: {content}\n\n".encode()
