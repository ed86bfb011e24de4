"""Assembles the model's fake."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from tzzr_mocks.control import Control, Occasion, Surface
from tzzr_mocks.control.errors import unknown
from tzzr_mocks.control.surface import ErrorBody
from tzzr_mocks.llm import faults as _faults  # noqa: F401 - registers the kinds
from tzzr_mocks.llm.delivery import Pace
from tzzr_mocks.llm.errors import envelope_at, plain
from tzzr_mocks.llm.routes import build_app
from tzzr_mocks.llm.script import Rule, Script
from tzzr_mocks.llm.seed import KEY, MODEL
from tzzr_mocks.llm.specs import document
from tzzr_mocks.llm.state import ModelState
from tzzr_mocks.openapi import Json

_WORLDS: Final = ("default",)


class LlmFake:
    """A language model behind two APIs: it follows a script, or chooses tools by the words of the question.

    Raises:
        PlanError: there is no starting world of that name.
    """

    def __init__(self, control: Control, *, starting: str = "default", pace: Pace | None = None) -> None:
        if starting not in _WORLDS:
            raise unknown("starting world of llm", starting, _WORLDS)
        self.control = control
        self.state = ModelState(control, pace or Pace())
        application = build_app(self.state)
        self.app = control.wrap(application, Surface.of(application, envelope=_envelope))
        self.environment = {"TZZR_MODEL_API_KEY": KEY, "TZZR_MODEL": MODEL}
        control.journal.redaction.learn([KEY])

    @property
    def script(self) -> Script | None:
        """The rules that it follows; None: it chooses by itself."""
        return self.state.script

    @property
    def seen(self) -> Sequence[str]:
        """The bodies of the newest requests, uncut: what the model was shown."""
        return tuple(self.state.seen)

    def follow(self, script: Iterable[Rule | Mapping[str, Any]] | None) -> None:
        """Follow these rules from now on; None: choose tools by the words of the question.

        Raises:
            PlanError: one of them is not a rule; tells which and why.
        """
        self.state.follow(script)

    def openapi(self) -> Json:
        """What this fake answers, as an OpenAPI document."""
        return document()

    async def start(self) -> None:
        """Nothing runs in the background."""

    async def stop(self) -> None:
        """Nothing runs in the background."""

    def reset(self) -> None:
        """Forget the script and what was seen."""
        self.state.forget()

    def snapshot(self) -> Any:
        """The script and the dice, for `restore`."""
        return self.state.script, copy.deepcopy(self.state.dice)

    def restore(self, state: Any) -> None:
        """Go back to a snapshot."""
        self.state.script, dice = state
        self.state.dice = copy.deepcopy(dice)


def _envelope(occasion: Occasion) -> ErrorBody:
    path = occasion.path or ""
    return lambda status: envelope_at(path, plain(status))
