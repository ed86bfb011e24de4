from __future__ import annotations

from typing import Any

import pytest

from tests.tzzr_mocks.small import expect_refusal, plan_of
from tzzr_mocks.control import FaultRule, Match
from tzzr_mocks.control.errors import unknown_route
from tzzr_mocks.faults import ModuleDown, Status


def test_a_mapping_is_read_with_its_defaults() -> None:
    rule = plan_of().add({"match": {"service": "grace", "module": "OCR_LOCAL"}, "effect": {"kind": "module_down"}})

    assert (rule.match, rule.fault, rule.optional) == (Match("grace", module="OCR_LOCAL"), ModuleDown(), False)


def test_durations_may_be_written_with_their_unit() -> None:
    rule = plan_of().add(
        {"match": {"service": "hst"}, "effect": {"kind": "latency", "seconds": "250ms"}, "schedule": {"after": "1m"}}
    )

    assert (rule.fault.as_json()["seconds"], rule.schedule.after) == (0.25, 60.0)


def test_a_tool_becomes_its_module() -> None:
    rule = plan_of().add({"match": {"service": "grace", "tool": "ocr"}, "effect": "module_down"})

    assert (rule.match.tool, rule.match.module) == (None, "OCR_CORE")


@pytest.mark.parametrize(
    ("rule", "parts"),
    [
        ({"match": {"service": "grce"}, "effect": "status"}, ["unknown service 'grce'", "'grace'"]),
        ({"match": {"service": "grace"}, "efect": "status"}, ["unknown part", "'effect'"]),
        ({"match": {"service": "grace", "rout": "/run"}, "effect": "status"}, ["attribute of match", "'route'"]),
        ({"match": {"service": "grace", "route": "/rn"}, "effect": "status"}, ["unknown route", "POST /run"]),
        ({"match": {"service": "grace"}, "effect": {"kind": "statuss"}}, ["unknown fault kind", "'status'"]),
        ({"match": {"service": "grace"}, "effect": {"kind": "status", "status": "x"}}, ["status", "whole number"]),
        ({"match": {"service": "grace"}, "effect": {"kind": "status", "status": 700}}, ["400 to 599"]),
        ({"match": {"service": "grace"}, "effect": 3}, ["effect must be a mapping"]),
        ({"match": [], "effect": "status"}, ["match must be a mapping"]),
        ({"match": {"service": "hst"}, "effect": "module_down"}, ["unknown fault kind for hst"]),
        (
            {"match": {"service": "grace", "tool": "ocr", "module": "HASHER"}, "effect": "status"},
            ["give one of the two"],
        ),
        ({"match": {"service": "grace"}, "effect": "status", "schedule": {"first": 1, "nth": 2}}, ["conflicting"]),
        ({"match": {"service": "grace"}, "effect": "status", "schedule": {"probability": 1.5}}, ["at most 1"]),
        ({"match": {"service": "grace"}, "effect": "status", "schedule": {"first": True}}, ["whole number"]),
    ],
)
def test_a_mistake_is_refused_with_its_mend(rule: dict[str, Any], parts: list[str]) -> None:
    with expect_refusal(*parts):
        plan_of().add(rule)


def test_a_rule_without_a_service_is_refused() -> None:
    with expect_refusal("names no service"):
        plan_of().add(FaultRule(Match(), Status()))


def test_the_same_rule_twice_is_a_conflict() -> None:
    plan = plan_of()
    plan.add("grace: OCR_LOCAL is down")

    with expect_refusal("stands in the plan already, as fault-1"):
        plan.add("grace: OCR_LOCAL is unavailable")


@pytest.mark.parametrize("route", ["GET /items/tags_flg", "/items/tags_flg"])
def test_a_path_is_told_the_template_that_stands_for_it(route: str) -> None:
    error = unknown_route("hst", route, ["GET /presets", "GET /items/{collection}", "GET /items/{collection}/{id}"])
    assert error.suggestion == route.replace("tags_flg", "{collection}")
