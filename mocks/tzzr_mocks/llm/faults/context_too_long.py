"""A conversation that the model cannot hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tzzr_mocks.control.asgi import ASGIApp
from tzzr_mocks.control.fault import ReplyFault, Scene
from tzzr_mocks.llm.errors import ModelError
from tzzr_mocks.llm.faults.refusing import refusing


@dataclass(frozen=True)
class ContextTooLong(ReplyFault):
    """The request is refused with 400, as longer than the ``tokens`` that the model takes.

    OpenAI says so with the code ``context_length_exceeded``, Anthropic in the message alone. Seen after many turns, and
    when a tool's text is long.

    YAML: ``- llm: 3rd call finds the context too long``
    """

    kind = "context_too_long"
    phrases = ("finds the context too long",)
    services: ClassVar[frozenset[str]] = frozenset({"llm"})
    tokens: int = 128_000

    def wrap(self, app: ASGIApp, scene: Scene) -> ASGIApp:
        """Answer in the model's place."""
        message = f"The prompt is too long: the model takes {self.tokens} tokens at most."
        return refusing(scene, ModelError(400, message, "context_length_exceeded", "messages"))
