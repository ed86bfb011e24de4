"""The long form: a file that says the same without short forms."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tzzr_scenarios.language.test_places import VALUES
from tests.tzzr_scenarios.playing import HEAD, play
from tzzr_scenarios import files
from tzzr_scenarios.language.load import ScenarioFile, load
from tzzr_scenarios.language.longform import long_form
from tzzr_scenarios.language.places import read, written

BUSY = """given:
  faults:
    - grace: first 2 calls fail with 503
    - grace: OCR_LOCAL is down optional
steps:
  - call: generar_hash
    with: { texto: hola }
    timeout: 1min
    expect: { within: 30s, data: { size_bytes: { gt: 3 } } }
  - inject: "grace: every call fails with 401"
  - call: generar_hash
    with: { texto: otra }
    expect: { error: GRACE_AUTH }
  - heal: every call fails with 401
  - repeat: 2
    steps: [{ advance: 200ms }, { parallel: [{ call: generar_hash, with: { texto: a } }] }]
"""


def loaded(folder: Path, text: str) -> ScenarioFile:
    path = folder / "x.yaml"
    path.write_text(text, encoding="utf-8")
    return load(path)


def explained(file: ScenarioFile) -> dict[str, Any]:
    return long_form(file.scenario)


def test_short_forms_are_expanded(tmp_path: Path) -> None:
    said = explained(loaded(tmp_path, HEAD + BUSY))
    first, second = said["given"]["faults"]
    assert first["match"]["service"] == "grace"
    assert first["schedule"] == {"first": 2}
    assert first["effect"]["status"] == 503
    assert second["match"]["module"] == "OCR_LOCAL"
    assert second["optional"] is True
    call, inject, *_ = said["steps"]
    assert (call["timeout"], call["expect"]["within"]) == (60.0, 30.0)
    assert inject["inject"]["id"] == "every call fails with 401"
    assert said["steps"][-1]["steps"][0] == {"advance": 0.2}


def test_the_long_form_is_a_file_that_does_the_same(tmp_path: Path) -> None:
    short = play(tmp_path, BUSY)
    file = loaded(tmp_path, written(explained(loaded(tmp_path, HEAD + BUSY))))
    long = play(tmp_path, file.document.text.partition("\n")[2])
    assert short.verdict == long.verdict == "passed", (short.problem, long.problem)
    assert [(step.title.partition(" ")[0], step.begin, step.end) for step in short.steps] == [
        (step.title.partition(" ")[0], step.begin, step.end) for step in long.steps
    ]


@pytest.mark.parametrize("name", [name for _, name in files.find([])][::10])
def test_the_long_form_of_a_built_in_scenario_is_its_own_long_form(name: str, tmp_path: Path) -> None:
    once = explained(load(files.home() / name))
    assert explained(loaded(tmp_path, written(once))) == once


@given(VALUES)
def test_what_is_written_is_read_as_the_same_value(value: object) -> None:
    document = read("a.yaml", written(value))
    assert not document.mistakes
    assert document.value == value


@given(st.sampled_from(["no", "2e3", "012", "1:30", "~", "null", "7", "true", "a: b", "- x", "", " a", "é\n\nb ", "#"]))
def test_text_that_looks_like_more_stays_text(word: str) -> None:
    assert read("a.yaml", written({"key": word})).value == {"key": word}
