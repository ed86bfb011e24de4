"""The algebra of matchers: what each accepts, and that a difference names its path."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tzzr_scenarios.matchers import MISSING, OPERATORS, MatcherError, matcher, matches

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)

ACCEPTED: list[tuple[Any, Any]] = [
    ("factura", "factura"),
    (1, 1.0),
    ({"a": 1}, {"a": 1, "b": 2}),
    ({"contains": "luz"}, "la luz de marzo"),
    ({"contains": [{"a": 1}, {"a": 2}]}, [{"a": 2, "b": 0}, {"a": 1}]),
    ({"starts": "F-"}, "F-2026"),
    ({"ends": "26"}, "F-2026"),
    ({"regex": r"^\d{4}$"}, "2026"),
    ({"gt": 1, "le": 2}, 2),
    ({"ge": 1, "lt": 2}, 1.5),
    ({"length": 2}, "ab"),
    ({"length": {"gt": 1}}, [1, 2]),
    ({"unordered": [1, 2, 2]}, [2, 1, 2]),
    ({"not": {"contains": "x"}}, "abc"),
    ({"all": [{"starts": "a"}, {"ends": "c"}]}, "abc"),
    ({"anyOf": ["a", "b"]}, "b"),
    ({"any": True}, None),
    ({"absent": True}, MISSING),
    ({"a": {"absent": True}}, {"b": 1}),
    ({"equals": {"contains": 1}}, {"contains": 1}),
    ({"path": {"$.a[*].b": [1, 2], "$.c": {"absent": False}}}, {"a": [{"b": 1}, {"b": 2}], "c": 3}),
    ({"schema": {"type": "integer", "minimum": 3}}, 4),
]
REFUSED: list[tuple[Any, Any, str]] = [
    ("factura", "contrato", ""),
    (True, 1, ""),
    (1, True, ""),
    ({"a": {"b": [1, {"c": 2}]}}, {"a": {"b": [1, {"c": 3}]}}, "a.b[1].c"),
    ({"a": 1}, {}, "a"),
    ({"a": 1}, "text", ""),
    ([1, 2], [1], ""),
    ([1], "text", ""),
    ({"contains": "luz"}, "agua", ""),
    ({"contains": 1}, "1", ""),
    ({"starts": "a"}, 1, ""),
    ({"ends": "a"}, "ab", ""),
    ({"regex": "^a$"}, "ab", ""),
    ({"gt": 1}, 1, ""),
    ({"gt": 0}, True, ""),
    ({"length": 2}, [1], "length of "),
    ({"length": 2}, 7, "length of "),
    ({"unordered": [1, 2]}, [1, 1], ""),
    ({"unordered": [1]}, [1, 1], ""),
    ({"unordered": [1]}, "1", ""),
    ({"not": "a"}, "a", ""),
    ({"anyOf": [1, 2]}, 3, ""),
    ({"absent": True}, None, ""),
    ({"any": True}, MISSING, ""),
    ({"equals": {"a": 1}}, {"a": 1, "b": 2}, ""),
    ({"path": {"$.a": 1}}, {"a": 2}, "$.a"),
    ({"schema": {"properties": {"a": {"type": "string"}}}}, {"a": 1}, ".a"),
]


@pytest.mark.parametrize(("spec", "value"), ACCEPTED)
def test_an_expectation_accepts_what_it_says(spec: Any, value: Any) -> None:
    assert list(matcher(spec).differences(value, "")) == []


@pytest.mark.parametrize(("spec", "value", "path"), REFUSED)
def test_an_expectation_refuses_with_the_path_of_what_differs(spec: Any, value: Any, path: str) -> None:
    differences = list(matcher(spec).differences(value, ""))
    assert differences
    assert path in {difference.path for difference in differences}
    assert all(difference.expected and difference.got for difference in differences)


def test_every_operator_is_shown_accepting_and_refusing() -> None:
    accepting = {key for spec, _ in ACCEPTED if isinstance(spec, dict) for key in spec}
    refusing = {key for spec, _, _ in REFUSED if isinstance(spec, dict) for key in spec}
    assert set(OPERATORS) - {"contract"} <= accepting
    assert set(OPERATORS) - {"contract", "all", "le", "ge", "lt"} <= refusing


@pytest.mark.parametrize(
    "spec",
    [
        {"regex": "("},
        {"regex": 1},
        {"starts": 1},
        {"gt": "1"},
        {"unordered": "a"},
        {"all": []},
        {"anyOf": "a"},
        {"contains": "a", "conteins": "b"},
        {"path": {"not a path": 1}},
        {"path": "$.a"},
        {"schema": {"type": "number-ish"}},
        {"contract": "requst"},
        {"a": [{"b": {"regex": "["}}]},
    ],
)
def test_an_operator_that_cannot_work_is_refused_when_it_is_read(spec: Any) -> None:
    with pytest.raises(MatcherError):
        matcher(spec)


def test_a_mistyped_operator_is_told_by_its_path_and_nearest_name() -> None:
    with pytest.raises(MatcherError, match="did you mean contains") as caught:
        matcher({"a": {"contains": "x", "contans": "y"}})
    assert caught.value.path == ("a", "contans")


def test_the_contract_operator_holds_a_value_to_the_published_schema() -> None:
    assert not matches(matcher({"contract": "request"}), {"contract_version": "2.1"})
    assert not matches(matcher({"contract": "response"}), [])


@given(JSON)
def test_every_value_equals_itself_and_not_its_negation(value: Any) -> None:
    assert matches(matcher({"equals": value}), value)
    assert not matches(matcher({"not": {"equals": value}}), value)


@given(st.lists(JSON, max_size=4), st.randoms())
def test_unordered_accepts_every_order(items: list[Any], random: Any) -> None:
    shuffled = list(items)
    random.shuffle(shuffled)
    wanted = {"unordered": [{"equals": item} for item in items]}
    assert matches(matcher(wanted), shuffled)
    assert not matches(matcher(wanted), [*shuffled, "one more"])
