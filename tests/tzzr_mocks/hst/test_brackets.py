"""Bracket notation: what nested parameters become."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tzzr_mocks.hst.query.brackets import DEPTH, parse_query


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", {}),
        ("&&a=1&&", {"a": "1"}),
        ("a", {"a": ""}),
        ("a=b=c", {"a": "b=c"}),
        ("a=1+2%20%2B", {"a": "1 2 +"}),
        ("a=1&a=2&a=3", {"a": ["1", "2", "3"]}),
        ("a[]=1&a[]=2", {"a": ["1", "2"]}),
        ("a[7]=1&a[3]=2", {"a": ["2", "1"]}),
        ("a[b]=1&a[c]=2", {"a": {"b": "1", "c": "2"}}),
        ("a[b][]=1&a[b][]=2", {"a": {"b": ["1", "2"]}}),
        ("a%5Bb%5D=1", {"a": {"b": "1"}}),
        ("a[0][b]=1&a[0][c]=2&a[1][b]=3", {"a": [{"b": "1", "c": "2"}, {"b": "3"}]}),
        ("a[][b]=1&a[][b]=2", {"a": [{"b": ["1", "2"]}]}),
        ("a[b]=1&a=2", {"a": [{"b": "1"}, "2"]}),
        ("a[]=1&a=2", {"a": ["1", "2"]}),
        ("a=1&a[b]=2", {"a": ["1", {"b": "2"}]}),
        ("a[0]=1&a[b]=2", {"a": {"0": "1", "b": "2"}}),
        ("a[b]c=1", {"a": {"b": "1"}}),
        ("a[b][c=1", {"a": {"b": "1"}}),
        ("a]b[=1", {"a]b[": "1"}),
        ("a[__proto__][b]=1&a[constructor]=2&c=3", {"c": "3"}),
        ("a[02]=1", {"a": {"02": "1"}}),
        ("a[b]=&a[c]=1", {"a": {"b": "", "c": "1"}}),
        ("a=%E0%A4%A&b=%ff", {"a": "%E0%A4%A", "b": "%ff"}),
        ("?a=1", {"?a": "1"}),
        ("a[x]=1&a[10]=2&a[2]=3", {"a": {"2": "3", "10": "2", "x": "1"}}),
    ],
)
def test_a_query_string_becomes_nested_values(query: str, expected: dict[str, Any]) -> None:
    assert parse_query(query) == expected


def test_number_keys_of_an_object_come_first_and_in_order() -> None:
    assert list(parse_query("a[x]=1&a[10]=2&a[2]=3")["a"]) == ["2", "10", "x"]


def test_what_is_nested_too_deep_stays_one_key() -> None:
    found: Any = parse_query("a" + "".join(f"[{level}x]" for level in range(DEPTH + 2)) + "=1")
    for _ in range(DEPTH + 1):
        (found,) = found.values()
    assert found == {f"[{DEPTH}x][{DEPTH + 1}x]": "1"}


def test_only_the_first_thousand_parameters_are_read() -> None:
    assert len(parse_query("&".join(f"a{number}=1" for number in range(1200)))) == 1000


names = st.text(st.characters(codec="utf-8", exclude_characters="[]"), min_size=1, max_size=5).filter(
    lambda name: not name.isdecimal() and name not in ("__proto__", "constructor", "toString", "valueOf")
)


@given(st.lists(names, min_size=1, max_size=4, unique=True), st.text(st.characters(codec="utf-8"), min_size=1))
def test_any_path_and_value_survive_the_way_through_a_url(path: list[str], value: str) -> None:
    query = quote(path[0] + "".join(f"[{name}]" for name in path[1:]), safe="") + "=" + quote(value, safe="")
    found: Any = parse_query(query)
    for name in path:
        found = found[name]
    assert found == value


@given(st.binary(max_size=60))
def test_no_query_string_breaks_the_parser(raw: bytes) -> None:
    assert isinstance(parse_query(raw.decode("latin-1")), dict)
