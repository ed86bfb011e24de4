"""What demands something of a value's parts or joins other schemas: elements, properties, ``anyOf``, ``if``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any

from tzzr_scenarios.surface.inclusion.known import Document, Known, Part, Refusal, fits
from tzzr_scenarios.surface.inclusion.scalars import SCALARS


def refusals(old: Mapping[str, Any] | bool, new: Mapping[str, Any] | bool) -> list[Refusal]:
    """Where ``new`` may refuse a value that ``old`` takes; none when it takes every one of them.

    Raises:
        ValueError: a reference points out of its document.
    """
    parts = [Document(schema if isinstance(schema, Mapping) else {}).part(schema) for schema in (old, new)]
    found = _Comparison().refused(Known(parts[:1]), parts[1], "")
    return list(dict.fromkeys(found))


class _Comparison:
    """One comparison. What is being compared already is taken for granted: a value has an end."""

    def __init__(self) -> None:
        self._going_on: set[tuple[frozenset[str], str]] = set()

    def refused(self, old: Known, new: Part, where: str) -> list[Refusal]:
        """Where ``new`` may refuse a value of which ``old`` is known; ``where`` is the place of ``new``."""
        if new.schema is True or new.schema == {} or new.print in old.prints or old.impossible():
            return []
        pair = (old.prints, new.print)
        if pair in self._going_on:
            return []
        self._going_on.add(pair)
        try:
            parts = (part for part in new.flat if part.print not in old.prints)
            return [refusal for part in parts for refusal in self._part(old, part, where)]
        finally:
            self._going_on.discard(pair)

    def _part(self, old: Known, new: Part, where: str) -> Iterator[Refusal]:
        if new.schema is False:
            yield Refusal(where, "is refused now")
        elif (values := old.values) is not None:
            yield from (Refusal(where, f"{value!r} is refused now") for value in values if not new.takes(value))
        elif (branch := _alternatives(old)) is not None:
            for choice in branch.get("anyOf", branch.get("oneOf")):
                yield from self.refused(_chosen(old, branch, choice), new, where)
        else:
            yield from self._keywords(old, new, where)

    def _keywords(self, old: Known, new: Part, where: str) -> Iterator[Refusal]:
        for keyword in new.keywords:
            types, check = SCALARS.get(keyword, (None, None))
            if check is not None and (types is None or types & old.types):
                yield from check(old, new, where)
        if "object" in old.types:
            yield from self._properties(old, new, where)
        if "array" in old.types:
            yield from self._items(old, new, where)
        yield from self._joined(old, new, where)

    def _properties(self, old: Known, new: Part, where: str) -> Iterator[Refusal]:
        own, patterns = new.get("properties", {}), new.get("patternProperties", {})
        for name, schema in own.items():
            yield from self.refused(old.at(name), new.of(schema), f"{where}/properties/{name}")
        for pattern, schema in patterns.items():
            at = f"{where}/patternProperties/{pattern}"
            for name in (name for name in old.listed if fits(pattern, name)):
                yield from self.refused(old.at(name), new.of(schema), at)
            yield from self.refused(old.elsewhere((), pattern), new.of(schema), at)
        if "additionalProperties" in new.keywords:
            yield from self._others(old, new, where)
        if "propertyNames" in new.keywords:
            names = Known(
                [*(part.of(part.get("propertyNames", True)) for part in old.parts), new.of({"type": "string"})]
            )
            yield from self.refused(names, new.of(new.schema["propertyNames"]), f"{where}/propertyNames")

    def _others(self, old: Known, new: Part, where: str) -> Iterator[Refusal]:
        own, patterns = new.get("properties", {}), new.get("patternProperties", {})
        schema = new.of(new.schema["additionalProperties"])
        for name in old.listed:
            if name not in own and not any(fits(pattern, name) for pattern in patterns):
                yield from self.refused(old.at(name), schema, f"{where}/properties/{name}")
        yield from self.refused(old.elsewhere(list(patterns)), schema, f"{where}/additionalProperties")

    def _items(self, old: Known, new: Part, where: str) -> Iterator[Refusal]:
        first = new.get("prefixItems", ())
        most = min(old.said("maxItems"), default=None)
        for index, schema in enumerate(first):
            if most is None or index < most:
                yield from self.refused(old.item(index), new.of(schema), f"{where}/prefixItems/{index}")
        if "items" not in new.keywords:
            return
        known = max(map(len, old.said("prefixItems")), default=0)
        for place in [*range(len(first), known), None]:
            if most is None or (len(first) if place is None else place) < most:
                yield from self.refused(old.item(place), new.of(new.schema["items"]), f"{where}/items")

    def _joined(self, old: Known, new: Part, where: str) -> Iterator[Refusal]:
        for keyword in ("anyOf", "oneOf"):
            if keyword in new.keywords:
                yield from self._any(keyword, old, new, where)
        if "not" in new.keywords:
            yield from self._not(old, new, where)
        if "if" in new.keywords:
            yield from self._if(old, new, where)

    def _any(self, keyword: str, old: Known, new: Part, where: str) -> Iterator[Refusal]:
        branches = [new.of(schema) for schema in new.schema[keyword]]
        if keyword == "oneOf" and any(not old.also(*pair).impossible() for pair in combinations(branches, 2)):
            yield Refusal(f"{where}/oneOf", "may fit two of the alternatives")
            return
        for kind in sorted(old.types):
            one = old.also(new.of({"type": "number" if kind == "fraction" else kind}))
            if not any(not self.refused(one, branch, where) for branch in branches):
                closest = min((self.refused(one, branch, where) for branch in branches), key=len)
                yield from closest if len(old.types) == 1 else [Refusal(f"{where}/{keyword}", f"fits none as {kind}")]

    def _not(self, old: Known, new: Part, where: str) -> Iterator[Refusal]:
        refused = new.of(new.schema["not"])
        before = [part.of(part.schema["not"]) for part in old.parts if "not" in part.keywords]
        if not old.also(refused).impossible() and all(self.refused(Known([refused]), each, where) for each in before):
            yield Refusal(f"{where}/not", "refuses what it did not refuse")

    def _if(self, old: Known, new: Part, where: str) -> Iterator[Refusal]:
        asked = new.of(new.schema["if"])
        cases = (("then", old.also(asked)), ("else", old.also(new.of({"not": asked.schema}))))
        for keyword, known in cases:
            if keyword not in new.keywords:
                continue
            for rules in (self._equal_rules(old, asked), self._rules(old, known, asked, keyword)):
                promised = known.also(*(rule.of(rule.get(keyword, True)) for rule in rules))
                refused = self.refused(promised, new.of(new.schema[keyword]), f"{where}/{keyword}")
                if not refused:
                    break
            yield from refused

    def _equal_rules(self, old: Known, asked: Part) -> list[Part]:
        return [part for part in old.parts if "if" in part.keywords and part.of(part.schema["if"]).print == asked.print]

    def _rules(self, old: Known, known: Known, asked: Part, keyword: str) -> Iterator[Part]:
        """Every rule of old whose ``keyword`` holds too whenever the new rule's does."""
        for rule in (part for part in old.parts if "if" in part.keywords):
            own = rule.of(rule.schema["if"])
            missed = self.refused(known, own, "") if keyword == "then" else self.refused(Known([own]), asked, "")
            if not missed:
                yield rule


def _alternatives(old: Known) -> Part | None:
    return next((part for part in old.parts if {"anyOf", "oneOf"} & part.keywords.keys()), None)


def _chosen(old: Known, branch: Part, choice: Any) -> Known:
    """What is known once one of a part's alternatives is taken."""
    keyword = "anyOf" if "anyOf" in branch.keywords else "oneOf"
    rest = branch.of({name: value for name, value in branch.schema.items() if name != keyword})
    return Known([*(part for part in old.parts if part is not branch), rest, branch.of(choice)])
