"""Chat completions, as OpenAI and everything compatible with it serve them, through the official client."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any

import openai

from tzzr_mcp.gateway.formodel import ForModel
from tzzr_mcp.gateway.models.broken import Broken
from tzzr_mcp.gateway.models.exchange import Delta, Ended, Exchange, Offer, Output, Question, Said, ToolRequest, Used
from tzzr_mcp.gateway.models.failures import ModelError

_BROKEN = Broken(openai)


@dataclass(frozen=True)
class OpenAiModel:
    """A model behind ``/chat/completions``. ``max_tokens`` bounds one answer."""

    client: openai.AsyncOpenAI
    name: str
    max_tokens: int

    async def stream(
        self, system: ForModel, messages: Sequence[Exchange], tools: Sequence[Offer]
    ) -> AsyncGenerator[Output, None]:
        """One answer, as it comes.

        Raises:
            ModelError: the model cannot be reached, refuses, or breaks off.
        """
        opening = self.client.chat.completions.create(
            model=self.name,
            stream=True,
            stream_options={"include_usage": True},
            max_completion_tokens=self.max_tokens,
            **request(system, messages, tools),
        )
        async with aclosing(_BROKEN.told(opening, _Answer())) as outputs:
            async for output in outputs:
                yield output


def request(system: ForModel, messages: Sequence[Exchange], tools: Sequence[Offer]) -> dict[str, Any]:
    """What of the request depends on the conversation."""
    body: dict[str, Any] = {"messages": [{"role": "system", "content": system.text}, *map(_message, messages)]}
    if tools:
        body["tools"] = [_tool(tool) for tool in tools]
    return body


def _message(exchange: Exchange) -> dict[str, Any]:
    if isinstance(exchange, Question):
        return {"role": "user", "content": exchange.text.text}
    if isinstance(exchange, Said):
        calls = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": json.dumps(call.arguments)},
            }
            for call in exchange.calls
        ]
        return {"role": "assistant", "content": exchange.text.text or None, **({"tool_calls": calls} if calls else {})}
    return {"role": "tool", "tool_call_id": exchange.call, "content": exchange.text.text}


def _tool(offer: Offer) -> dict[str, Any]:
    function = {"name": offer.name, "description": offer.description.text, "parameters": dict(offer.input_schema)}
    return {"type": "function", "function": function}


@dataclass
class _Call:
    id: str = ""
    name: str = ""
    arguments: str = ""


@dataclass
class _Answer:
    """An answer as it grows: tool calls come in fragments, told apart by their index."""

    calls: dict[int, _Call] = field(default_factory=dict)
    used: Used | None = None
    reason: str | None = None
    refused: bool = False

    def take(self, chunk: Any) -> Iterable[Output]:
        """Add one chunk of the stream; the text or refusal in it, if any, comes out as `Delta`."""
        if chunk.usage is not None:
            self.used = Used(chunk.usage.prompt_tokens, chunk.usage.completion_tokens)
        for choice in chunk.choices or ():
            self.reason = choice.finish_reason or self.reason
            for fragment in choice.delta.tool_calls or ():
                self._grow(fragment)
            refusal = getattr(choice.delta, "refusal", None)
            self.refused = self.refused or bool(refusal)
            if text := (choice.delta.content or refusal):
                yield Delta(text)

    def _grow(self, fragment: Any) -> None:
        call = self.calls.setdefault(fragment.index, _Call())
        call.id = fragment.id or call.id
        if fragment.function is not None:
            call.name += fragment.function.name or ""
            call.arguments += fragment.function.arguments or ""

    def end(self) -> Iterable[Output]:
        """What can be told once the stream is over.

        Raises:
            ModelError: it ended before the model said why it stopped.
        """
        if self.reason is None:
            raise ModelError("MODEL_CUT")
        if self.used is not None:
            yield self.used
        if self.reason != "length":
            for index, call in sorted(self.calls.items()):
                yield ToolRequest(call.id or f"call_{index}", call.name, call.arguments)
        yield Ended(self._why())

    def _why(self) -> Any:
        if self.refused or self.reason == "content_filter":
            return "refused"
        return "length" if self.reason == "length" else "stop"
