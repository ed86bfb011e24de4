"""All forty conformance checks of runpod.md §14 have a test."""

from __future__ import annotations

import ast
from pathlib import Path


def carried_out(file: Path) -> set[int]:
    """The checks that the tests of a file carry out, read from their decorators."""
    calls = [node for node in ast.walk(ast.parse(file.read_text("utf-8"))) if isinstance(node, ast.Call)]
    marks = [call for call in calls if isinstance(call.func, ast.Name) and call.func.id == "check"]
    return {number.value for call in marks for number in call.args if isinstance(number, ast.Constant)}  # type: ignore[misc]


def test_each_of_the_forty_checks_has_a_test() -> None:
    found = set().union(*(carried_out(file) for file in Path(__file__).parent.rglob("test_*.py")))

    assert sorted(set(range(1, 41)) - found) == []
