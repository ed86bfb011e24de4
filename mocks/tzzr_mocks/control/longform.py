"""The long form of a rule: a mapping of ``match``, ``effect`` and ``schedule``, as scenario files and HTTP give it.

``{match: {service: grace, module: OCR_LOCAL}, effect: {kind: module_down}, schedule: {first: 2}, optional: false}``
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, TypeVar

from tzzr_mocks.control.attributes import converted
from tzzr_mocks.control.errors import PlanError, unknown
from tzzr_mocks.control.fault import Fault, kind_named
from tzzr_mocks.control.match import Match
from tzzr_mocks.control.rule import FaultRule
from tzzr_mocks.control.schedule import Schedule
from tzzr_mocks.control.surface import Surface

_PARTS = ("match", "effect", "schedule", "optional", "id", "sentence")

T = TypeVar("T", Match, Schedule)


def from_mapping(rule: Mapping[str, Any], surfaces: Mapping[str, Surface]) -> FaultRule:
    """The rule that a long form says; what `FaultRule.as_json` made comes back equal.

    Raises:
        PlanError: a key or value is not known, with the nearest one that is.
    """
    for name in rule:
        if name not in _PARTS:
            raise unknown("part of a fault rule", str(name), _PARTS)
    match = _built(Match, "match", rule.get("match"))
    if match.service not in surfaces:
        raise unknown("service", str(match.service), surfaces)
    fault = make_fault(rule.get("effect"), str(match.service))
    schedule = _built(Schedule, "schedule", rule.get("schedule"))
    return FaultRule(match, fault, schedule, optional=bool(rule.get("optional", False)), id=str(rule.get("id", "")))


def make_fault(effect: Any, service: str) -> Fault:
    """The fault that ``{kind: …, attribute: …}`` says.

    Raises:
        PlanError: kind, attribute or value are not known.
    """
    if isinstance(effect, str):
        effect = {"kind": effect}
    if not isinstance(effect, Mapping) or "kind" not in effect:
        raise PlanError(f"effect must be a mapping with a kind, not {effect!r}")
    attributes = {name: value for name, value in effect.items() if name != "kind"}
    return build_fault(kind_named(str(effect["kind"]), service), attributes)


def build_fault(kind: type[Fault], attributes: Mapping[str, Any]) -> Fault:
    """A fault of this kind with these attributes.

    Raises:
        PlanError: an attribute is not the kind's, is missing, or has a value that the kind refuses.
    """
    values = {name: converted(kind, name, value) for name, value in attributes.items()}
    for part in dataclasses.fields(kind):
        if part.name not in values and part.default is part.default_factory is dataclasses.MISSING:
            raise PlanError(f"fault {kind.kind!r} needs {part.name!r}: write {part.name}=…")
    try:
        return kind(**values)
    except PlanError:
        raise
    except ValueError as error:
        raise PlanError(f"fault {kind.kind!r}: {error}") from error


def _built(owner: type[T], what: str, value: Any) -> T:
    if value is None:
        value = {}
    if not isinstance(value, Mapping):
        raise PlanError(f"{what} must be a mapping, not {value!r}")
    return owner(**{str(name): converted(owner, str(name), part, what) for name, part in value.items()})
