"""What goes to a model and what comes from it. Everything that goes is `ForModel`, or the model's own words."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias

from tzzr_mcp.gateway.formodel import ForModel


@dataclass(frozen=True)
class Offer:
    """A tool as the model sees it."""

    name: str
    description: ForModel
    input_schema: Mapping[str, Any]


@dataclass(frozen=True)
class Asked:
    """A tool call that the model asked for earlier, given back to it."""

    id: str
    name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True)
class Question:
    """What the person said."""

    text: ForModel


@dataclass(frozen=True)
class Said:
    """What the model said, and the calls it asked for."""

    text: ForModel
    calls: tuple[Asked, ...] = ()


@dataclass(frozen=True)
class Told:
    """A tool's text, or why there is none: the answer to the call ``call``."""

    call: str
    text: ForModel
    failed: bool = False


Exchange: TypeAlias = Question | Said | Told


@dataclass(frozen=True)
class Delta:
    """A piece of prose."""

    text: str


@dataclass(frozen=True)
class ToolRequest:
    """A tool call, whole. ``arguments`` is the JSON text that the model wrote, which may be none."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True)
class Used:
    """Tokens of one request, as the model counts them."""

    input_tokens: int
    output_tokens: int


@dataclass(frozen=True)
class Ended:
    """Why the model stopped: done, out of room, or because it will not say more."""

    reason: Literal["stop", "length", "refused"] = "stop"


Output: TypeAlias = Delta | ToolRequest | Used | Ended


class Model(Protocol):
    """A model. Closing the iterator ends the request."""

    def stream(
        self, system: ForModel, messages: Sequence[Exchange], tools: Sequence[Offer]
    ) -> AsyncGenerator[Output, None]:
        """One answer, as it comes.

        Raises:
            ModelError: the model cannot be reached, refuses, or breaks off.
        """
        ...
