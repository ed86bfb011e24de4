"""What a person reads when an expectation does not hold, or cannot: where, what was wanted, what was there."""

from __future__ import annotations

from typing import Any

import pytest

from tzzr_scenarios.matchers import MISSING, OPERATORS, MatcherError, matcher, matches, shown
from tzzr_scenarios.matchers.algebra import Equals, operator

LONG = "x" * 400

TOLD: list[tuple[Any, Any, list[tuple[str, str, str]]]] = [
    ("luz", "agua", [("at", '"luz"', '"agua"')]),
    ("luz", MISSING, [("at", '"luz"', "nothing")]),
    ({"a": 1, "b": 2}, {}, [("at.a", "1", "nothing"), ("at.b", "2", "nothing")]),
    ({"a": 1, "b": 2}, [3], [("at", "an object with a, b", "[3]")]),
    ({}, 7, [("at", "an object with anything", "7")]),
    ({"a": 1}, MISSING, [("at", "an object with a", "nothing")]),
    ([1, 2], "ab", [("at", "a list of 2", '"ab"')]),
    ([1, 2], [1], [("at", "2 items", "1 items: [1]")]),
    ([1, {"a": 2}], [0, {"a": 3}], [("at[0]", "1", "0"), ("at[1].a", "2", "3")]),
    ({"gt": 1, "lt": 1}, 1, [("at", "a number > 1", "1"), ("at", "a number < 1", "1")]),
    ({"ge": 2}, "2", [("at", "a number ≥ 2", '"2"')]),
    ({"le": 2}, True, [("at", "a number ≤ 2", "true")]),
    ({"contains": "luz"}, "agua", [("at", 'contains "luz"', '"agua"')]),
    ({"contains": [1, 2]}, [2, 3], [("at", "contains 1", "[2, 3]")]),
    ({"contains": 1}, {"a": 1}, [("at", "contains 1", '{"a": 1}')]),
    ({"contains": 1}, 1, [("at", "contains 1", "1")]),
    ({"unordered": [1, 2]}, "12", [("at", "a list of 2", '"12"')]),
    ({"unordered": [1, 2]}, [1], [("at", "an item like 2", "[1]")]),
    ({"unordered": [1]}, [1, 3], [("at", "1 items", "also [3]")]),
    ({"unordered": [1, {"gt": 0}]}, [1], [("at", 'an item like {"gt": 0}', "[1]")]),
    ({"unordered": [1, 2]}, [1, 3], [("at", "an item like 2", "[1, 3]"), ("at", "2 items", "also [3]")]),
    ({"length": {"gt": 2}}, "ab", [("length of at", "a number > 2", "2")]),
    ({"length": {"gt": 2}}, 7, [("length of at", '{"gt": 2}', "7")]),
    ({"not": {"ends": "z"}}, "luz", [("at", 'not {"ends": "z"}', '"luz"')]),
    ({"all": [{"gt": 1}, {"gt": 2}]}, 0, [("at", "a number > 1", "0"), ("at", "a number > 2", "0")]),
    ({"anyOf": [1, 2]}, 3, [("at", "any of [1, 2]", "3")]),
    ({"any": True}, MISSING, [("at", "anything", "nothing")]),
    ({"absent": True}, None, [("at", "nothing", "null")]),
    ({"starts": "F-"}, "G-1", [("at", 'text that starts with "F-"', '"G-1"')]),
    ({"ends": "-1"}, 1, [("at", 'text that ends with "-1"', "1")]),
    ({"regex": r"^\d$"}, "x", [("at", r"text with /^\d$/", '"x"')]),
    ({"path": {"$.a": 1}}, {"a": 2}, [("at $.a", "1", "2")]),
    ({"path": {"$.a[*]": 1}}, {"a": [2, 3]}, [("at $.a[*]", "1", "[2, 3]")]),
    ({"path": {"$.a": 1}}, "text", [("at $.a", "1", "nothing")]),
    ({"path": {"$.a": {"absent": True}, "$.b": {"absent": True}}}, {"a": None}, [("at $.a", "nothing", "null")]),
    ({"path": {"$": 1}}, MISSING, [("at $", "1", "nothing")]),
    ({"path": {"$": "a", "$[*]": []}}, "text", [("at $", '"a"', '"text"')]),
    ({"path": {"$..a": []}}, {"a": 1}, [("at $..a", "a list of 0", "1")]),
    ({"schema": {"properties": {"a": {"type": "string"}}}}, {"a": 1}, [("at.a", 'type: "string"', "1")]),
    ({"schema": {"const": LONG}}, 1, [("at", f'const: "{LONG[:79]}… (402 characters)', "1")]),
]  # fmt: skip


@pytest.mark.parametrize(("spec", "value", "told"), TOLD)
def test_a_difference_tells_where_what_was_wanted_and_what_was_there(
    spec: Any, value: Any, told: list[tuple[str, str, str]]
) -> None:
    differences = matcher(spec).differences(value, "at")
    assert [(difference.path, difference.expected, difference.got) for difference in differences] == told


