"""Assembles the Context Manager's fake."""

from __future__ import annotations

from typing import Any

from tzzr_mocks.context.errors import status_envelope
from tzzr_mocks.context.routes import build_app
from tzzr_mocks.context.seed import TOKEN
from tzzr_mocks.context.specs import document
from tzzr_mocks.context.store import ContextStore
from tzzr_mocks.control import Control, Surface
from tzzr_mocks.openapi import Json


class ContextFake:
    """The Context Manager on port 5500. A token that is sent must be `TOKEN`; with ``token_required`` one must be sent.

    Raises:
        PlanError: there is no starting world of that name.
    """

    def __init__(self, control: Control, *, starting: str = "default", token_required: bool = False) -> None:
        self.control = control
        self.store = ContextStore(starting, TOKEN, token_required=token_required)
        application = build_app(self.store)
        self.app = control.wrap(application, Surface.of(application, error_body=status_envelope))
        self.environment = {"CONTEXT_TOKEN": TOKEN}
        control.journal.redaction.learn([TOKEN])

    def openapi(self) -> Json:
        """What this fake answers, as an OpenAPI document."""
        return document(token_required=self.store.token_required)

    async def start(self) -> None:
        """Nothing runs in the background."""

    async def stop(self) -> None:
        """Nothing runs in the background."""

    def reset(self, starting: str | None = None) -> None:
        """Go back to the starting world, or to another one."""
        self.store.reset(starting)

    def snapshot(self) -> Any:
        """The whole state, for `restore`."""
        return self.store.snapshot()

    def restore(self, state: Any) -> None:
        """Go back to a snapshot."""
        self.store.restore(state)
