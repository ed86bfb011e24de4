"""One line of a fault plan: match × effect × schedule."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tzzr_mocks.control.fault import Fault
from tzzr_mocks.control.match import Match
from tzzr_mocks.control.schedule import Schedule


@dataclass(frozen=True)
class FaultRule:
    """What goes wrong, on which occasions, and how often.

    ``id`` is given by the plan when the rule is added. ``text`` is the short form that it was written in, if it was.
    A rule that never fired fails the scenario that planned it, unless it is ``optional``.
    """

    match: Match
    fault: Fault
    schedule: Schedule = field(default_factory=Schedule)
    optional: bool = False
    id: str = ""
    text: str = ""

    def sentence(self) -> str:
        """The rule on one line: as it was written, or made from its parts."""
        if self.text:
            return self.text
        parts = {**self.match.as_json(), **self.schedule.as_json()}
        service = parts.pop("service", "any service")
        details = "".join(f" {name}={value}" for name, value in parts.items())
        return f"{service}: {self.fault.sentence()}{details}"

    def as_json(self) -> dict[str, Any]:
        """The long form, with the plan's id."""
        return {
            "id": self.id,
            "match": self.match.as_json(),
            "effect": self.fault.as_json(),
            "schedule": self.schedule.as_json(),
            "optional": self.optional,
            "sentence": self.sentence(),
        }
