"""Every form of the language stands in at least one built-in scenario: what nobody uses is not worth its line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import pytest

from tzzr_scenarios import files
from tzzr_scenarios.language.load import ScenarioFile, load_all
from tzzr_scenarios.language.models import (
    VERBS,
    After,
    CaseFile,
    Expect,
    Given,
    LaidFile,
    Scenario,
    Seen,
    SourceExpect,
    Step,
)
from tzzr_scenarios.language.values import Part
from tzzr_scenarios.matchers import OPERATORS

UNUSED: Mapping[str, str] = {
    "Scenario.waives": "no built-in scenario forgives anything",
    "Seen.PATCH": "the server writes nothing into any service",
    "Seen.DELETE": "the server deletes nothing in any service",
    "Seen.SEARCH": "the server's queries are short enough for GET",
}
"""What no scenario needs, each with the reason."""
MODELS = (Scenario, Given, LaidFile, CaseFile, Step, Expect, SourceExpect, Seen, After, *VERBS.values())


@cache
def catalogue() -> tuple[ScenarioFile, ...]:
    return tuple(load_all(files.find([])))


def parts(value: Any) -> Iterator[Part]:
    """Every part within a value."""
    if isinstance(value, Part):
        yield value
        for name in value.model_fields_set:
            yield from parts(getattr(value, name))
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from parts(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from parts(each)


@cache
def said() -> frozenset[str]:
    """``Model.field`` of whatever any scenario says."""
    found = {
        f"{owner.__name__}.{name}"
        for file in catalogue()
        for part in parts(file.scenario)
        for owner in type(part).__mro__
        for name in part.model_fields_set & getattr(owner, "model_fields", {}).keys()
    }
    raw = [file.document.value for file in catalogue()]
    found |= {"Given.include" for value in raw if "include" in value.get("given", {})}
    cases = [value["cases"] for value in raw if "cases" in value]
    found |= {"Scenario.cases" for _ in cases}
    found |= {f"CaseFile.{name}" for each in cases if isinstance(each, dict) for name in each}
    return frozenset(found)


def keys(value: Any) -> Iterator[str]:
    """Every key within a value."""
    if isinstance(value, Mapping):
        yield from value
        for each in value.values():
            yield from keys(each)
    elif isinstance(value, list):
        for each in value:
            yield from keys(each)


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_every_key_of_the_language_is_in_use(model: type[Part]) -> None:
    inherited = Step.model_fields.keys() if model is not Step else set()
    own = {name: field for name, field in model.model_fields.items() if name not in inherited}
    wanted = {f"{model.__name__}.{each.alias or name if model is CaseFile else name}" for name, each in own.items()}
    assert sorted(wanted - said() - UNUSED.keys()) == []


def test_nothing_is_called_unused_that_is_in_use() -> None:
    assert sorted(UNUSED.keys() & said()) == []


@pytest.mark.parametrize("name", sorted(OPERATORS))
def test_every_operator_is_in_use(name: str) -> None:
    assert any(name in keys(file.document.value.get("steps")) for file in catalogue())
