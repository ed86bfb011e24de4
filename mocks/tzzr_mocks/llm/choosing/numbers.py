"""Which number of a question belongs to which argument of a tool."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from tzzr_mocks.llm.choosing.kinds import Argument
from tzzr_mocks.llm.choosing.quantities import Quantity

_UNIT, _OTHER_UNIT = 0.2, 0.05
"""What it counts for that a number has the unit that an argument wants, or one that can be turned into it."""


def numbers(arguments: Sequence[Argument], scopes: Sequence[Sequence[Quantity]]) -> dict[str, float | int]:
    """A number for each argument that one fits, the best fitting first; no number is given twice.

    ``scopes`` are the numbers of one text after the other, the nearest first.
    """
    wanted = [one for one in arguments if one.kind == "number"]
    shared = Counter(each for one in wanted for each in one.stems)
    given: dict[str, float | int] = {}
    used: set[tuple[float, str]] = set()
    for found in scopes:
        for argument, one in _best_first(wanted, found, shared):
            value = _value(argument, one)
            if argument.name not in given and one.key not in used and _allowed(argument, value):
                given[argument.name] = int(value) if argument.whole else value
                used.add(one.key)
    return given


def _best_first(
    wanted: Sequence[Argument], found: Sequence[Quantity], shared: Mapping[str, int]
) -> list[tuple[Argument, Quantity]]:
    fits = [
        (_score(argument, one, _near(argument, one, shared)), -place, -index)
        for place, argument in enumerate(wanted)
        for index, one in enumerate(found)
    ]
    return [(wanted[-place], found[-index]) for score, place, index in sorted(fits, reverse=True) if score > 0]


def _near(argument: Argument, one: Quantity, shared: Mapping[str, int]) -> float:
    """How near the argument's words stand to a number; those of several arguments count for less."""
    return sum(weight / shared[each] for each, weight in one.closeness(argument.stems).items())


def _score(argument: Argument, one: Quantity, near: float) -> float:
    if argument.unit != "percent" and argument.monthly != one.monthly:
        return 0.0
    if argument.unit == one.unit or (argument.unit == "plain" and one.unit == "money"):
        counted = argument.whole and argument.unit == "plain" and near < 0.3
        return 0.0 if counted or not (near or argument.required) else near + _UNIT
    if {argument.unit, one.unit} == {"months", "years"}:
        return near + _OTHER_UNIT if argument.required else 0.0
    return near if one.unit == "plain" else 0.0


def _value(argument: Argument, one: Quantity) -> float:
    if argument.unit == "months" and one.unit == "years":
        return one.value * 12
    return one.value / 12 if argument.unit == "years" and one.unit == "months" else one.value


def _allowed(argument: Argument, value: float) -> bool:
    schema = argument.schema
    if argument.whole and value != int(value):
        return False
    if value < schema.get("minimum", value) or value > schema.get("maximum", value):
        return False
    return bool(value > schema["exclusiveMinimum"]) if "exclusiveMinimum" in schema else True


def unsaid(argument: Argument) -> float | int | None:
    """What a required number is that nobody named: nothing at all, where its schema starts at 0."""
    return 0 if argument.schema.get("minimum") == 0 else None
