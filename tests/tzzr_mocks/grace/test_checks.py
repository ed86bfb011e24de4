"""All forty conformance checks of runpod.md §14 are tested, in process and over a socket."""

from __future__ import annotations

import ast
from pathlib import Path


def carried_out(file: Path, *, both_ways: bool = False) -> set[int]:
    """The checks that the tests of a file carry out, read from their decorators; if so asked those of both ways alone."""
    found: set[int] = set()
    for test in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(test, ast.FunctionDef | ast.AsyncFunctionDef):
            marks = {ast.unparse(mark).partition("(")[0]: mark for mark in test.decorator_list}
            check = marks.get("check")
            if isinstance(check, ast.Call) and ("both_ways" in marks or not both_ways):
                found |= {number.value for number in check.args if isinstance(number, ast.Constant)}  # type: ignore[misc]
    return found


FORTY = set(range(1, 41))
HERE = Path(__file__).parent


def test_each_of_the_forty_checks_has_a_test_in_process_and_over_a_socket() -> None:
    found = set().union(*(carried_out(file, both_ways=True) for file in HERE.glob("test_*.py")))

    assert sorted(FORTY - found) == []


def test_what_is_checked_with_the_clients_themselves_is_one_of_the_forty() -> None:
    found = set().union(*(carried_out(file) for file in HERE.joinpath("clients").glob("test_*.py")))

    assert {10, 19, 23, 24, 30, 31, 40} <= found <= FORTY
