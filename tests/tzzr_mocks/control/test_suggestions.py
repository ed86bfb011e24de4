"""Whatever name of a plan is misspelt, on whatever fake: the refusal tells the one that was meant."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tzzr_mcp.contract.catalogue import TOOLS
from tzzr_mocks.addresses import HOSTS
from tzzr_mocks.control import FaultPlan, PlanError
from tzzr_mocks.control.fault import KINDS
from tzzr_mocks.world import World

SURFACES = World().plan.surfaces


def swapped(name: str) -> str:
    """``name`` with two letters in the middle the wrong way round, or one doubled where they are the same."""
    at = len(name) // 2
    left, right = name[at - 1], name[at]
    return f"{name[: at - 1]}{right}{left}{name[at + 1 :]}" if left != right else f"{name[:at]}{left}{name[at:]}"


def names() -> Iterator[tuple[str, str, str]]:
    """Every name that a plan may say: the fake, the attribute of a match, and the name itself."""
    for service, surface in SURFACES.items():
        for module in surface.modules:
            yield service, "module", module
        for label in surface.labels:
            yield service, "route", label
            yield service, "route", label.partition(" ")[2]


def refusal(plan: FaultPlan, match: dict[str, str], kind: str = "status") -> PlanError:
    with pytest.raises(PlanError) as caught:
        plan.add({"match": match, "effect": {"kind": kind}})
    return caught.value


def test_a_misspelt_module_or_route_is_told_as_it_was_meant() -> None:
    plan = World().plan
    missed = []
    for service, what, name in names():
        wrong = swapped(name)
        if wrong in SURFACES[service].modules or len(name) < 4:
            continue
        error = refusal(plan, {"service": service, what: wrong})
        if error.suggestion != name:
            missed.append((service, wrong, error.suggestion))
    assert missed == []


def test_a_misspelt_service_tool_or_kind_is_told_as_it_was_meant() -> None:
    plan = World().plan
    for service in HOSTS:
        assert refusal(plan, {"service": swapped(service)}).suggestion == service
    for tool in TOOLS:
        assert refusal(plan, {"service": "grace", "tool": swapped(tool)}).suggestion == tool
    for name, kind in KINDS.items():
        service = min(kind.services, default="hst")
        assert refusal(plan, {"service": service}, swapped(name)).suggestion == name


@pytest.mark.parametrize(
    ("text", "meant"),
    [("grace: first call to /rnu fails", "/run"), ("hst: POST /itmes/{collection} fails", "POST /items/{collection}")],
)
def test_a_misspelt_route_of_the_short_form_is_told_too(text: str, meant: str) -> None:
    with pytest.raises(PlanError) as caught:
        World().plan.add(text)
    assert caught.value.suggestion == meant
