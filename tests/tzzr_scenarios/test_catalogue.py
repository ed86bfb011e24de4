"""The built-in scenarios as a whole: each passes in both eras, and together they leave nothing out."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.tzzr_scenarios.planted import STYLES, plant
from tzzr_mocks.control import KINDS, FaultPlan
from tzzr_mocks.world import World
from tzzr_scenarios import coverage, files, runner
from tzzr_scenarios.language import schema
from tzzr_scenarios.language.load import ScenarioFile, load_all, load_each
from tzzr_scenarios.language.models import (
    CallStep,
    CancelStep,
    InjectStep,
    ListStep,
    PromptStep,
    ReadStep,
    Step,
    all_steps,
)
from tzzr_scenarios.stage import ERAS, Era, Offered, offered

FOUND = files.find([])
THEMES = {
    "archivos",
    "chat",
    "context",
    "grace",
    "hst",
    "paralelo",
    "prompts",
    "protocolo",
    "seguridad",
    "sistema",
    "tiempo",
}


@cache
def catalogue() -> Sequence[ScenarioFile]:
    return load_all(FOUND)


def every_step() -> Iterator[Step]:
    for file in catalogue():
        yield from all_steps(file.scenario.steps)


OLDER = ERAS[1]


def tried() -> Iterator[Any]:
    """Every file in both eras. The default run takes each eighth in the older one: ``tzzr run`` plays the newest."""
    for number, (path, name) in enumerate(FOUND):
        for era in ERAS:
            drawn = era == OLDER and number % 8 == 0
            yield pytest.param(path, name, era, marks=() if drawn else pytest.mark.slow, id=f"{name} {era}")


@pytest.mark.parametrize(("path", "name", "era"), list(tried()))
def test_a_built_in_scenario_passes_in_both_eras_and_leaks_no_secret(
    path: Path, name: str, era: Era, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    planted = plant(monkeypatch, STYLES[len(name) % len(STYLES)])
    for file in load_each(path, name):
        result = runner.run_one(file, runner.Settings(era=era))
        told = [f"{each.path}: {each.expected} / {each.got}" for step in result.steps for each in step.differences]
        told += [f"{each.path}: {each.expected} / {each.got}" for each in result.differences]
        assert result.verdict == "passed", "\n".join([result.problem, *told])
        assert planted.leaks(result, tmp_path) == []


def test_there_are_scenarios_of_every_theme_and_at_least_150() -> None:
    themes = Counter(Path(name).parts[0] for _, name in FOUND)
    assert set(themes) >= THEMES
    assert sum(themes.values()) >= 150


def test_no_two_titles_are_the_same_and_each_is_a_sentence() -> None:
    titles = Counter(title for _, title in {(file.name, file.scenario.scenario) for file in catalogue()})
    assert [title for title, count in titles.items() if count > 1] == []
    assert [title for title in titles if not title[0].isupper() or title.endswith(".") or len(title.split()) < 5] == []


@pytest.mark.parametrize(("path", "name"), FOUND, ids=[name for _, name in FOUND])
def test_the_first_line_leads_editors_to_the_schema(path: Path, name: str) -> None:
    relative = os.path.relpath(schema.PATH, path.parent)
    assert path.read_text(encoding="utf-8").splitlines()[0] == f"# yaml-language-server: $schema={relative}"


async def test_every_tool_resource_template_and_prompt_appears() -> None:
    known = await offered()
    steps = list(every_step())
    called = {step.call for step in steps if isinstance(step, CallStep)}
    got = {step.prompt for step in steps if isinstance(step, PromptStep)}
    assert set(known.tools) - called == set()
    assert set(known.prompts) - got == set()
    assert resources_left(known, {step.read for step in steps if isinstance(step, ReadStep)}) == []
    assert {step.list for step in steps if isinstance(step, ListStep)} == {"tools", "resources", "templates", "prompts"}
    assert any(isinstance(step, CancelStep) for step in steps)


def resources_left(known: Offered, read: set[str]) -> list[str]:
    """The resources and templates that no URI belongs to."""
    return [each for each in known.resources if not any(belongs(uri, each) for uri in read)]


def belongs(uri: str, resource: str) -> bool:
    head, brace, _ = resource.partition("{")
    return uri.startswith(head) and len(uri) > len(head) if brace else uri == resource


async def test_every_fault_that_a_tool_call_can_meet_appears() -> None:
    reachable = {kind for kinds in coverage.reachable(await offered()).values() for kind in kinds}
    assert sorted(reachable - planned()) == []
    assert reachable < set(KINDS)


def test_every_fault_of_the_model_appears() -> None:
    of_the_model = {name for name, kind in KINDS.items() if kind.services == {"llm"}}
    assert len(of_the_model) >= 14
    assert sorted(of_the_model - planned()) == []


def planned() -> set[str]:
    """The kinds of all faults that the catalogue plans, there from the start or injected later."""
    specs = [fault for file in catalogue() for fault in file.scenario.given.faults]
    specs += [step.inject for step in every_step() if isinstance(step, InjectStep)]
    plan = a_plan()
    return {plan().add(spec).fault.kind for spec in specs}


def a_plan() -> Callable[[], FaultPlan]:
    surfaces = World().plan.surfaces

    def make() -> FaultPlan:
        plan = FaultPlan()
        for service, surface in surfaces.items():
            plan.know(service, surface)
        return plan

    return make