def test_a_key_that_was_meant_for_an_operator_is_told_the_nearest_one_and_all() -> None:
    (difference,) = matcher({"contans": "x"}).differences("abc", "at")
    hint = f"did you mean contains?  operators: {', '.join(sorted(OPERATORS))}"
    assert difference.expected == f'an object with contans; "contans" is no operator; {hint}'
    assert difference.got == '"abc"'


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (MISSING, "nothing"),
        ({"b": 1, "a": "ñ"}, '{"a": "ñ", "b": 1}'),
        ({1}, '"{1}"'),
        ("x" * 298, f'"{"x" * 298}"'),
        ("x" * 299, f'"{"x" * 299}… (301 characters)'),
    ],
    ids=["nothing", "sorted keys, own letters", "what JSON has not", "as long as it may be", "one letter more"],
)
def test_a_value_is_shown_as_json_with_its_keys_sorted_and_cut_at_300_characters(value: Any, text: str) -> None:
    assert shown(value) == text


REFUSALS: list[tuple[Any, tuple[str | int, ...], str]] = [
    ({"a": {"gt": "1"}}, ("a", "gt"), '> compares with a number, not "1"'),
    ({"unordered": 1}, ("unordered",), "unordered takes a list, not 1"),
    ({"unordered": [{"gt": "1"}]}, ("unordered", 0, "gt"), '> compares with a number, not "1"'),
    ({"all": []}, ("all",), "all takes a list of expectations, not []"),
    ({"anyOf": "ab"}, ("anyOf",), 'anyOf takes a list of expectations, not "ab"'),
    ({"anyOf": [1, {"starts": 2}]}, ("anyOf", "starts"), "starts takes text, not 2; put it in quotes"),
    ({"not": {"ends": 2}}, ("not", "ends"), "ends takes text, not 2; put it in quotes"),
    ({"contains": {"regex": 2}}, ("contains", "regex"), "regex takes text, not 2; put it in quotes"),
    ({"length": {"lt": None}}, ("length", "lt"), "< compares with a number, not null"),
    ({"regex": "("}, ("regex",), 'regex "(" does not compile: missing ), unterminated subpattern at position 0'),
    ([0, {"regex": 1}], (1, "regex"), "regex takes text, not 1; put it in quotes"),
    ({"path": [1]}, ("path",), "path takes a mapping of JSONPath to expectation, not [1]"),
    ({"path": {"$.a": {"gt": "1"}}}, ("path", "gt"), '> compares with a number, not "1"'),
    ({"schema": {"type": "txt"}}, ("schema",), "not a JSON Schema: 'txt' is not valid under any of the given schemas"),
    ({"contract": "respnse"}, ("contract",), "did you mean response?  contract takes: request, response"),
    ({"contract": "reqest"}, ("contract",), "did you mean request?  contract takes: request, response"),
]  # fmt: skip


@pytest.mark.parametrize(("spec", "path", "message"), REFUSALS)
def test_an_operator_that_cannot_work_says_where_what_it_was_given_and_what_it_takes(
    spec: Any, path: tuple[str | int, ...], message: str
) -> None:
    with pytest.raises(MatcherError) as caught:
        matcher(spec)
    assert (caught.value.path, str(caught.value)) == (path, message)


def test_what_is_no_jsonpath_is_quoted_and_found_by_its_path() -> None:
    with pytest.raises(MatcherError, match=r'^"not a path" is not a JSONPath \(RFC 9535\): .+') as caught:
        matcher({"path": {"not a path": 1}})
    assert caught.value.path == ("path", "not a path")


def test_a_stranger_beside_an_operator_is_told_all_operators_and_the_way_out() -> None:
    with pytest.raises(MatcherError) as caught:
        matcher({"gt": 1, "zzz": 2})
    listed = ", ".join(sorted(OPERATORS))
    way_out = "A key of that name: equals: {…}"
    assert str(caught.value) == f'"zzz" stands beside the operator "gt"; operators: {listed}. {way_out}'


def test_a_violation_of_the_contract_tells_the_schema_and_the_place_in_the_value() -> None:
    problems = list(matcher({"contract": "response"}).differences({"contract_version": 7}, "at"))
    assert {problem.expected for problem in problems} == {"response.schema.json"}
    assert "at.contract_version" in {problem.path for problem in problems}
    assert ("at", "'status' is a required property") in {(problem.path, problem.got) for problem in problems}


def test_what_a_schema_says_about_a_large_value_is_cut_at_300_characters() -> None:
    (problem, *_) = matcher({"contract": "request"}).differences([LONG], "at")
    assert problem.got == f"['{LONG}'] is not of type 'object'"[:300]


def test_a_new_operator_goes_by_its_name_and_a_name_is_given_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(OPERATORS, "twice", raising=False)
    assert operator("twice")(Equals) is Equals
    assert matcher({"twice": 2}) == Equals(2)
    with pytest.raises(ValueError, match=r"^two operators are called 'twice'$"):
        operator("twice")(Equals)
    assert OPERATORS.pop("twice") is Equals


def test_the_items_of_an_unordered_list_are_told_apart_like_everywhere_else() -> None:
    assert matches(matcher({"unordered": [{"equals": 1}, {"equals": True}]}), [True, 1])
    assert not matches(matcher({"unordered": [1, True]}), [1, 1])


def test_an_unordered_list_matches_where_any_order_does() -> None:
    assert matches(matcher({"unordered": [{"any": True}, {"gt": 0}, 1]}), [1, 2, -5])
    assert not matches(matcher({"unordered": [{"any": True}, {"gt": 0}, 1]}), [1, -2, -5])
