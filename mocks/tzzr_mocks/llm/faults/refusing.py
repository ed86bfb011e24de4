"""What the faults that refuse a request to the model have in common."""

from __future__ import annotations

from collections.abc import Iterable

from tzzr_mocks.control.asgi import ASGIApp, answer_json
from tzzr_mocks.control.fault import Scene
from tzzr_mocks.llm.errors import ModelError, envelope_at


def at_messages(scene: Scene) -> bool:
    """Whether the request went to Anthropic's API."""
    return (scene.occasion.path or "").startswith("/v1/messages")


def refusing(scene: Scene, error: ModelError, headers: Iterable[tuple[bytes, bytes]] = ()) -> ASGIApp:
    """An application that refuses with this error, in the envelope of the API that was asked."""
    return answer_json(error.status, envelope_at(scene.occasion.path or "", error), headers)
