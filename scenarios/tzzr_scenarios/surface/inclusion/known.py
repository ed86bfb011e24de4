"""What is known of a value: the schemas that it satisfies, all of them at once."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from jsonschema import Draft202012Validator

TYPES: Final = frozenset({"null", "boolean", "object", "array", "string", "integer", "fraction"})
"""JSON's types, with numbers split into whole ones (3.0 is one) and others."""

_NEVER: Final[tuple[Any, ...]] = (False, {"not": {}}, {"not": True})
_DEEP: Final = 12
"""How far down an impossible value is looked for; a recursive schema has no end."""


@dataclass(frozen=True)
class Refusal:
    """Where values are refused that were taken before: a JSON Pointer, and in words what is demanded now."""

    where: str
    told: str


class Document:
    """What the references of a schema point into; each of its schemas becomes one `Part`, however often it is met."""

    def __init__(self, root: Mapping[str, Any]) -> None:
        self.root = root
        self.validator = Draft202012Validator(dict(root))
        self._parts: dict[int, Part] = {}

    def part(self, schema: Any) -> Part:
        """The part for one of its schemas, or for one that may refer to them."""
        # A part keeps its schema, so that no other one can take its id.
        return (
            self._parts.setdefault(id(schema), Part(schema, self)) if isinstance(schema, dict) else Part(schema, self)
        )


@dataclass(frozen=True)
class Part:
    """A schema, and the document that its references point into."""

    schema: Any
    document: Document = field(repr=False)

    @cached_property
    def print(self) -> str:
        """A text that two schemas share when they say the same, with what they refer to."""
        reached: dict[str, Any] = {}
        own = {name: value for name, value in self.schema.items() if name != "$defs"} if self.keywords else self.schema
        waiting = [own]
        while waiting:
            for ref in sorted(_references(waiting.pop())):
                if ref not in reached:
                    reached[ref] = _target(ref, self.document.root)
                    waiting.append(reached[ref])
        return json.dumps([own, reached], sort_keys=True)

    @cached_property
    def keywords(self) -> Mapping[str, Any]:
        """The schema's keywords; none of ``true`` and ``false``."""
        return self.schema if isinstance(self.schema, Mapping) else {}

    def of(self, schema: Any) -> Part:
        """Another schema of the same document."""
        return self.document.part(schema)

    def get(self, keyword: str, default: Any = None) -> Any:
        """What a keyword says; ``default`` where it is not there."""
        return self.keywords.get(keyword, default)

    def takes(self, value: Any) -> bool:
        """Whether the value is valid."""
        return bool(self._validator.is_valid(value))

    @cached_property
    def _validator(self) -> Any:
        return self.document.validator.evolve(schema=self.schema)

    @cached_property
    def flat(self) -> tuple[Part, ...]:
        """The same in parts that hold neither ``$ref`` nor ``allOf``."""
        if not {"$ref", "allOf"} & self.keywords.keys():
            return (self,)
        rest = {name: value for name, value in self.schema.items() if name not in ("$ref", "allOf")}
        target = [_target(self.schema["$ref"], self.document.root)] if "$ref" in self.schema else []
        inner = [*([rest] if rest else []), *self.get("allOf", ()), *target]
        return tuple(part for schema in inner for part in self.of(schema).flat)


class Known:
    """A value about which every one of ``parts`` is true."""

    def __init__(self, parts: Iterable[Part]) -> None:
        unique = {part.print: part for given in parts for part in (given, *given.flat)}
        self.prints = frozenset(unique)
        self.parts = [part for part in unique.values() if part.schema not in (True, {}) and part.flat == (part,)]

    def also(self, *parts: Part) -> Known:
        """The same value, of which more is known."""
        return Known([*self.parts, *parts])

    def said(self, keyword: str) -> list[Any]:
        """What the parts say under a keyword."""
        return [part.schema[keyword] for part in self.parts if keyword in part.keywords]

    @cached_property
    def types(self) -> frozenset[str]:
        """Every type that the value may have."""
        types = TYPES
        for named in self.said("type"):
            types &= types_of(named)
        return types

    @cached_property
    def values(self) -> list[Any] | None:
        """Every value that it may be; None when they are not listed."""
        listed = [*self.said("enum"), *([value] for value in self.said("const"))]
        if not listed:
            return None
        return [value for value in listed[0] if all(part.takes(value) for part in self.parts)]

    def impossible(self, deep: int = _DEEP) -> bool:
        """Whether there is certainly no such value."""
        if any(part.schema in _NEVER for part in self.parts) or self.values == [] or not self.types:
            return True
        if deep == 0 or self.types != {"object"}:
            return False
        return any(self.at(name).impossible(deep - 1) for names in self.said("required") for name in names)

    def at(self, name: str) -> Known:
        """The property ``name`` of the value, where it has one."""
        return Known(part.of(schema) for part in self.parts for schema in _property(part, name))

    def elsewhere(self, patterns: Sequence[str], pattern: str | None = None) -> Known:
        """A property that no part lists, and that fits ``pattern``; without one, that fits none of ``patterns``."""
        known = []
        for part in self.parts:
            own = part.get("patternProperties", {})
            if pattern in own:
                known.append(part.of(own[pattern]))
            elif (pattern is None and set(own) <= set(patterns)) or not own:
                known.append(part.of(part.get("additionalProperties", True)))
        return Known(known)

    def item(self, index: int | None) -> Known:
        """The element at ``index`` of the value; None for one behind all that are listed one by one."""
        known = []
        for part in self.parts:
            first = part.get("prefixItems", ())
            at = index is not None and index < len(first)
            known.append(part.of(first[index] if at else part.get("items", True)))
        return Known(known)

    @property
    def listed(self) -> list[str]:
        """Every property that a part lists."""
        return list(dict.fromkeys(name for names in self.said("properties") for name in names))


def types_of(named: str | Sequence[str]) -> frozenset[str]:
    """The types that a schema's ``type`` names."""
    names = {named} if isinstance(named, str) else set(named)
    return frozenset(names - {"number"} | ({"integer", "fraction"} if "number" in names else set()))


def fits(pattern: str, name: str) -> bool:
    """Whether a property's name fits a pattern."""
    return re.search(pattern, name) is not None


def _property(part: Part, name: str) -> Iterator[Any]:
    own = part.get("properties", {})
    fitting = [schema for pattern, schema in part.get("patternProperties", {}).items() if fits(pattern, name)]
    if name in own:
        yield own[name]
    yield from fitting
    if name not in own and not fitting:
        yield part.get("additionalProperties", True)


def _references(value: Any) -> set[str]:
    if isinstance(value, Mapping):
        own = {value["$ref"]} if isinstance(value.get("$ref"), str) else set()
        return own.union(*map(_references, value.values()))
    return set[str]().union(*map(_references, value)) if isinstance(value, list) else set()


def _target(ref: str, root: Mapping[str, Any]) -> Any:
    if not ref.startswith("#"):
        raise ValueError(f"{ref!r} points outside of its document; put what it means under $defs")
    found: Any = root
    for step in ref[1:].strip("/").split("/") if ref != "#" else ():
        found = found[step.replace("~1", "/").replace("~0", "~")]
    return found
