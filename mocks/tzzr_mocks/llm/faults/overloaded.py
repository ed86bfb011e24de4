"""A model that has too much to do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tzzr_mocks.control.asgi import ASGIApp
from tzzr_mocks.control.fault import ReplyFault, Scene
from tzzr_mocks.llm.errors import ModelError
from tzzr_mocks.llm.faults.refusing import at_messages, refusing


@dataclass(frozen=True)
class Overloaded(ReplyFault):
    """The request is refused because of load: 529 ``overloaded_error`` at Anthropic's API, 503 at OpenAI's.

    Seen at both in hours of heavy use; their error pages name it.

    YAML: ``- llm: first call is overloaded``
    """

    kind = "overloaded"
    phrases = ("is overloaded",)
    services: ClassVar[frozenset[str]] = frozenset({"llm"})

    def wrap(self, app: ASGIApp, scene: Scene) -> ASGIApp:
        """Answer in the model's place."""
        return refusing(
            scene, ModelError(529 if at_messages(scene) else 503, "The model is overloaded; try again later.")
        )
