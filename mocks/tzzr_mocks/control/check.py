"""Refuses a rule that could never act, with the nearest valid name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from tzzr_mcp.contract.catalogue import TOOLS
from tzzr_mocks.control.errors import PlanError, unknown, unknown_route
from tzzr_mocks.control.fault import kinds_at
from tzzr_mocks.control.match import Match
from tzzr_mocks.control.occasion import Point
from tzzr_mocks.control.rule import FaultRule
from tzzr_mocks.control.surface import Surface


def check(rule: FaultRule, surfaces: Mapping[str, Surface], present: Iterable[FaultRule]) -> FaultRule:
    """The rule with its tool turned into a module.

    Raises:
        PlanError: service, module, route or tool are unknown, the service never asks for that fault, or the plan has
            the same rule already.
    """
    service = rule.match.service
    if service is None:
        raise PlanError(f"the rule {rule.sentence()!r} names no service; write match.service", suggestion=None)
    if service not in surfaces:
        raise unknown("service", service, surfaces)
    if rule.fault.kind not in kinds_at(service):
        raise unknown(f"fault kind for {service}", rule.fault.kind, sorted(kinds_at(service)))
    ready = replace(rule, match=_with_module(rule.match))
    _check_names(ready, service, surfaces[service])
    _check_repetition(ready, present)
    return ready


def _with_module(match: Match) -> Match:
    if match.tool is None:
        return match
    if match.tool not in TOOLS:
        raise unknown("tool", match.tool, TOOLS)
    module = TOOLS[match.tool].name
    if match.module not in (None, module):
        raise PlanError(f"tool {match.tool!r} runs module {module}, not {match.module}; give one of the two")
    return replace(match, tool=None, module=module)


def _check_names(rule: FaultRule, service: str, surface: Surface) -> None:
    module, route = rule.match.module, rule.match.route
    if module is not None and module not in surface.modules:
        raise unknown(f"module of {service}", module, surface.modules)
    if rule.fault.point is Point.MODULE and not surface.modules:
        raise PlanError(f"{rule.fault.kind!r} acts on modules, and {service} has none")
    if route is not None and surface.labels and not _route_known(route, surface):
        raise unknown_route(service, route, surface.labels)


def _route_known(route: str, surface: Surface) -> bool:
    return any(route in (label, label.partition(" ")[2]) for label in surface.labels)


def _check_repetition(rule: FaultRule, present: Iterable[FaultRule]) -> None:
    for other in present:
        if (other.match, other.fault, other.schedule) == (rule.match, rule.fault, rule.schedule):
            raise PlanError(f"conflicting schedules: {rule.sentence()!r} stands in the plan already, as {other.id}")
