"""The one place where something becomes text for a model (seed 1: structured data does not pass through the LLM).

A request to a model is made of `ForModel` and of nothing else: the adapters take no other text. A `ForModel` is made
by the four functions below alone, and the only one of them that reads a tool's result reads its text blocks. What a
person asked, what the model itself said and what the gateway wrote are the other three.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, final

from mcp import types as t

_MINT: Final = object()
"""Known to this module alone."""


@final
class ForModel:
    """Text that a model may read. It cannot be made outside this module."""

    __slots__ = ("text",)
    text: str

    def __init__(self, text: str, mint: object) -> None:
        if mint is not _MINT:
            raise TypeError("only tzzr_mcp.gateway.formodel makes text for a model")
        object.__setattr__(self, "text", text)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{name} of a ForModel is fixed")

    def __repr__(self) -> str:
        return f"ForModel({self.text!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ForModel) and other.text == self.text

    def __hash__(self) -> int:
        return hash(self.text)


def from_result(result: t.CallToolResult, limit: int) -> ForModel:
    """The text blocks of a tool's result that are meant for the model, at most ``limit`` characters of them.

    Structured content, images, sounds, embedded resources and links stay outside; so does a text block whose audience
    is the person alone.
    """
    return ForModel(cut("\n".join(_texts(result)), limit), _MINT)


def from_conversation(text: str) -> ForModel:
    """What the person or the model said, as the caller sent it."""
    return ForModel(text, _MINT)


def from_gateway(text: str) -> ForModel:
    """A sentence of the gateway's own: the system prompt, or why a call gave no result."""
    return ForModel(text, _MINT)


def from_catalogue(text: str) -> ForModel:
    """A tool's description."""
    return ForModel(text, _MINT)


def cut(text: str, limit: int) -> str:
    """``text``, or its beginning and how much is left out."""
    if len(text) <= limit:
        return text
    return f"{text[:limit]}\n[El texto sigue: faltan {len(text) - limit} caracteres de {len(text)}.]"


def _texts(result: t.CallToolResult) -> Iterator[str]:
    for block in result.content:
        if isinstance(block, t.TextContent) and _is_for_model(block.annotations):
            yield block.text


def _is_for_model(annotations: Any) -> bool:
    audience = getattr(annotations, "audience", None)
    return not audience or "assistant" in audience
