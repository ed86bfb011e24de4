"""Anthropic's Messages, through the official client."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

import anthropic

from tzzr_mcp.gateway.formodel import ForModel
from tzzr_mcp.gateway.models.broken import Broken
from tzzr_mcp.gateway.models.exchange import Delta, Ended, Exchange, Offer, Output, Question, Said, ToolRequest, Used
from tzzr_mcp.gateway.models.failures import ModelError

_BROKEN = Broken(anthropic)


@dataclass(frozen=True)
class AnthropicModel:
    """A model behind ``/v1/messages``. ``max_tokens`` bounds one answer."""

    client: anthropic.AsyncAnthropic
    name: str
    max_tokens: int

    async def stream(
        self, system: ForModel, messages: Sequence[Exchange], tools: Sequence[Offer]
    ) -> AsyncGenerator[Output, None]:
        """One answer, as it comes.

        Raises:
            ModelError: the model cannot be reached, refuses, or breaks off.
        """
        body = request(system, messages, tools)
        opening = self.client.messages.create(model=self.name, max_tokens=self.max_tokens, stream=True, **body)
        async with aclosing(_BROKEN.told(opening, _Answer())) as outputs:
            async for output in outputs:
                yield output


def request(system: ForModel, messages: Sequence[Exchange], tools: Sequence[Offer]) -> dict[str, Any]:
    """What of the request depends on the conversation.

    Roles must take turns, so neighbours of one role become one message: tools' texts first, then a question.
    """
    turns = [(role, block) for exchange in messages for role, block in _blocks(exchange)]
    grouped = [
        {"role": role, "content": [block for _, block in blocks]}
        for role, blocks in groupby(turns, lambda turn: turn[0])
    ]
    body: dict[str, Any] = {"system": system.text, "messages": grouped}
    if tools:
        body["tools"] = [
            {"name": tool.name, "description": tool.description.text, "input_schema": dict(tool.input_schema)}
            for tool in tools
        ]
    return body


def _blocks(exchange: Exchange) -> Iterable[tuple[str, dict[str, Any]]]:
    if isinstance(exchange, Question):
        yield "user", {"type": "text", "text": exchange.text.text}
    elif isinstance(exchange, Said):
        # The API refuses text that is blank.
        if exchange.text.text.strip():
            yield "assistant", {"type": "text", "text": exchange.text.text}
        for call in exchange.calls:
            yield "assistant", {"type": "tool_use", "id": call.id, "name": call.name, "input": dict(call.arguments)}
    else:
        told = {"type": "tool_result", "tool_use_id": exchange.call, "content": exchange.text.text}
        yield "user", {**told, "is_error": True} if exchange.failed else told


@dataclass
class _Call:
    id: str
    name: str
    arguments: str = ""


@dataclass
class _Answer:
    """An answer as it grows, block by block."""

    calls: dict[int, _Call] = field(default_factory=dict)
    input_tokens: int = 0
    output_tokens: int = 0
    reason: str | None = None

    def take(self, event: Any) -> Iterable[Output]:
        """Add one event of the stream; the text in it, if any, comes out as `Delta`."""
        if event.type == "message_start":
            self._count(event.message.usage)
        elif event.type == "content_block_start" and event.content_block.type == "tool_use":
            self.calls[event.index] = _Call(event.content_block.id, event.content_block.name)
        elif event.type == "content_block_delta" and event.delta.type == "input_json_delta":
            self.calls[event.index].arguments += event.delta.partial_json
        elif event.type == "content_block_delta" and event.delta.type == "text_delta":
            yield Delta(event.delta.text)
        elif event.type == "message_delta":
            self.reason = event.delta.stop_reason or self.reason
            self._count(event.usage)

    def _count(self, usage: Any) -> None:
        """Counts are cumulative; what was read from a cache was input too."""
        parts = (usage.input_tokens, usage.cache_read_input_tokens, usage.cache_creation_input_tokens)
        self.input_tokens = max(self.input_tokens, sum(part or 0 for part in parts))
        self.output_tokens = max(self.output_tokens, usage.output_tokens or 0)

    def end(self) -> Iterable[Output]:
        """What can be told once the stream is over.

        Raises:
            ModelError: it ended before the model said why it stopped.
        """
        if self.reason is None:
            raise ModelError("MODEL_CUT")
        if self.input_tokens or self.output_tokens:
            yield Used(self.input_tokens, self.output_tokens)
        if self.reason not in _OUT_OF_ROOM:
            for _, call in sorted(self.calls.items()):
                yield ToolRequest(call.id, call.name, call.arguments or "{}")
        yield Ended(self._why())

    def _why(self) -> Any:
        if self.reason == "refusal":
            return "refused"
        return "length" if self.reason in _OUT_OF_ROOM else "stop"


_OUT_OF_ROOM = frozenset({"max_tokens", "model_context_window_exceeded"})
