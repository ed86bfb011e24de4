"""What the model's fake remembers, and what it answers with."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from typing import Any, Final

from tzzr_mocks.control import Control
from tzzr_mocks.llm.delivery import Pace
from tzzr_mocks.llm.script import Rule, Script, script_of

SEEN: Final = 500
"""Requests whose whole bodies are kept; the journal keeps more of them, but cuts each."""


class ModelState:
    """Script, pace and dice of one model. ``seen`` holds the bodies of the newest requests, uncut."""

    def __init__(self, control: Control, pace: Pace) -> None:
        self.control, self.pace = control, pace
        self.script: Script | None = None
        self.seen: deque[str] = deque(maxlen=SEEN)
        self.dice = control.seams.dice.named("ids")

    def follow(self, script: Iterable[Rule | Mapping[str, Any]] | None) -> None:
        """Follow these rules from now on; None: choose tools by the words of the question.

        Raises:
            PlanError: one of them is not a rule.
        """
        self.script = None if script is None else script_of(script)

    def forget(self) -> None:
        """Forget the script and what was seen."""
        self.script = None
        self.seen.clear()
