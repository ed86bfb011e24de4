"""The nine properties of contract §7 are found by their number, and each is searched for, not shown by example."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import is_hypothesis_test

from tests.property.sides import complaints

FILES = {number: list(Path(__file__).parent.glob(f"test_{number}_*.py")) for number in range(1, 10)}


@pytest.mark.parametrize("number", FILES)
def test_each_number_has_one_file_with_properties(number: int) -> None:
    (path,) = FILES[number]
    module = import_module(f"tests.property.{path.stem}")
    tests = {name: each for name, each in vars(module).items() if name.startswith("test_")}

    assert (module.__doc__ or "").startswith(f"Contract §7.{number}: ")
    assert any(is_hypothesis_test(each) or _is_marked(each) for each in tests.values())


def _is_marked(test: object) -> bool:
    return any(mark.name == "hypothesis" for mark in getattr(test, "pytestmark", ()))


def test_a_side_that_no_example_reached_is_told_when_the_search_was_long() -> None:
    assert complaints(["refused", "valid"], {"valid": 7}, all_of_them=True) == [
        "no example was on the side 'refused', of 7"
    ]
    assert complaints(["refused", "valid"], {"valid": 7}, all_of_them=False) == []
    assert complaints(["refused"], {"refsed": 1}, all_of_them=False) == ["'refsed' is no side that the marker names"]
