"""Rows: each a scenario of its own, with its cells in the text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tzzr_scenarios.language.test_places import VALUES
from tzzr_scenarios import runner
from tzzr_scenarios.language.cases import Row
from tzzr_scenarios.language.load import ScenarioFile, load_each
from tzzr_scenarios.language.longform import long_form
from tzzr_scenarios.language.mistakes import FileMistakes
from tzzr_scenarios.language.models import CallStep, RepeatStep

HASHES = """scenario: A text of ${bytes} bytes has a hash
cases: %s
steps:
  - call: generar_hash
    with: { texto: "${texto}" }
    expect: { data: { size_bytes: "${bytes}" }, within: "${within}" }
    save: { digest: $.data.digest }
  - call: generar_hash
    with: { texto: "<${texto}> ${digest}" }
"""
IN_FILE = """
  - { id: uno, texto: hola, bytes: 4, within: 5s }
  - { id: dos, texto: "año", bytes: 4, within: 200ms }
"""


def loaded(folder: Path, cases: str) -> list[ScenarioFile]:
    path = folder / "x.yaml"
    path.write_text(HASHES % cases, encoding="utf-8")
    return load_each(path, "x.yaml")


def first_call(file: ScenarioFile) -> CallStep:
    step = file.scenario.steps[0]
    assert isinstance(step, CallStep)
    return step


def test_each_row_is_a_scenario_of_its_own(tmp_path: Path) -> None:
    one, two = loaded(tmp_path, IN_FILE)
    assert (one.id, two.id) == ("x.yaml[uno]", "x.yaml[dos]")
    assert one.scenario.scenario == "A text of 4 bytes has a hash"
    assert (first_call(one).expect.within, first_call(two).expect.within) == (5.0, 0.2)
    results = [runner.run_one(file, runner.Settings()) for file in (one, two)]
    assert [(result.verdict, result.problem) for result in results] == [("passed", "")] * 2
    assert results[1].title == "A text of 4 bytes has a hash [dos]"


def test_a_table_beside_the_file_says_the_same(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(
        '\ufeffid,texto,bytes,within\nuno,hola,4,5s\n\ndos,"año",4,200ms\n', encoding="utf-8"
    )
    rows = '[{"id":"uno","texto":"hola","bytes":4,"within":5},{"id":"dos","texto":"año","bytes":4,"within":0.2}]'
    (tmp_path / "t.json").write_text(rows, encoding="utf-8")
    in_file = [(file.id, file.scenario) for file in loaded(tmp_path, IN_FILE)]
    assert [(file.id, file.scenario) for file in loaded(tmp_path, "{ csv: t.csv }")] == in_file
    assert [(file.id, file.scenario) for file in loaded(tmp_path, "{ json: t.json }")] == in_file


def test_rows_without_ids_are_numbered(tmp_path: Path) -> None:
    rows = "[{ texto: a, bytes: 1, within: 1 }, { texto: b, bytes: 1, within: 1 }]"
    assert [file.case for file in loaded(tmp_path, rows)] == ["1", "2"]


def test_the_long_form_of_a_row_has_its_cells_and_no_table(tmp_path: Path) -> None:
    said = long_form(loaded(tmp_path, IN_FILE)[1].scenario)
    assert "cases" not in said
    assert said["steps"][1]["with"] == {"texto": "<año> ${digest}"}


@pytest.mark.parametrize(
    ("cases", "told"),
    [
        ("[]", "cases has no rows"),
        ("hola", "cases is a list of rows, or names one file"),
        ("{ csv: t.csv, json: t.json }", "cases is a list of rows, or names one file"),
        ("[{ texto: a, bytes: 1, within: 1 }, { texto: b, bytes: 1 }]", 'row 2 differs from the first in "within"'),
        ("[{ texto: a, bytes: 1, within: 1, texo: b }]", 'the column "texo" is used nowhere'),
        ("[{ id: a, texto: a, bytes: 1, within: 1 }, { id: a, texto: b, bytes: 1, within: 1 }]", 'have the id "a"'),
        ("[{ texto: a, bytes: 1, within: 1 }, { texto: b, bytes: 1, within: soon }]", "10min, 2h (case 2)"),
        ("{ csv: tabel.csv }", "did you mean table.csv?"),
        ("{ csv: short.csv }", 'line 3 of "short.csv" has 1 cells, not 2'),
        ("{ csv: quote.csv }", '"quote.csv" is not CSV: line 2'),
        ("{ json: broken.json }", '"broken.json" is not JSON'),
        ("{ json: scalar.json }", '"scalar.json" is not a list of objects'),
    ],
)
def test_a_wrong_table_is_told(tmp_path: Path, cases: str, told: str) -> None:
    files = {
        "table.csv": "a\n1\n",
        "short.csv": "a,b\n1,2\n1\n",
        "quote.csv": 'a\n"1\n',
        "broken.json": "[",
        "scalar.json": "1",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    with pytest.raises(FileMistakes) as caught:
        loaded(tmp_path, cases)
    assert told in str(caught.value)
    assert str(caught.value).startswith("x.yaml:")


@given(VALUES, st.dictionaries(st.sampled_from(["a", "b"]), VALUES))
def test_text_without_columns_is_left_as_it_is(value: Any, cells: dict[str, Any]) -> None:
    if "${" not in str(value):
        assert Row("1", cells).into(value) == value


@given(VALUES)
def test_a_cell_that_stands_alone_keeps_its_type(cell: Any) -> None:
    assert Row("1", {"a": cell}).into({"x": ["${a}", "${b}"]}) == {"x": [cell, "${b}"]}


def test_a_cell_may_be_what_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "n.yaml"
    path.write_text(
        "scenario: Time passes some times\ncases: [{ n: 2 }]\n"
        "steps: [{ repeat: '${n}', steps: [{ advance: '${n}s' }] }]\n"
    )
    (file,) = load_each(path)
    (step,) = file.scenario.steps
    assert isinstance(step, RepeatStep)
    assert step.repeat == 2
    assert runner.run_one(file, runner.Settings()).virtual_s == pytest.approx(4)
