"""What RunPod was seen to do wrong (runpod.md §13): of each kind that can reach the server, a scenario tells what the user sees."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.tzzr_mocks.grace.test_faults import ROWS
from tests.tzzr_scenarios.test_catalogue import a_plan
from tzzr_scenarios import coverage, files
from tzzr_scenarios.language.load import ScenarioFile, load_all
from tzzr_scenarios.language.models import CallStep, InjectStep, all_steps
from tzzr_scenarios.stage import offered

KINDS = sorted({kind for row in ROWS.values() for kind in row.split()})

OUT_OF_REACH = {
    "runsync_outlasts_wait": "the server submits with /run, so that a job has an id from the first moment",
    "wait_out_of_range": "the only `wait` that the server sends is the least that is allowed",
    "stream_cut_60s": "the server neither uses the /openai route nor asks for an answer that takes a minute",
    "webhook_duplicate": "the server asks for no webhook",
    "webhook_slow_receiver": "the server asks for no webhook",
    "webhook_missing_on_failure": "the server asks for no webhook",
    "webhook_bare_body": "the server asks for no webhook",
}
"""The kinds that cannot reach the server, and why."""

CUT_SOONER = {"stream_cut_60s"}
"""Tried all the same, after a tenth of a second: any answer can be cut then."""

WITHOUT_A_KIND = {"clave-mala", "endpoint-equivocado", "client-refused-1010"}
"""Scenarios beside those of §13: a wrong setting needs no fault, and 1010 is a row of §10."""


@cache
def planned_by() -> dict[str, list[ScenarioFile]]:
    """Each kind of fault and the scenarios that plan it, from the start or later."""
    plan = a_plan()
    found: dict[str, list[ScenarioFile]] = {}
    for file in load_all(files.find([])):
        later = [step.inject for step in all_steps(file.scenario.steps) if isinstance(step, InjectStep)]
        for spec in [*file.scenario.given.faults, *later]:
            found.setdefault(plan().add(spec).fault.kind, []).append(file)
    return found


def seen_by_the_user(file: ScenarioFile) -> Iterator[str]:
    """What a scenario expects a call to give: data, a text, or an error."""
    for step in all_steps(file.scenario.steps):
        if isinstance(step, CallStep) and step.expect is not None:
            yield from {"data", "text", "error"} & step.expect.model_fields_set


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in OUT_OF_REACH])
def test_a_scenario_tells_what_the_user_sees_of_a_fault(kind: str) -> None:
    telling = [file for file in planned_by().get(kind, []) if [*seen_by_the_user(file)]]

    assert telling, f"no scenario with {kind} says what a call gives"


def test_what_cannot_reach_the_server_is_one_of_the_kinds_and_in_no_scenario() -> None:
    assert set(OUT_OF_REACH) <= set(KINDS)
    assert set(OUT_OF_REACH) & set(planned_by()) == CUT_SOONER


async def test_what_is_in_reach_is_what_the_grid_of_tools_and_faults_takes_for_reachable() -> None:
    reachable = {kind for kinds in coverage.reachable(await offered()).values() for kind in kinds}

    assert reachable & set(KINDS) == set(KINDS) - set(OUT_OF_REACH)


def test_each_scenario_of_runpods_faults_plans_one() -> None:
    plans = {Path(file.name).stem for kind in KINDS for file in planned_by().get(kind, [])}
    there = {Path(name).stem for _, name in files.find([]) if Path(name).parts[:2] == ("grace", "runpod")}

    assert there - plans == WITHOUT_A_KIND
