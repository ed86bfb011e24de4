"""Writes a reply of ``/v1/chat/completions``, whole or as chunks."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from tzzr_mcp.seams import Dice
from tzzr_mocks.llm.count import of_prompt, of_reply
from tzzr_mocks.llm.prompt import Prompt
from tzzr_mocks.llm.reply import Call, Reply, pieces

FINGERPRINT: Final = "fp_tzzr"
_REASONS: Final[Mapping[str, str]] = {
    "answer": "stop", "calls": "tool_calls", "length": "length", "sequence": "stop", "refusal": "stop",
}  # fmt: skip


@dataclass(frozen=True)
class Head:
    """What every chunk of a reply has in common: its id, when it was made (Unix seconds), the model."""

    id: str
    created: int
    model: str

    def frame(self, kind: str, **parts: Any) -> dict[str, Any]:
        """An object of the API around ``parts``."""
        return {
            "id": self.id, "object": kind, "created": self.created, "model": self.model,
            "system_fingerprint": FINGERPRINT, **parts,
        }  # fmt: skip


def usage(prompt: Prompt, reply: Reply) -> dict[str, int]:
    """Tokens used, by the fake's estimate."""
    asked, said = of_prompt(prompt), of_reply(reply)
    return {"prompt_tokens": asked, "completion_tokens": said, "total_tokens": asked + said}


def whole(head: Head, prompt: Prompt, reply: Reply, dice: Dice) -> dict[str, Any]:
    """The reply as one object."""
    message: dict[str, Any] = {"role": "assistant", "content": reply.text or None, "refusal": reply.refusal or None}
    if reply.calls:
        message["tool_calls"] = [_called(call, dice) for call in reply.calls]
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": _REASONS[reply.stop]}
    return head.frame("chat.completion", choices=[choice], usage=usage(prompt, reply))


def _called(call: Call, dice: Dice) -> dict[str, Any]:
    return {"id": new_id(dice), "type": "function", "function": {"name": call.tool, "arguments": call.text}}


def new_id(dice: Dice) -> str:
    """The id of one call of a tool."""
    return f"call_{dice.hex(24)}"


def chunks(head: Head, prompt: Prompt, reply: Reply, dice: Dice, counted: bool) -> Iterator[bytes]:
    """The reply as server-sent events; with ``counted`` a last chunk without choices tells the tokens."""
    extra: dict[str, Any] = {"usage": None} if counted else {}
    for delta in _deltas(reply, dice):
        yield _chunk(head, delta, None, extra)
    yield _chunk(head, {}, _REASONS[reply.stop], extra)
    if counted:
        yield event(head.frame("chat.completion.chunk", choices=[], usage=usage(prompt, reply)))
    yield b"data: [DONE]\n\n"


def _chunk(head: Head, delta: Mapping[str, Any], reason: str | None, extra: Mapping[str, Any]) -> bytes:
    choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": reason}
    return event(head.frame("chat.completion.chunk", choices=[choice], **extra))


def _deltas(reply: Reply, dice: Dice) -> Iterator[dict[str, Any]]:
    yield {"role": "assistant", "content": "" if reply.text or not reply.calls else None, "refusal": None}
    for piece in pieces(reply.text):
        yield {"content": piece}
    for piece in pieces(reply.refusal):
        yield {"refusal": piece}
    for index, call in enumerate(reply.calls):
        function = {"name": call.tool, "arguments": ""}
        yield {"tool_calls": [{"index": index, "id": new_id(dice), "type": "function", "function": function}]}
        for fragment in pieces(call.text):
            yield {"tool_calls": [{"index": index, "function": {"arguments": fragment}}]}


def event(content: Any) -> bytes:
    """One server-sent event without a name."""
    return b"data: " + json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode() + b"\n\n"
