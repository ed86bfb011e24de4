"""An account that has nothing left."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tzzr_mocks.control.asgi import ASGIApp
from tzzr_mocks.control.fault import ReplyFault, Scene
from tzzr_mocks.llm.errors import ModelError
from tzzr_mocks.llm.faults.refusing import at_messages, refusing


@dataclass(frozen=True)
class QuotaExhausted(ReplyFault):
    """The account is used up: 429 ``insufficient_quota`` at OpenAI's API, 402 ``billing_error`` at Anthropic's.

    Trying again does not help, though OpenAI's status is that of a rate limit. Seen whenever a bill is not paid.

    YAML: ``- llm: every call is out of quota``
    """

    kind = "quota_exhausted"
    phrases = ("is out of quota",)
    services: ClassVar[frozenset[str]] = frozenset({"llm"})

    def wrap(self, app: ASGIApp, scene: Scene) -> ASGIApp:
        """Answer in the model's place."""
        status = 402 if at_messages(scene) else 429
        return refusing(scene, ModelError(status, "The account has no quota left.", "insufficient_quota"))
