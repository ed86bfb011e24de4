"""Rows as files: the forms of YAML and XML, as the writers under a real Directus give them."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from tests.tzzr_mocks.hst.asking import get, make_fake
from tzzr_mocks.hst.errors import Refusal
from tzzr_mocks.hst.exports.xml_file import to_xml
from tzzr_mocks.hst.exports.yaml_file import to_yaml

ROW = {
    "id": 1, "n": None, "t": True, "m": {"color": "añil", "f": ["x", "y"], "e": [], "o": {}}, "x": 1.5,
    "nl": "dos\nlíneas", "emp": "", "s": "  con  ", "amp": "a & <b> ]]>",
}  # fmt: skip


def test_xml_repeats_an_element_for_each_item_of_a_list() -> None:
    assert to_xml([{"id": 1, "f": ["x", "y"], "e": [], "o": {}, "n": None, "emp": ""}]) == (
        "<?xml version='1.0'?>\n<data>\n    <data>\n        <id>1</id>\n        <f>x</f>\n        <f>y</f>\n"
        "        <o/>\n        <n>null</n>\n        <emp/>\n    </data>\n</data>"
    )
    assert to_xml([]) == "<?xml version='1.0'?>\n<data/>"
    assert to_xml({"a": "x & <y>"}) == "<?xml version='1.0'?>\n<data>\n    <a>x &amp; &lt;y></a>\n</data>"


@pytest.mark.parametrize("row", [{"a b": 1}, {"1x": 1}, {"a": "\x07"}])
def test_what_xml_cannot_hold_is_a_mistake_of_the_server(row: dict[str, Any]) -> None:
    with pytest.raises(Refusal, match="not allowed in XML"):
        to_xml([row])


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("ES", "ES"), ("", "''"), ("123", "'123'"), ("0123", "'0123'"), ("1e3", "'1e3'"), ("0x1", "'0x1'"),
        ("null", "'null'"), ("true", "'true'"), ("y", "'y'"), ("No", "'No'"), ("~", "'~'"), ("12:30", "'12:30'"),
        ("2020-01-01", "'2020-01-01'"), ("2023-08-28T16:29:24.000Z", "'2023-08-28T16:29:24.000Z'"),
        ("a:b", "a:b"), ("a: b", "'a: b'"), ("a#b", "a#b"), ("a #b", "'a #b'"), ("- x", "'- x'"), ("x:", "'x:'"),
        ("O'Donnell", "O'Donnell"), ("'x", "'''x'"), ("100% x", "100% x"), ("%x", "'%x'"), ("coma, y", "coma, y"),
        ("  con  ", "'  con  '"), ("a\tb", '"a\\tb"'), ("a\x07", '"a\\a"'), ("a\u2028", '"a\\L"'),
        ("dos\nlíneas", "|-\n    dos\n    líneas"), ("fin\n", "|\n    fin"), ("fin\n\n", "|+\n    fin\n"),
        (" x\ny", "|2-\n     x\n    y"), (None, "null"), (True, "true"), (1.5, "1.5"), ([], "[]"), ({}, "{}"),
        ("🎉", "🎉"),
    ],
)  # fmt: skip
def test_yaml_writes_a_value_the_plainest_way_that_reads_back(value: Any, written: str) -> None:
    assert to_yaml([{"v": value}]) == f"- v: {written}\n"


def test_yaml_folds_long_lines_at_blanks() -> None:
    text = "palabra " * 15 + "fin"
    lines = to_yaml([{"v": text}]).splitlines()
    assert lines[0] == "- v: >-"
    assert all(len(line) <= 80 for line in lines)
    assert len(lines) == 3


def test_yaml_indents_lists_under_their_key() -> None:
    assert to_yaml([{"m": {"f": ["x", {"y": 1}]}}]) == "- m:\n    f:\n      - x\n      - 'y': 1\n"
    assert to_yaml([1, [2, 3]]) == "- 1\n- - 2\n  - 3\n"
    assert to_yaml([]) == "[]\n"


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**6), 10**6) | st.text("aé:#-'\" \n%1,[]{}&*!|>@`\\🎉~yn.0", max_size=90),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abn1", min_size=1, max_size=3), inner, max_size=3),
    max_leaves=6,
)  # fmt: skip


@given(st.lists(st.dictionaries(st.sampled_from("abc"), json_values, max_size=3), max_size=2))
def test_what_yaml_writes_it_reads_again(rows: list[dict[str, Any]]) -> None:
    assert yaml.safe_load(to_yaml(rows)) == rows


@pytest.mark.parametrize(
    ("word", "kind"), [("xml", "text/xml"), ("yaml", "text/yaml"), ("csv", "text/csv"), ("json", "application/json")]
)
async def test_an_export_is_an_attachment_named_after_collection_and_clock_without_padding(
    word: str, kind: str
) -> None:
    sent = await get(make_fake(), "/items/tags_flg", f"export={word}&limit=1&fields=id")
    assert sent.headers["content-type"].partition(";")[0] == kind
    assert sent.headers["content-disposition"] == f'attachment; filename="tags_flg 20261130-1400.{word}"'
