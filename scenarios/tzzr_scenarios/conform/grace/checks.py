"""Checks that several modules' results share: confidences, sizes, text."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from tzzr_scenarios.conform.grace.probe import NOTHING, Answer
from tzzr_scenarios.conform.rule import Broken, hold
from tzzr_scenarios.conform.verdict import Difference

TOLERANCE: Final = 1e-6
"""What contract §4 allows a sum or a norm to be away from 1."""
_LANG = re.compile(r"[a-z]{2,3}")


def number(value: Any) -> bool:
    """Whether a value is a finite number; true and false are none."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def ratio(value: Any) -> bool:
    """Whether a value is a confidence: a number in [0, 1]."""
    return number(value) and 0 <= value <= 1


def whole(value: Any, least: int = 1) -> bool:
    """Whether a value is a whole number from ``least`` on."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


def language(value: Any) -> bool:
    """Whether a value is a BCP 47 primary subtag, and not ``auto``, which is an answer to nothing."""
    return isinstance(value, str) and bool(_LANG.fullmatch(value))


def has(answer: Answer, kinds: Mapping[str, type | tuple[type, ...]]) -> None:
    """The result has these members, of these kinds.

    Raises:
        Broken: some are missing or of another kind; all of them are told.
    """
    result = answer.result
    wrong = [
        Difference(f"result.{name}", _told(kind), result.get(name, NOTHING))
        for name, kind in kinds.items()
        if not isinstance(result.get(name, NOTHING), kind)
        or result.get(name, NOTHING) == NOTHING
        or (isinstance(result.get(name), bool) and kind is not bool)
    ]
    if wrong:
        raise Broken(answer, *wrong)


_NAMES: Final = {str: "a text", int: "a whole number", float: "a number", list: "a list", dict: "an object",
                 bool: "true or false", type(None): "null"}  # fmt: skip


def _told(kind: type | tuple[type, ...]) -> str:
    kinds = kind if isinstance(kind, tuple) else (kind,)
    return " or ".join(dict.fromkeys(_NAMES[each] for each in kinds if not (each is int and float in kinds)))


def objects(answer: Answer, name: str) -> list[dict[str, Any]]:
    """A list of objects of the result. Raises `NotJudged` or `Broken`: it holds something else."""
    listed = answer.given(name, list)
    for index, each in enumerate(listed):
        hold(answer, isinstance(each, dict), f"result.{name}[{index}]", "an object", each)
    return list(listed)


def confidences(answer: Answer, values: Iterable[tuple[str, Any]]) -> None:
    """Every one of the named values is in [0, 1]."""
    for name, value in values:
        hold(answer, ratio(value), f"result.{name}", "a number in [0, 1]", value)
