"""Faults over HTTP: what is planned, one more, one less, and the kinds there are."""

from __future__ import annotations

import dataclasses
import inspect
from typing import Any

from fastapi import FastAPI, Request

from tzzr_mocks.control.fault import KINDS, Fault
from tzzr_mocks.served.desk import Desk
from tzzr_mocks.served.schemas import Healing, NewRule, Switch


def add_fault_routes(app: FastAPI, desk: Desk) -> None:
    """Add them to the application."""

    @app.get("/faults", tags=["faults"])
    async def list_faults(request: Request) -> list[dict[str, Any]]:
        """Every rule in its long form, how often it acted, and whether it still can."""
        return desk.world(request).plan.as_json()

    @app.post("/faults", tags=["faults"], status_code=201)
    async def add_fault(request: Request, given: NewRule) -> dict[str, Any]:
        """Add a rule; the answer is its long form, with its id."""
        return desk.world(request).plan.add(given.rule).as_json()

    @app.patch("/faults/{rule_id}", tags=["faults"])
    async def switch_fault(request: Request, rule_id: str, switch: Switch) -> list[dict[str, Any]]:
        """Stop a rule, or let it act again from where it stood."""
        plan = desk.world(request).plan
        (plan.resume if switch.active else plan.remove)(rule_id)
        return plan.as_json()

    @app.delete("/faults/{rule_id}", tags=["faults"])
    async def remove_fault(request: Request, rule_id: str) -> list[dict[str, Any]]:
        """Stop a rule for good."""
        plan = desk.world(request).plan
        plan.remove(rule_id)
        return plan.as_json()

    @app.post("/heal", tags=["faults"])
    async def heal(request: Request, healing: Healing) -> list[dict[str, Any]]:
        """Stop every rule, or those that ``what`` names; the answer is which."""
        return [rule.as_json() for rule in desk.world(request).plan.heal(healing.what)]

    @app.get("/kinds", tags=["faults"])
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
