"""Known failures: they do not fail a run, and an entry that no longer holds does."""

from __future__ import annotations

from pathlib import Path

import pytest

from tzzr_scenarios.cli import COULD_NOT_RUN, FAILED, PASSED, main
from tzzr_scenarios.expected import expected_failures
from tzzr_scenarios.files import home
from tzzr_scenarios.language.mistakes import FileMistakes

SCENARIO = """scenario: The hash of a text has a size
cases: [{ id: right, size: 4 }, { id: wrong, size: 5 }]
steps:
  - call: generar_hash
    with: { texto: hola }
    expect: { data: { size_bytes: "${size}" } }
"""


def run(folder: Path, entries: str, *words: str) -> int:
    (folder / "x.yaml").write_text(SCENARIO)
    known = folder / "expected-failures.yaml"
    known.write_text(entries)
    return main(["run", str(folder / "x.yaml"), "--expected-failures", str(known), *words])


def test_a_known_failure_is_told_with_its_reason_and_fails_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    junit = tmp_path / "junit.xml"
    assert run(tmp_path, "x.yaml[wrong]: waits for issue 12\n", "--junit", str(junit), "--github") == PASSED
    out = capsys.readouterr().out
    assert "x.yaml[wrong]  known to fail: waits for issue 12" in out
    assert "1 passed, 1 expected" in out
    assert "::error" not in out
    assert 'failures="0"' in junit.read_text()
    assert '<skipped message="known to fail: waits for issue 12" />' in junit.read_text()


def test_an_entry_that_passes_fails_the_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path, "x.yaml[wrong]: known\nx.yaml[right]: was mended\n") == FAILED
    out = capsys.readouterr().out
    assert "it passed; remove the entry" in out
    assert "1 expected, 1 failed" in out


def test_without_an_entry_it_fails(tmp_path: Path) -> None:
    assert run(tmp_path, "x.yaml[right]: not this row\n", "-k", "wrong") == FAILED


def test_what_could_not_be_carried_out_may_be_known_as_well(tmp_path: Path) -> None:
    (tmp_path / "b.yaml").write_text(
        "scenario: A document is missing\nsteps: [{ call: a, with: { b: { file: c } } }]\n"
    )
    (tmp_path / "known.yaml").write_text("b.yaml: the document is lost\n")
    assert main(["run", str(tmp_path / "b.yaml")]) == COULD_NOT_RUN
    assert main(["run", str(tmp_path / "b.yaml"), "--expected-failures", str(tmp_path / "known.yaml")]) == PASSED


def test_an_entry_that_was_not_run_is_not_stale(tmp_path: Path) -> None:
    assert run(tmp_path, "x.yaml[right]: known\nx.yaml[wrong]: known\n", "-k", "wrong") == PASSED


@pytest.mark.parametrize(
    ("entries", "told"),
    [
        ("x.yaml:\n", "known.yaml:1:8  a known failure needs a reason"),
        ("grace/fallback/asr-todo.yaml: known\n", "did you mean grace/fallback/asr-todos.yaml?"),
        ("x.yaml[wrog]: known\n", "did you mean wrong?"),
        ("x.yaml: known\n", 'the scenario has no row ""'),
        ("- x.yaml\n", "known.yaml:1:1  known failures are a mapping of scenario to reason"),
        ("x.yaml: a\nx.yaml: b\n", '"x.yaml" is given twice'),
        ("x.yaml: [\n", "not YAML"),
    ],
)
def test_a_wrong_entry_is_told(tmp_path: Path, entries: str, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("x.yaml").write_text(SCENARIO)
    Path("known.yaml").write_text(entries)
    with pytest.raises(FileMistakes) as caught:
        expected_failures(Path("known.yaml"))
    assert told in str(caught.value)


def test_no_entries_and_built_in_names_are_fine(tmp_path: Path) -> None:
    known = tmp_path / "known.yaml"
    known.write_text("# nothing is known to fail\n")
    assert expected_failures(known).reasons == {}
    known.write_text("grace/fallback/asr-todos.yaml: known\n")
    assert list(expected_failures(known).reasons) == [(home() / "grace/fallback/asr-todos.yaml", "")]


def test_a_file_that_is_not_there_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.yaml").write_text(SCENARIO)
    assert main(["run", str(tmp_path / "x.yaml"), "--expected-failures", str(tmp_path / "no.yaml")]) == COULD_NOT_RUN
    assert "cannot be read" in capsys.readouterr().err
