"""The pieces of the query compiler, each by itself."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tzzr_mocks.hst.replay import NOW
from tzzr_mocks.hst.dialects import Sqlite
from tzzr_mocks.hst.errors import Refusal
from tzzr_mocks.hst.instants import NOT_A_DATE, instant, milliseconds, read_instant, written, written_far
from tzzr_mocks.hst.javascript import to_number, to_string
from tzzr_mocks.hst.query.filter_shape import named_fields, parse_filter, plain
from tzzr_mocks.hst.query.filters import build
from tzzr_mocks.hst.query.model import AllOf, AnyOf, Condition, FieldRef
from tzzr_mocks.hst.query.read import read_query, split_names
from tzzr_mocks.hst.query.sql import Compiler
from tzzr_mocks.hst.schemas import TAG_COLLECTIONS

COLLECTION = TAG_COLLECTIONS[0]


def now() -> datetime:
    return NOW


@pytest.mark.parametrize(
    ("value", "expected"),
    [("", 0), (" 12 ", 12), ("1e1", 10), ("0x1F", 31), ("0b11", 3), ("1.0", 1), ("1.5", 1.5), ("-0", 0), ("2x", None),
     ("1_0", None), ("١", None), ("Infinity", float("inf")), ("infinity", None), (None, 0), (True, 1), ([], 0),
     (["7"], 7), (["1", "2"], None), ({}, None), ("+2", 2)],
)  # fmt: skip
def test_a_value_is_read_as_javascript_reads_numbers(value: Any, expected: Any) -> None:
    assert to_number(value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [(1.0, "1"), (0.1, "0.1"), (1e21, "1e+21"), (1e-7, "1e-7"), (0.00001, "0.00001"), (-0.0000123, "-0.0000123"),
     (2.5e-8, "2.5e-8"), (float("-inf"), "-Infinity"), (None, "null"), ([1, None, "a"], "1,,a"), ({}, "[object Object]")],
)  # fmt: skip
def test_a_value_is_written_as_javascript_writes_it(value: Any, expected: str) -> None:
    assert to_string(value) == expected


@given(st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(2**53), 2**53))
def test_what_javascript_writes_it_reads_again(number: float) -> None:
    assert to_number(to_string(number)) == number


@pytest.mark.parametrize(
    ("value", "expected"), [("true", True), ("null", None), ("false", False), ("5", "5"), ("x", "x"), (7, 7)]
)
def test_a_text_stands_for_what_it_looks_like(value: Any, expected: Any) -> None:
    assert plain(value) == expected
    assert type(plain(value)) is type(expected)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("id, ref", ("id", "ref")),
        ("id,json(metadatos, a.b), ref", ("id", "json(metadatos, a.b)", "ref")),
        ("a),b", ("a)", "b")),
    ],
)
def test_names_are_split_at_commas_outside_parentheses(text: str, parts: tuple[str, ...]) -> None:
    assert split_names(text) == parts


@pytest.mark.parametrize(
    ("text", "expected"),
    [("2024-06-01", "2024-06-01T00:00:00.000Z"), ("2024-06-01T10:00+02:00", "2024-06-01T08:00:00.000Z"),
     ("2024-06-01 10:00:00.5Z", "2024-06-01T10:00:00.500Z"), ("2024-06", "2024-06-01T00:00:00.000Z"),
     ("2024", "2024-01-01T00:00:00.000Z"), ("June 1, 2024", "2024-06-01T00:00:00.000Z"),
     ("1 Jun 2024 10:00 PM", "2024-06-01T22:00:00.000Z"), ("2024/6/1", "2024-06-01T00:00:00.000Z"),
     ("06-01-2024", "2024-06-01T00:00:00.000Z"), ("7", "2001-07-01T00:00:00.000Z"), ("99", "1999-01-01T00:00:00.000Z"),
     ("1,2", "2001-01-02T00:00:00.000Z"), ("2024-06-01T24:00:00", "2024-06-02T00:00:00.000Z"),
     ("$NOW", "2026-11-30T14:00:00.000Z"), ("$NOW(-1 day)", "2026-11-29T14:00:00.000Z"),
     ("$NOW(+2 hours)", "2026-11-30T16:00:00.000Z"), ("$NOW(nonsense)", "2026-11-30T14:00:00.000Z")],
)  # fmt: skip
def test_an_instant_is_read(text: str, expected: str) -> None:
    found = read_instant(text, now)
    assert isinstance(found, int)
    assert written(instant(found)) == expected


@pytest.mark.parametrize(
    "value", ["yesterday", "2024-13-01", "2024-02-30", "", None, "2024-06-01T25:00", "20240601", "2024-W10", "31"]
)
def test_what_is_no_instant_is_known_as_such(value: Any) -> None:
    assert read_instant(value, now) == NOT_A_DATE


@given(st.datetimes(datetime(1970, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC)))  # noqa: DTZ001 - bounds are naive by contract
def test_an_instant_survives_being_kept_and_written(moment: datetime) -> None:
    kept = milliseconds(moment)
    assert read_instant(written(instant(kept)), now) == kept


def test_a_short_form_means_equality_and_lists_may_be_texts() -> None:
    assert parse_filter({"ref": "ES", "nombre": {"_in": "a,b"}}) == {
        "ref": {"_eq": "ES"},
        "nombre": {"_in": ["a", "b"]},
    }


def test_unknown_names_are_told_in_the_order_in_which_they_were_pushed() -> None:
    tree = parse_filter([{"ref": "a"}, {"x": {"y": 1}}])
    assert named_fields(tree) == ["1", "x", "y", "0", "ref"]


def test_a_filter_becomes_a_typed_tree() -> None:
    tree = parse_filter(
        {"_or": [{"nivel": {"_gte": "1"}}, {"padre": {"_null": False}}], "padre": {"nombre": {"_eq": "x"}}}
    )
    assert build(tree, COLLECTION, now) == AllOf(
        (
            AnyOf((Condition(FieldRef("nivel"), "_gte", 1), Condition(FieldRef("padre"), "_nnull", None))),
            AllOf(),
        )
    )


def test_of_several_mistakes_the_outermost_is_named() -> None:
    tree = parse_filter({"_and": [{"_or": [{"padre": {"_gt": 1}}]}, {"metadatos": {"_contains": "x"}}]})
    with pytest.raises(Refusal, match='"json" field type'):
        build(tree, COLLECTION, now)


@given(st.text(max_size=20))
def test_no_value_ever_reaches_the_sql_as_text(value: str) -> None:
    tree = {"_or": [{"nombre": {"_contains": "§" + value}}, {"ref": {"_in": ["§" + value]}}]}
    typed = build(read_query({"filter": tree}, "tags_hst").filter, COLLECTION, now)
    sql = Compiler(COLLECTION, Sqlite()).where(typed)
    assert "§" not in sql.text
    assert sql.text.count("?") == len(sql.values) == 2


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"limit": "-2"}, '"limit" must be greater than or equal to -1'),
        ({"limit": "Infinity"}, '"limit" cannot be infinity'),
        ({"offset": "1.5"}, '"offset" must be an integer'),
        ({"fields": "id,,ref"}, '"fields[1]" is not allowed to be empty'),
        ({"fields": {"a": "id"}}, '"fields" must be a string or array'),
        ({"meta": ["*"]}, '"meta[0]" must be one of [total_count, filter_count]'),
        ({"export": "pdf"}, '"export" must be one of [csv, csv_utf8, json, xml, yaml]'),
        ({"alias": "x"}, '"alias" has to be an object'),
        ({"filter": "{bad"}, "Invalid JSON for filter object"),
        ({"filter": {"_or": {"nivel": 1}}}, "Invalid filter object"),
        ({"filter": {"nombre": {"_in": []}}}, '"_in" has to be an array of values'),
        ({"filter": "5"}, 'Invalid filter key "_eq" on "tags_hst"'),
    ],
)
def test_a_parameter_of_the_wrong_shape_is_named(asked: dict[str, Any], words: str) -> None:
    with pytest.raises(Refusal) as caught:
        read_query(asked, "tags_hst")
    assert (caught.value.status, caught.value.message) == (400, f"Invalid query. {words}.")


EPOCH, LAST_DAY = datetime.fromisoformat("1970-01-01"), datetime.fromisoformat("9999-12-31")


@given(st.datetimes(EPOCH, LAST_DAY, timezones=st.just(UTC)))
def test_an_instant_within_four_digits_of_the_year_is_written_the_same_by_both(moment: datetime) -> None:
    kept = milliseconds(moment)
    assert written_far(kept) == written(instant(kept))


def test_an_instant_beyond_the_year_9999_has_six_digits_of_the_year() -> None:
    last = milliseconds(datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC))
    assert written_far(last + 1000) == "+010000-01-01T00:00:00.000Z"
