"""A function by its place: found when it is used, judged without importing its module."""

from __future__ import annotations

import json
import sys

import pytest

from tzzr_mcp.server.refs import resolve, why_unresolvable


def test_a_function_is_itself_and_a_place_is_its_function() -> None:
    assert resolve(json.dumps) is json.dumps
    assert resolve("json:dumps") is json.dumps


@pytest.mark.parametrize("good", [print, "json:dumps", "tzzr_mcp.server.refs:resolve", "json:_private"])
def test_nothing_is_wrong_with_what_can_be_found(good: object) -> None:
    assert why_unresolvable(good) is None


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (3, "3 is neither a function nor its place"),
        (None, "None is neither a function nor its place"),
        ("json", "'json' is no place of a function; write it as 'package.module:name'"),
        ("json:", "'json:' is no place of a function; write it as 'package.module:name'"),
        ("json:a.b", "'json:a.b' is no place of a function; write it as 'package.module:name'"),
        ("nowhere_at_all:f", "'nowhere_at_all:f' names the module nowhere_at_all, which does not exist"),
        ("nowhere_at_all.deep:f", "'nowhere_at_all.deep:f' names the module nowhere_at_all.deep, which does not exist"),
    ],
)
def test_what_cannot_be_found_is_told(wrong: object, told: str) -> None:
    assert why_unresolvable(wrong) == told


def test_judging_imports_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "tzzr_mcp.server.metrics", raising=False)
    assert why_unresolvable("tzzr_mcp.server.metrics:Metrics") is None
    assert "tzzr_mcp.server.metrics" not in sys.modules
