"""What a turn has come to so far: the conversation that the model sees next, and what the caller is given at the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tzzr_mcp.gateway.events import DoneEvent, Message, Requested, Stopped, Usage
from tzzr_mcp.gateway.formodel import ForModel, from_conversation, from_gateway
from tzzr_mcp.gateway.models import Asked, Exchange, Said, Told, Used

_UNFINISHED = from_gateway("La llamada no terminó.")
CHARACTERS = 4
"""Characters of one token, about, where a model does not count."""


@dataclass
class Record:
    """One turn's exchanges and counts. ``before`` is the conversation that it began with."""

    before: Sequence[Exchange]
    rounds: int = 0
    tool_calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    _since: list[Exchange] = field(default_factory=list)
    _answers: dict[str, Told] = field(default_factory=dict)

    @property
    def exchanges(self) -> list[Exchange]:
        """The whole conversation; a call without an answer has one that says so."""
        return [*self.before, *self._now()]

    @property
    def usage(self) -> Usage:
        """Tokens so far."""
        return Usage(input_tokens=self.input_tokens, output_tokens=self.output_tokens)

    def say(self, text: str, calls: Sequence[Requested] = ()) -> None:
        """The model has spoken, and asks for ``calls``. What says nothing and asks for nothing is no message."""
        if text or calls:
            asked = tuple(Asked(call.id, call.name, call.arguments) for call in calls)
            self._since.append(Said(from_conversation(text), asked))
            self.tool_calls += len(calls)

    def tell(self, call: str, text: ForModel, *, ok: bool) -> None:
        """The call has its answer."""
        self._answers[call] = Told(call, text, failed=not ok)

    def count(self, used: Used | None, sent: int, received: int) -> None:
        """One request's tokens; estimated from the characters sent and received where the model tells none."""
        self.input_tokens += used.input_tokens if used else sent // CHARACTERS
        self.output_tokens += used.output_tokens if used else received // CHARACTERS

    def done(self, stopped: Stopped) -> DoneEvent:
        """The last event."""
        messages = tuple(_message(exchange) for exchange in self._now())
        return DoneEvent(
            stopped=stopped, usage=self.usage, rounds=self.rounds, tool_calls=self.tool_calls, messages=messages
        )

    def _now(self) -> list[Exchange]:
        now: list[Exchange] = []
        for exchange in self._since:
            now.append(exchange)
            if isinstance(exchange, Said):
                now += [self._answers.get(call.id, Told(call.id, _UNFINISHED, failed=True)) for call in exchange.calls]
        return now


def size(exchanges: Sequence[Exchange]) -> int:
    """Characters of prose in a conversation."""
    return sum(len(exchange.text.text) for exchange in exchanges)


def _message(exchange: Exchange) -> Message:
    text = exchange.text.text
    if isinstance(exchange, Told):
        return Message(role="tool", content=text, call=exchange.call, ok=not exchange.failed)
    calls = exchange.calls if isinstance(exchange, Said) else ()
    asked = tuple(Requested(id=call.id, name=call.name, arguments=dict(call.arguments)) for call in calls)
    return Message(role="assistant", content=text, calls=asked)
