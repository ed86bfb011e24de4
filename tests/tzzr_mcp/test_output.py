"""What a tool returns: two channels, a source, and parts that do not contradict each other."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from tzzr_mcp.output import Chart, Column, Link, Notice, OutputError, Source, Table, ToolOutput, output_schema

AT = datetime(2026, 1, 4, 10, 0, 0, 123456, tzinfo=UTC)
SOURCE = Source("tiny", "computation", AT)
TABLE = Table("t", "T", [Column("a", "A"), Column("b", "B", "number", "€")], [["x", 1.5], [None, True]])
SCHEMA = output_schema({"type": "object"})


def test_a_source_leaves_out_what_is_not_known() -> None:
    assert SOURCE.as_json() == {
        "name": "tiny",
        "kind": "computation",
        "retrieved_at": "2026-01-04T10:00:00.123Z",
        "simulated": False,
    }
    full = Source("HST", "dataset", AT, simulated=True, url="http://x", license="CC0").as_json()
    assert (full["url"], full["license"], full["simulated"]) == ("http://x", "CC0", True)


def test_the_structured_content_has_only_the_parts_that_there_are() -> None:
    assert ToolOutput("x", {"a": 1}, SOURCE).structured() == {"source": SOURCE.as_json(), "data": {"a": 1}}


def test_every_part_has_its_wire_form_and_fits_the_published_schema() -> None:
    output = ToolOutput(
        "x",
        {"a": 1},
        SOURCE,
        tables=[TABLE],
        charts=[Chart("c", "C", "t", "line", "a", ["b"], stacked=True)],
        links=[Link("Ver", "http://x"), Link("Ver", "http://y", "text/html")],
        notice=Notice("warning", "Atención"),
        meta={"attempts": []},
    )
    structured = output.structured()
    assert structured["tables"] == [
        {
            "id": "t",
            "title": "T",
            "columns": [
                {"key": "a", "title": "A", "type": "text"},
                {"key": "b", "title": "B", "type": "number", "unit": "€"},
            ],
            "rows": [["x", 1.5], [None, True]],
        }
    ]
    assert structured["charts"] == [
        {"id": "c", "title": "C", "table": "t", "kind": "line", "x": "a", "y": ["b"], "stacked": True}
    ]
    assert structured["links"][1] == {"title": "Ver", "uri": "http://y", "media_type": "text/html"}
    assert structured["notice"] == {"level": "warning", "text": "Atención"}
    assert "meta" not in structured
    assert Draft202012Validator(SCHEMA).is_valid(structured)


@pytest.mark.parametrize("part", ["source", "data"])
def test_the_schema_demands_source_and_data(part: str) -> None:
    structured = ToolOutput("x", {}, SOURCE).structured()
    del structured[part]
    assert not Draft202012Validator(SCHEMA).is_valid(structured)


@pytest.mark.parametrize(
    ("columns", "rows", "told"),
    [
        (["a", "a"], [], "two columns with one key: \\['a', 'a'\\]; give each its own"),
        (["a", "b"], [[1, 2], [1]], "table 't', row 1: 1 cells for 2 columns"),
        (["a"], [[1, 2]], "row 0: 2 cells for 1 columns"),
    ],
)
def test_a_table_whose_rows_do_not_fit_its_columns_is_refused(columns: list[str], rows: Any, told: str) -> None:
    with pytest.raises(OutputError, match=told):
        Table("t", "T", [Column(key, key) for key in columns], rows)


@pytest.mark.parametrize(
    ("chart", "told"),
    [
        (Chart("c", "C", "u", "bar", "a", ["b"]), "chart 'c' draws table 'u'; there are \\['t'\\]"),
        (Chart("c", "C", "t", "bar", "z", ["b"]), "draws columns \\['z'\\]; table has \\['a', 'b'\\]"),
        (Chart("c", "C", "t", "bar", "a", ["b", "y"]), "draws columns \\['y'\\]"),
    ],
)
def test_a_chart_of_what_is_not_there_is_refused(chart: Chart, told: str) -> None:
    with pytest.raises(OutputError, match=told):
        ToolOutput("x", {}, SOURCE, tables=[TABLE], charts=[chart])


CELLS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()


@given(st.lists(st.text(min_size=1), min_size=1, max_size=4, unique=True), st.data())
def test_every_table_that_is_accepted_fits_the_schema(keys: list[str], data: st.DataObject) -> None:
    rows = data.draw(st.lists(st.lists(CELLS, min_size=len(keys), max_size=len(keys)), max_size=3))
    table = Table("t", "T", [Column(key, key) for key in keys], rows)
    chart = Chart("c", "C", "t", "pie", keys[0], keys)
    structured = ToolOutput("x", {}, SOURCE, tables=[table], charts=[chart]).structured()
    assert [error.message for error in Draft202012Validator(SCHEMA).iter_errors(structured)] == []
    assert structured["tables"][0]["rows"] == rows
