"""Fault sentences read without a world under way: what they mean, and what is wrong with them."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

from tzzr_mocks.control import FaultPlan, FaultRule, Surface
from tzzr_mocks.world import World


def understood(fault: str | Mapping[str, Any]) -> FaultRule:
    """The rule that a short or long form says, on a plan of its own that knows every fake.

    Raises:
        PlanError: it cannot be understood, or could never act.
    """
    plan = FaultPlan()
    for service, surface in _surfaces().items():
        plan.know(service, surface)
    return plan.add(fault)


@functools.cache
def _surfaces() -> Mapping[str, Surface]:
    return World().plan.surfaces
