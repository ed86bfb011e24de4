"""What demands something of a value itself: its type, its bounds, its length, its form."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from typing import Any

from tzzr_scenarios.surface.inclusion.known import Known, Part, Refusal, types_of

Check = Callable[[Known, Part, str], Iterator[Refusal]]
"""Where a keyword of the part refuses what is known of a value."""


def _type(old: Known, new: Part, where: str) -> Iterator[Refusal]:
    if lost := old.types - types_of(new.schema["type"]):
        yield Refusal(f"{where}/type", f"takes no {' or '.join(sorted(lost))} any more")


def _listed(keyword: str, old: Known, new: Part, where: str) -> Iterator[Refusal]:
    # What was listed before is judged value by value, and never comes here.
    yield Refusal(f"{where}/{keyword}", f"takes nothing but {new.schema[keyword]!r} any more")


def _at_least(keyword: str, old: Known, new: Part, where: str) -> Iterator[Refusal]:
    least = new.schema[keyword]
    known = [(limit, 1) for limit in old.said("exclusiveMinimum")] + [(limit, 0) for limit in old.said("minimum")]
    if not known or max(known) < (least, int(keyword == "exclusiveMinimum")):
        yield Refusal(f"{where}/{keyword}", f"{keyword} is {least}{_was(old, keyword)}")


def _at_most(keyword: str, old: Known, new: Part, where: str) -> Iterator[Refusal]:
    most = new.schema[keyword]
    known = [(limit, -1) for limit in old.said("exclusiveMaximum")] + [(limit, 0) for limit in old.said("maximum")]
    if not known or min(known) > (most, -int(keyword == "exclusiveMaximum")):
        yield Refusal(f"{where}/{keyword}", f"{keyword} is {most}{_was(old, keyword)}")


def _count(keyword: str, old: Known, new: Part, where: str) -> Iterator[Refusal]:
    limit, known = new.schema[keyword], old.said(keyword)
    if keyword == "minProperties":
        known.append(len({name for names in old.said("required") for name in names}))
    enough = any(each >= limit for each in [*known, 0]) if keyword.startswith("min") else any(e <= limit for e in known)
    if not enough:
        yield Refusal(f"{where}/{keyword}", f"{keyword} is {limit}{_was(old, keyword)}")


def _multiple(old: Known, new: Part, where: str) -> Iterator[Refusal]:
    step = Fraction(str(new.schema["multipleOf"]))
    known = [*old.said("multipleOf"), *([] if "fraction" in old.types else [1])]
    if not any((Fraction(str(each)) / step).denominator == 1 for each in known):
        yield Refusal(f"{where}/multipleOf", f"multipleOf is {new.schema['multipleOf']}{_was(old, 'multipleOf')}")


def _unique(old: Known, new: Part, where: str) -> Iterator[Refusal]:
    if new.schema["uniqueItems"] and True not in old.said("uniqueItems") and all(n > 1 for n in old.said("maxItems")):
        yield Refusal(f"{where}/uniqueItems", "takes no list with two equal elements any more")


def _required(old: Known, new: Part, where: str) -> Iterator[Refusal]:
    known = {name for names in old.said("required") for name in names}
    for name in new.schema["required"]:
        if name not in known:
            yield Refusal(f"{where}/required/{name}", f"{name!r} is required now")


def _the_same(keyword: str, old: Known, new: Part, where: str) -> Iterator[Refusal]:
    if new.schema[keyword] not in old.said(keyword):
        yield Refusal(f"{where}/{keyword}", f"{keyword} is {new.schema[keyword]!r}{_was(old, keyword)}")


def _unseen(keyword: str, old: Known, new: Part, where: str) -> Iterator[Refusal]:
    yield Refusal(f"{where}/{keyword}", f"what {keyword} refuses is beyond this comparison")


def _was(old: Known, keyword: str) -> str:
    said: list[Any] = old.said(keyword)
    return f", was {said[0]!r}" if said else ", was not limited"


_NUMBER, _WHOLE = {"integer", "fraction"}, {"object"}

SCALARS: dict[str, tuple[set[str] | None, Check]] = {
    "type": (None, _type),
    "enum": (None, partial(_listed, "enum")),
    "const": (None, partial(_listed, "const")),
    "minimum": (_NUMBER, partial(_at_least, "minimum")),
    "exclusiveMinimum": (_NUMBER, partial(_at_least, "exclusiveMinimum")),
    "maximum": (_NUMBER, partial(_at_most, "maximum")),
    "exclusiveMaximum": (_NUMBER, partial(_at_most, "exclusiveMaximum")),
    "multipleOf": (_NUMBER, _multiple),
    "minLength": ({"string"}, partial(_count, "minLength")),
    "maxLength": ({"string"}, partial(_count, "maxLength")),
    "pattern": ({"string"}, partial(_the_same, "pattern")),
    "format": (None, partial(_the_same, "format")),
    "contentEncoding": ({"string"}, partial(_the_same, "contentEncoding")),
    "contentMediaType": ({"string"}, partial(_the_same, "contentMediaType")),
    "minItems": ({"array"}, partial(_count, "minItems")),
    "maxItems": ({"array"}, partial(_count, "maxItems")),
    "uniqueItems": ({"array"}, _unique),
    "required": (_WHOLE, _required),
    "minProperties": (_WHOLE, partial(_count, "minProperties")),
    "maxProperties": (_WHOLE, partial(_count, "maxProperties")),
    "dependentRequired": (_WHOLE, partial(_the_same, "dependentRequired")),
    **{
        keyword: (None, partial(_unseen, keyword))
        for keyword in (
            "contains", "minContains", "maxContains", "unevaluatedItems", "unevaluatedProperties", "dependentSchemas",
            "dependencies", "additionalItems", "$dynamicRef",
        )
    },
}  # fmt: skip
"""Each keyword's check, and the types of values that it speaks about (None: all)."""
