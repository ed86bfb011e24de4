"""SQL and plain Python agree on every generated query: the same rows, in the same order, with the same counts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.tzzr_mocks.hst.evaluation import Row, holds
from tests.tzzr_mocks.hst.replay import NOW
from tzzr_mocks.hst.accounts import READER
from tzzr_mocks.hst.dialects import DIALECTS
from tzzr_mocks.hst.dialects.collation import collation_key
from tzzr_mocks.hst.instants import instant, written
from tzzr_mocks.hst.items import Items, search_filter
from tzzr_mocks.hst.query.filters import build
from tzzr_mocks.hst.query.read import read_query
from tzzr_mocks.hst.schemas import TAG_COLLECTIONS
from tzzr_mocks.hst.settings import DialectName
from tzzr_mocks.hst.store import Store
from tzzr_scenarios.strategies.queries import INTEGER_FIELDS, SMALL, filters, rows, sorts

COLLECTION = TAG_COLLECTIONS[0]
SORTABLE = (*INTEGER_FIELDS, *SMALL.text_fields, "activo", "date_created")


def now() -> datetime:
    return NOW


def make_items(dialect: DialectName, table: list[dict[str, Any]]) -> Items:
    store = Store(DIALECTS[dialect]())
    shown = [
        {**row, "date_created": None if row["date_created"] is None else written(instant(row["date_created"]))}
        for row in table
    ]
    store.fill({COLLECTION.name: shown})
    return Items(store, now)


def ordered(found: Sequence[Row], sort: list[str], dialect: DialectName) -> list[Row]:
    """By each key in turn, the last one first: Python's sort is stable, and ties come by id."""
    result = sorted(found, key=lambda row: row["id"])
    for text in reversed(sort):
        name, down = text.removeprefix("-"), text.startswith("-")
        result.sort(key=_sort_key(name, dialect), reverse=down)
    return result


def _sort_key(name: str, dialect: DialectName) -> Callable[[Row], Any]:
    nulls_first = dialect == "sqlite"

    def key(row: Row) -> Any:
        value = row[name]
        if value is None:
            return (0 if nulls_first else 2, ())
        comparable = collation_key(value) if isinstance(value, str) and not nulls_first else value
        return (1, (comparable,))

    return key


@pytest.mark.parametrize("dialect", ["sqlite", "postgres"])
@settings(deadline=None, max_examples=100)
@given(
    table=rows(), tree=filters(), sort=sorts(*SORTABLE), limit=st.integers(0, 5) | st.just(-1), offset=st.integers(0, 4)
)
@example(
    table=[{"id": 1, "ref": "r1", "nombre": "%", "nombre_en": None, "descripcion": "\\", "nivel": None, "orden": 0,
            "activo": None, "date_created": None}],
    tree={"_or": [{"descripcion": {"_contains": "\\"}}, {"nombre": {"_nin": [None, "a"]}}]},
    sort=[], limit=-1, offset=0,
)  # fmt: skip
def test_sql_and_python_find_the_same_rows(
    dialect: DialectName, table: list[dict[str, Any]], tree: dict[str, Any], sort: list[str], limit: int, offset: int
) -> None:
    asked = {"filter": tree, "fields": "id", "sort": sort, "limit": limit, "offset": offset, "meta": "*"}
    query = read_query(asked, COLLECTION.name)
    typed = build(query.filter, COLLECTION, now)
    fitting = [row for row in table if holds(typed, row, exact_case=dialect == "postgres") is True]
    expected = [row["id"] for row in ordered(fitting, sort, dialect)]
    page = expected[offset:] if limit == -1 else expected[offset : offset + limit]

    found = make_items(dialect, table).read(COLLECTION.name, query, READER)
    assert [row["id"] for row in found.rows] == page
    assert found.meta == {"total_count": len(table), "filter_count": len(fitting)}


@pytest.mark.parametrize("dialect", ["sqlite", "postgres"])
@settings(deadline=None, max_examples=40)
@given(table=rows(), phrase=SMALL.texts | st.integers(-3, 12).map(str))
def test_sql_and_python_search_alike(dialect: DialectName, table: list[dict[str, Any]], phrase: str) -> None:
    query = read_query({"search": phrase, "fields": "id", "limit": -1}, COLLECTION.name)
    typed = search_filter(query.search, COLLECTION, COLLECTION.by_name)
    full = [{**dict.fromkeys(COLLECTION.by_name), **row} for row in table]
    expected = [row["id"] for row in full if holds(typed, row, exact_case=dialect == "postgres") is True]
    found = make_items(dialect, table).read(COLLECTION.name, query, READER)
    assert [row["id"] for row in found.rows] == expected


@settings(deadline=None, max_examples=40)
@given(table=rows(), tree=filters())
def test_figures_are_those_of_the_rows(table: list[dict[str, Any]], tree: dict[str, Any]) -> None:
    asked = {"filter": tree, "aggregate": {"count": "orden", "sum": "orden", "max": "orden"}, "groupBy": "nivel"}
    query = read_query({**asked, "limit": -1}, COLLECTION.name)
    typed = build(query.filter, COLLECTION, now)
    fitting = [row for row in table if holds(typed, row) is True]
    levels = sorted({row["nivel"] for row in fitting}, key=lambda level: (level is not None, level or 0))
    found = make_items("sqlite", table).read(COLLECTION.name, query, READER).rows
    assert [row["nivel"] for row in found] == levels
    for row in found:
        members = [one["orden"] for one in fitting if one["nivel"] == row["nivel"]]
        known = [order for order in members if order is not None]
        assert row["sum"]["orden"] == (sum(known) if known else None)
        assert row["max"]["orden"] == max(known, default=None)
