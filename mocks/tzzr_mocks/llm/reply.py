"""What a model answers, whichever API it answers through."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

Stop = Literal["answer", "calls", "length", "sequence", "refusal"]


@dataclass(frozen=True)
class Call:
    """A tool that the model asks for. ``raw`` replaces the arguments' JSON where a fault spoils it."""

    tool: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    raw: str | None = None

    @property
    def text(self) -> str:
        """The arguments as the model writes them."""
        return json.dumps(self.arguments, ensure_ascii=False) if self.raw is None else self.raw


@dataclass(frozen=True)
class Reply:
    """Words, tools asked for, and why the model stopped."""

    text: str = ""
    calls: tuple[Call, ...] = ()
    refusal: str = ""
    cut: Literal["length", "sequence"] | None = None
    sequence: str | None = None

    @property
    def stop(self) -> Stop:
        """Why the model stopped."""
        if self.cut:
            return self.cut
        if self.refusal:
            return "refusal"
        return "calls" if self.calls else "answer"

    def within(self, limit: int | None, sequences: tuple[str, ...]) -> Reply:
        """The reply as far as ``limit`` tokens and the stop sequences let it come."""
        found = [(place, one) for one in sequences if (place := self.text.find(one)) >= 0]
        if found:
            place, sequence = min(found)
            return replace(self, text=self.text[:place], calls=(), cut="sequence", sequence=sequence)
        return self if limit is None else self._shortened(limit)

    def _shortened(self, limit: int) -> Reply:
        if tokens(self.text) <= limit:
            return self
        return replace(self, text=self.text[: limit * TOKEN], calls=(), cut="length")


def pieces(text: str) -> list[str]:
    """``text`` in the pieces in which it is streamed: a few tokens each, as busy servers send them."""
    return [text[place : place + PIECE] for place in range(0, len(text), PIECE)]


PIECE = 16
"""Characters of a piece."""
TOKEN = 4
"""Characters of a token, on average: what OpenAI tells of English text (platform.openai.com/tokenizer)."""


def tokens(*texts: str) -> int:
    """An estimate of how many tokens these texts are: a token for every four characters begun.

    Real tokenizers differ from it by a third in Spanish, more in JSON; it is always the same, and grows with the text.
    """
    return sum(-(-len(text) // TOKEN) for text in texts)
