"""What came of a case: the reply as it was sent, and where it differs from the recorded one."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Final

from tzzr_mocks.hst.conformance.cases import Case

NOTHING: Final = "(nothing)"
"""What stands in a difference for a part that is not there."""

_SHOWN = 400


@dataclass(frozen=True)
class Sent:
    """A reply as it was sent."""

    status: int
    headers: dict[str, str]
    content: bytes


@dataclass(frozen=True)
class Difference:
    """One part of a reply (``status``, ``json.data[3].ref``, a header's name), as recorded and as it came."""

    part: str
    recorded: Any
    came: Any

    def __str__(self) -> str:
        """The difference in a sentence."""
        return f"{self.part} {shown(self.came)}, recorded {shown(self.recorded)}"


def shown(value: Any) -> str:
    """A part's value in one line, cut where it is long."""
    if value == NOTHING:
        return NOTHING
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}… ({len(text)} characters)"


@dataclass(frozen=True)
class Verdict:
    """One case and where an answer differs from it."""

    case: Case
    differences: tuple[Difference, ...]
