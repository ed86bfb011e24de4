"""The long form of a scenario: what its short forms mean, as a file that says the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import BaseModel

from tzzr_scenarios.language.faults import understood
from tzzr_scenarios.language.models import HealStep, InjectStep, Scenario, Step
from tzzr_scenarios.language.values import Part

Healed = frozenset[str]
"""The words by which `heal` steps name faults; the long form of such a fault has them as its ``id``."""


def long_form(scenario: Scenario) -> dict[str, Any]:
    """What the scenario says, as plain values: faults in their long form, durations in seconds, no defaults."""
    healed = frozenset(part.heal for part in _parts(scenario) if isinstance(part, HealStep))
    return _said(scenario, healed)


def _parts(part: Part) -> Iterator[Part]:
    yield part
    for name in part.model_fields_set:
        value = getattr(part, name)
        for each in value if isinstance(value, tuple) else [value]:
            if isinstance(each, Part):
                yield from _parts(each)


def _said(part: Part, healed: Healed) -> dict[str, Any]:
    said: dict[str, Any] = {}
    fields = type(part).model_fields
    for name in sorted(fields, key=Step.model_fields.__contains__):  # a step begins with its verb
        if name in part.model_fields_set:
            value, field = getattr(part, name), fields[name]
            is_fault = isinstance(part, InjectStep) and name == "inject"
            said[field.alias or name] = _fault(value, healed) if is_fault else _plain(value, name, healed)
    return said


def _plain(value: Any, name: str, healed: Healed) -> Any:
    if isinstance(value, Part):
        return _said(value, healed)
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", exclude_unset=True, by_alias=True)
    if name == "faults":
        return [_fault(fault, healed) for fault in value]
    if isinstance(value, Mapping):
        return {key: _plain(item, "", healed) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item, "", healed) for item in value]
    return value


def _fault(fault: str | Mapping[str, Any], healed: Healed) -> dict[str, Any]:
    rule = understood(fault)
    whole = rule.as_json()
    names = [name for name in (rule.text, rule.text.partition(":")[2].strip()) if name in healed]
    said = {"id": names[0]} if names else {}
    said |= {name: whole[name] for name in ("match", "effect", "schedule") if whole[name]}
    return said | ({"optional": True} if rule.optional else {})
