"""What every part of the scenario language is made of: durations, expectations, faults, and frozen models."""

from __future__ import annotations

import re
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

_DURATION = re.compile(r"^\s*(\d+(?:\.\d+)?)\s*(ms|s|min|h)\s*$")
_SECONDS = {"ms": 0.001, "s": 1.0, "min": 60.0, "h": 3600.0}


def seconds(value: Any) -> Any:
    """``5s``, ``200ms``, ``10min``, ``2h`` or a number of seconds, as seconds."""
    if isinstance(value, str) and (found := _DURATION.match(value)):
        return float(found[1]) * _SECONDS[found[2]]
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    raise ValueError("a duration is a number of seconds or text like 5s, 200ms, 10min, 2h")


Duration = Annotated[
    float,
    BeforeValidator(seconds, json_schema_input_type=str | float),
    Field(ge=0, description="A duration in virtual time: `5s`, `200ms`, `10min`, `2h`, or a number of seconds."),
]
Expectation = Annotated[Any, Field(description="A value, or a mapping of operators (`contains`, `regex`, `gt`, …).")]
FaultSpec = Annotated[
    str | dict[str, Any],
    Field(
        description="A fault: the short form (`grace: OCR_LOCAL is down`) or the long one (match, effect, schedule)."
    ),
]


class Part(BaseModel):
    """What every part of a scenario has: unknown keys are mistakes, and nothing changes after reading."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, populate_by_name=True)
