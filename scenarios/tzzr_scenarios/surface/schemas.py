"""What a change of a JSON Schema means, which goes by who sends the values and who reads them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from tzzr_scenarios.surface.changes import Change, Weight, quoted
from tzzr_scenarios.surface.inclusion import Refusal, refusals

WORDS: Final = ("title", "description", "examples", "$comment", "deprecated")
"""Keywords that are read, by people and models, and refuse nothing."""

_NAMED: Final = ("properties", "patternProperties", "$defs")
"""Keywords whose keys are names, not keywords."""


@dataclass(frozen=True)
class SchemaFacet:
    """A schema of what others send (``taken``) or of what they read.

    To take less breaks, to take more adds. To give what was not given before breaks, to give less adds. A default of
    what is taken decides for whoever leaves a value out, so another one breaks.
    """

    taken: bool

    def changes(self, old: Any, new: Any, where: str) -> Iterator[Change]:
        """What is refused that was taken, what is taken that was refused, other texts and defaults."""
        if old == new:
            return
        if old is None or new is None:
            yield _unbound(old, new, where)
            return
        lost, gained = refusals(old, new), refusals(new, old)
        narrow, wide = (Weight.BREAKING, Weight.ADDITIVE) if self.taken else (Weight.ADDITIVE, Weight.BREAKING)
        narrowed = [_less(narrow, where, each, old, new) for each in lost]
        widened = [_more(wide, where, each, old, new) for each in gained]
        found = _heaviest([*narrowed, *widened])
        words = list(_words(old, new, where, self.taken))
        yield from [*found, *words]
        if not found and not words and json.dumps(old, sort_keys=True) != json.dumps(new, sort_keys=True):
            yield Change(Weight.WORDING, where, "says the same in other words", old, new)


@dataclass(frozen=True)
class Published(SchemaFacet):
    """A schema with an ``$id`` that others have a copy of: what breaks must come under another ``$id``."""

    mend: str = ""

    def changes(self, old: Any, new: Any, where: str) -> Iterator[Change]:
        """The same, and one demand where what breaks keeps its ``$id``."""
        heaviest = Weight.WORDING
        for change in super().changes(old, new, where):
            heaviest = max(heaviest, change.weight)
            yield change
        if heaviest is Weight.BREAKING and old.get("$id") == new.get("$id"):
            told = "the schema breaks under the $id that others hold it by"
            yield Change(Weight.BREAKING, f"{where}/$id", told, old.get("$id"), new.get("$id"), self.mend)


def _unbound(old: Any, new: Any, where: str) -> Change:
    """A schema that came or went: what has none may be anything."""
    told = "has a schema now" if old is None else "has no schema any more"
    return Change(Weight.ADDITIVE if old is None else Weight.BREAKING, where, told, old, new)


def _less(weight: Weight, where: str, refusal: Refusal, old: Any, new: Any) -> Change:
    told = f"takes less: {refusal.told}"
    return Change(weight, where + refusal.where, told, _at(old, refusal.where), _at(new, refusal.where))


def _more(weight: Weight, where: str, refusal: Refusal, old: Any, new: Any) -> Change:
    """The comparison went the other way, so that what it says is demanded is what was demanded."""
    if refusal.told.endswith("is refused now"):
        told = refusal.told.replace("is refused now", "is taken now")
    else:
        told = f"takes more; before: {refusal.told.removesuffix(' now')}"
    return Change(weight, where + refusal.where, told, _at(old, refusal.where), _at(new, refusal.where))


def _heaviest(found: list[Change]) -> list[Change]:
    """One change for each place: what is replaced is refused on both sides."""
    by_place: dict[str, Change] = {}
    for change in sorted(found, key=lambda change: -change.weight):
        by_place.setdefault(change.where, change)
    return list(by_place.values())


def _at(schema: Any, pointer: str) -> Any:
    """What stands at a place of a schema; None where a reference leads there, or nothing does."""
    for step in pointer.split("/")[1:]:
        if isinstance(schema, Mapping) and step in schema:
            schema = schema[step]
        elif isinstance(schema, list) and step.isdigit() and int(step) < len(schema):
            schema = schema[int(step)]
        else:
            return None
    return schema


def _words(old: Any, new: Any, where: str, taken: bool) -> Iterator[Change]:
    """Texts and defaults that differ wherever both schemas have the same place."""
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for index, (before, after) in enumerate(zip(old, new, strict=True)):
            yield from _words(before, after, f"{where}/{index}", taken)
    if not isinstance(old, Mapping) or not isinstance(new, Mapping):
        return
    for name in [*WORDS, "default"]:
        yield from _word(name, old, new, where, taken)
    for name in old.keys() & new.keys() - {*WORDS, "default", "enum", "const", *_NAMED}:
        yield from _words(old[name], new[name], f"{where}/{name}", taken)
    for named in _NAMED:
        before, after = old.get(named, {}), new.get(named, {})
        for name in before.keys() & after.keys():
            yield from _words(before[name], after[name], f"{where}/{named}/{quoted(name)}", taken)


def _word(name: str, old: Mapping[str, Any], new: Mapping[str, Any], where: str, taken: bool) -> Iterator[Change]:
    before, after = old.get(name), new.get(name)
    if json.dumps(_given(before), sort_keys=True) == json.dumps(_given(after), sort_keys=True):
        return
    decides = name == "default" and taken and name in old and name in new
    told = "decides otherwise for whoever leaves it out" if decides else "changed"
    yield Change(Weight.BREAKING if decides else Weight.WORDING, f"{where}/{name}", told, before, after)


def _given(value: Any) -> Any:
    """A default without the fields that say nothing: one more of them decides nothing."""
    if isinstance(value, Mapping):
        return {name: _given(each) for name, each in value.items() if each is not None}
    return [_given(each) for each in value] if isinstance(value, list) else value
