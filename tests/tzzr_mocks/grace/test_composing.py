"""Each of RunPod's fault kinds composes with each schedule, and may be for one module or one endpoint alone."""

from __future__ import annotations

import functools
from typing import Any

import pytest

from tests.tzzr_mocks.grace.caller import control
from tests.tzzr_mocks.grace.test_faults import OWN, PAGE
from tzzr_mocks.control import KINDS, Control, FaultPlan, Occasion, Surface
from tzzr_mocks.grace import GraceFake

APART_S = 10.0

COMPOSERS: dict[str, tuple[dict[str, Any], list[int]]] = {
    "first n": ({"schedule": {"first": 2}}, [1, 1, 0, 0, 0, 0]),
    "nth": ({"schedule": {"nth": 3}}, [0, 0, 1, 0, 0, 0]),
    "every": ({"schedule": {"every": 2}}, [0, 1, 0, 1, 0, 1]),
    "after": ({"schedule": {"after": 30.0}}, [0, 0, 0, 1, 1, 1]),
    "until": ({"schedule": {"until": 30.0}}, [1, 1, 1, 0, 0, 0]),
    "between": ({"schedule": {"after": 10.0, "until": 50.0, "every": 2}}, [0, 0, 1, 0, 1, 0]),
    "for module": ({"match": {"module": "HASHER"}}, [1, 0, 1, 0, 1, 0]),
    "for endpoint": ({"match": {"endpoint": "other"}}, [0, 1, 1, 0, 1, 1]),
    "all of them": ({"match": {"module": "HASHER", "endpoint": "other"}, "schedule": {"nth": 2}}, [0, 0, 0, 0, 1, 0]),
}
"""What a rule is composed with, and on which of six occasions it then acts."""


@functools.cache
def surface() -> Surface:
    """What rules of GRACE may be about: built once, for building it takes longer than all the rest."""
    built = control()
    GraceFake(built)
    return built.plan.surfaces["grace"]


def plane() -> Control:
    """A control plane that knows the fake's surface."""
    made = control()
    made.plan.know("grace", surface())
    return made


def occasions(kind: str) -> list[Occasion]:
    """Six occasions of a kind's point: modules by turns, endpoints one to two."""
    return [
        Occasion(
            KINDS[kind].point, "grace", method="POST", route="POST /run", path="/v2/grace/run",
            module=("HASHER", "SENTIMENT")[number % 2], endpoint=("grace", "other", "other")[number % 3], key=str(number),
        )
        for number in range(6)
    ]  # fmt: skip


async def acts_on(made: Control, plan: FaultPlan, kind: str) -> list[int]:
    """On which of the six occasions, ten seconds apart, the plan's one rule acts."""
    acted = []
    for occasion in occasions(kind):
        acted.append(len(plan.fired(occasion)))
        await made.seams.clock.sleep(APART_S)
    return acted


@pytest.mark.parametrize("kind", OWN)
async def test_a_kind_composes_with_every_schedule_and_match(kind: str) -> None:
    seen = {}
    for name, (parts, _) in COMPOSERS.items():
        made = plane()
        made.plan.add({"effect": {"kind": kind}, **parts, "match": {"service": "grace", **parts.get("match", {})}})
        seen[name] = await acts_on(made, made.plan, kind)

    assert seen == {name: acted for name, (_, acted) in COMPOSERS.items()}


@pytest.mark.parametrize("kind", OWN)
async def test_a_kinds_probability_is_the_dices_and_the_same_each_time(kind: str) -> None:
    rule = {"match": {"service": "grace"}, "effect": {"kind": kind}, "schedule": {"probability": 0.5}}
    twice = []
    for _ in range(2):
        made = plane()
        made.plan.add(rule)
        twice.append([made.plan.fired(occasion) != [] for _ in range(20) for occasion in occasions(kind)])

    assert twice[0] == twice[1]
    assert 40 <= sum(twice[0]) <= 80


@pytest.mark.parametrize("kind", OWN)
@pytest.mark.parametrize(
    "ending", ["for HASHER", "after 30s", "until 30s", "with probability 0.5", "for HASHER after 30s"]
)
def test_a_page_s_line_may_be_narrowed_in_the_short_form(kind: str, ending: str) -> None:
    page = PAGE.match(str(KINDS[kind].__doc__))
    assert page is not None

    rule = plane().plan.add(f"{page['rule']} {ending}")

    assert rule.fault.kind == kind
    assert (rule.match.module == "HASHER") is ("HASHER" in ending)
    assert (rule.schedule.after, rule.schedule.until, rule.schedule.probability) == (
        30.0 if "after" in ending else None, 30.0 if "until" in ending else None, 0.5 if "0.5" in ending else None,
    )  # fmt: skip
