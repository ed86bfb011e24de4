"""Faults over HTTP: what is planned, one more, one less, and the kinds there are."""

from __future__ import annotations

import dataclasses
import inspect
from typing import Any

from tzzr_mocks.control.fault import KINDS, Fault
from tzzr_mocks.desk.answers import Kind, Rule, RuleInPlan
from tzzr_mocks.desk.desk import TheWorld
from tzzr_mocks.desk.live import there
from tzzr_mocks.desk.routes import Routes
from tzzr_mocks.desk.schemas import Healing, NewRule, Switch
from tzzr_mocks.openapi import link

routes = Routes("faults")
_LINKS = {
    name: link(name, told, rule_id="$response.body#/id")
    for name, told in {"switch_fault": "stops it, or lets it act again", "remove_fault": "stops it"}.items()
}


@routes.get("/faults", answers=list[RuleInPlan])
async def list_faults(world: TheWorld) -> list[dict[str, Any]]:
    """Every rule in its long form, how often it acted, and whether it still can."""
    return world.plan.as_json()


@routes.post("/faults", status_code=201, answers=Rule, links=_LINKS)
async def add_fault(world: TheWorld, given: NewRule) -> dict[str, Any]:
    """Add a rule; the answer is its long form, with its id."""
    return world.plan.add(given.rule).as_json()


@routes.patch("/faults/{rule_id}", answers=list[RuleInPlan], operation_id="switch_fault")
async def switch_fault(world: TheWorld, rule_id: str, switch: Switch) -> list[dict[str, Any]]:
    """Stop a rule, or let it act again from where it stood."""
    there("fault rule", rule_id, world.plan.ids)
    (world.plan.resume if switch.active else world.plan.remove)(rule_id)
    return world.plan.as_json()


@routes.delete("/faults/{rule_id}", answers=list[RuleInPlan], operation_id="remove_fault")
async def remove_fault(world: TheWorld, rule_id: str) -> list[dict[str, Any]]:
    """Stop a rule."""
    there("fault rule", rule_id, world.plan.ids)
    world.plan.remove(rule_id)
    return world.plan.as_json()


@routes.post("/heal", answers=list[Rule])
async def heal(world: TheWorld, healing: Healing) -> list[dict[str, Any]]:
    """Stop every rule, or those that ``what`` names; the answer is which."""
    return [rule.as_json() for rule in world.plan.heal(healing.what)]


@routes.get("/kinds", answers=list[Kind])
async def list_kinds() -> list[dict[str, Any]]:
    """Every fault kind: where it acts, what it takes, how it is said, and its page."""
    return [_described(kind) for _, kind in sorted(KINDS.items())]


def _described(kind: type[Fault]) -> dict[str, Any]:
    attributes = {
        part.name: None if part.default is dataclasses.MISSING else part.default for part in dataclasses.fields(kind)
    }
    return {
        "kind": kind.kind, "point": kind.point, "services": sorted(kind.services), "phrases": list(kind.phrases),
        "attributes": attributes, "page": inspect.getdoc(kind) or "",
    }  # fmt: skip
