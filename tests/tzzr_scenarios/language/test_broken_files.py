"""Files that are wrong: every mistake is told with file, line, column, caret and a mend."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import GOLDEN
from tzzr_scenarios.language.load import load, load_all
from tzzr_scenarios.language.mistakes import FileMistakes

BROKEN = sorted((GOLDEN / "broken").glob("*.yaml"))


def told(path: Path) -> str:
    """What a run says of one file."""
    with pytest.raises(FileMistakes) as caught:
        load(path, path.name)
    return f"{caught.value}\n"


@pytest.mark.parametrize("path", BROKEN, ids=lambda path: path.stem)
def test_a_broken_file_is_told_as_recorded(path: Path, golden_difference: Callable[[Path, str], str]) -> None:
    assert golden_difference(path.with_suffix(".txt"), told(path)) == ""


@pytest.mark.parametrize("path", BROKEN, ids=lambda path: path.stem)
def test_every_message_has_a_place_a_mend_and_none_of_a_library_s_words(path: Path) -> None:
    text = told(path)
    assert text.startswith(f"{path.name}:")
    assert re.search(r"^\d+ errors?; nothing was run$", text, re.MULTILINE)
    assert not re.search(r"pydantic|Traceback|tuple|dict|validation|yaml\.", text)
    for mistake in re.split(rf"^(?={re.escape(path.name)}:)", text, flags=re.MULTILINE)[1:]:
        assert re.match(r"\S+:\d+:\d+  \S", mistake)
        assert re.search(r"did you mean|: |such as|add|check|got|keep|begin with|needs", mistake.partition("  ")[2])


def test_all_mistakes_of_all_files_are_told_at_once() -> None:
    with pytest.raises(FileMistakes) as caught:
        load_all([(path, path.name) for path in BROKEN])
    assert {mistake.file for mistake in caught.value.mistakes} == {path.name for path in BROKEN}


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    latin = tmp_path / "latin.yaml"
    latin.write_bytes("scenario: ñandú".encode("latin-1"))
    assert "cannot be read" in told(latin)
    with pytest.raises(FileMistakes, match="No such file"):
        load(tmp_path / "nothing.yaml")
