"""A key that was revoked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tzzr_mocks.control.asgi import ASGIApp
from tzzr_mocks.control.fault import ReplyFault, Scene
from tzzr_mocks.llm.errors import ModelError
from tzzr_mocks.llm.faults.refusing import refusing


@dataclass(frozen=True)
class KeyRefused(ReplyFault):
    """The key is not taken: 401, ``invalid_api_key`` or ``authentication_error``; the message shows the key's end.

    Seen after a key was rotated; OpenAI's message does show a part of the key, which no user may see.

    YAML: ``- llm: every call has its key refused``
    """

    kind = "key_refused"
    phrases = ("has its key refused",)
    services: ClassVar[frozenset[str]] = frozenset({"llm"})

    def wrap(self, app: ASGIApp, scene: Scene) -> ASGIApp:
        """Answer in the model's place."""
        return refusing(scene, ModelError(401, "Incorrect API key provided: tzzr-off***********-key."))
