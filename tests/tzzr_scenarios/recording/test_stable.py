"""What of a value is expected the next time."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tzzr_scenarios.language.places import read, written
from tzzr_scenarios.matchers import matcher, matches
from tzzr_scenarios.recording.stable import LEAVE, expectation

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=15) | st.dictionaries(st.text(max_size=9), inner, max_size=5),
    max_leaves=30,
)


@given(JSON)
def test_a_value_meets_its_own_expectation(value: Any) -> None:
    held = expectation(value)
    assert held is LEAVE or matches(matcher(held), value)


@pytest.mark.parametrize("name", ["any", "not", "contains", "length"])
def test_a_key_that_is_an_operator_s_name_is_left_out(name: str) -> None:
    assert expectation({name: 1}) is LEAVE


@pytest.mark.parametrize(
    "passing",
    [
        {"traceId": "x"},
        {"durationMs": 3},
        {"checked_at": "x"},
        {"a": "2026-01-04T10:00:00Z"},
        {"a": "0d3f4a5b-1111-2222-3333-0123456789ab"},
        {"a": 1767520800},
        {"a": "[redacted]"},
        "${saved}",
    ],
)
def test_times_and_ids_are_left_out(passing: Any) -> None:
    assert expectation(passing) is LEAVE
    assert expectation({"x": passing, "total": 7}) == {"total": 7}


@pytest.mark.parametrize(
    ("value", "held"),
    [
        ("x" * 200, {"starts": "x" * 160}),
        ("Factura\nde la luz", LEAVE),
        ("Factura de la luz\nde marzo", {"starts": "Factura de la luz"}),
        ("Consultado el 2026-01-04 10:00", {"starts": "Consultado el"}),
        (list(range(13)), {"length": 13}),
        ([{"job_id": "x"}, {"total": 1}], {"length": 2}),
        (0.98, 0.98),
        (0.123456789, {"ge": 0.123, "le": 0.124}),
        (True, True),
        (None, None),
    ],
)
def test_what_is_long_or_has_many_digits_is_expected_loosely(value: Any, held: Any) -> None:
    assert expectation(value) == held or expectation(value) is held


@given(JSON)
@example({"\x85": None})
@example(["a\u2028b", "\u2029"])
def test_a_value_written_as_people_do_is_read_as_the_same_value(value: Any) -> None:
    document = read("x", written({"a": value}, flow=True))
    assert document.mistakes == []
    assert document.value == {"a": value}
