"""What of a recorded value will be the same the next time, as an expectation: times and ids are left out."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from tzzr_scenarios.matchers import MISSING, OPERATORS
from tzzr_scenarios.passing import PASSING, PASSING_NAME
from tzzr_scenarios.recording.secrets import was_cut

LEAVE: Any = MISSING
"""What stands for a value of which nothing can be expected."""
LONG_LIST = 12
"""Items beyond which only the length of a list is expected."""
LONG_TEXT = 160
"""Characters beyond which only the beginning of a text is expected."""
_LEAST = 8
"""Characters that a text's beginning has at least, to say anything."""

_DOCUMENT = ({"file"}, {"base64"})
_MOMENTS = ((1.5e9, 2.3e9), (1.5e12, 2.3e12))
"""Numbers that are seconds or milliseconds since 1970, for all that can be told."""


def expectation(value: Any, name: str = "") -> Any:
    """The expectation that the value meets, or `LEAVE`."""
    if PASSING_NAME.search(name):
        return LEAVE
    if isinstance(value, Mapping):
        return _parts(value)
    if isinstance(value, list):
        return _items(value)
    if isinstance(value, str):
        return text(value)
    return _number(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


def _number(value: float) -> Any:
    """A number as it is, or between the thousandths around it when it has more digits than anybody means."""
    if any(low < value < high for low, high in _MOMENTS):
        return LEAVE
    if value == round(value, 4):
        return value
    return {"ge": math.floor(value * 1000) / 1000, "le": math.ceil(value * 1000) / 1000}


def _parts(value: Mapping[str, Any]) -> Any:
    held = {key: each for key, item in value.items() if (each := expectation(item, key)) is not LEAVE}
    if not value or held.keys() & OPERATORS.keys() or set(held) in _DOCUMENT:
        return LEAVE
    return held or LEAVE


def _items(value: list[Any]) -> Any:
    held = [expectation(item) for item in value[: LONG_LIST + 1]]
    if len(value) > LONG_LIST or any(each is LEAVE for each in held):
        return {"length": len(value)}
    return held


def text(value: str) -> Any:
    """The expectation for a text: all of it when it is short and one line, its beginning otherwise, up to what passes."""
    value, _, further = value.partition("\n")
    found = PASSING.search(value)
    saved = value.find("${")
    end = min([len(value), *([found.start()] if found else []), *([saved] if saved >= 0 else [])])
    if end == len(value) and end <= LONG_TEXT and not further and not was_cut(value):
        return value
    beginning = value[: min(end, LONG_TEXT)].rstrip()
    return {"starts": beginning} if len(beginning) >= _LEAST else LEAVE
