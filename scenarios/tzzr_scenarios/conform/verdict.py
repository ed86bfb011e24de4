"""What came of one rule: whether it holds, and the request and the answer that show it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

Outcome = Literal["passed", "failed", "left out"]
"""``left out``: it could not be judged, and the verdict's reason says why."""

SHOWN = 400
"""Characters of a value that a report shows."""


@dataclass(frozen=True)
class Difference:
    """One part of an answer (``status``, ``result.confidence``, a header's name): what was expected and what came."""

    part: str
    expected: Any
    came: Any


@dataclass(frozen=True)
class Verdict:
    """The verdict on one rule, or on one recorded case.

    ``request`` is the evidence: a line for a shell, or the message that was sent. ``where`` says in which of several
    ways the rule was asked, such as a protocol era; empty when there is one way alone.
    """

    rule: str
    outcome: Outcome
    request: str = ""
    differences: Sequence[Difference] = ()
    says: str = ""
    source: str = ""
    reason: str = ""
    where: str = ""

    @property
    def theme(self) -> str:
        """What the id begins with: ``envelope`` of ``envelope.trace``, ``09`` of ``09_meta-001``."""
        return self.rule.partition(".")[0].partition("_")[0]

    @property
    def name(self) -> str:
        """The rule's id and where it was asked."""
        return f"{self.rule} ({self.where})" if self.where else self.rule


def shown(value: Any) -> str:
    """A value in one line, cut where it is long."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}… ({len(text)} characters)"
