"""The page on searches: its program is run, and what it writes is what the page shows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from tests.docs.blocks import blocks
from tzzr_scenarios.cli import FAILED, main
from tzzr_scenarios.search import Broken

PAGE = Path(__file__).parents[2] / "docs" / "searching.md"


@pytest.mark.slow
def test_the_search_of_the_page_writes_the_file_that_the_page_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    [program], [shown] = blocks(PAGE, "python"), blocks(PAGE, "yaml")
    names: dict[str, Any] = {}
    exec(compile(program, "searching.md", "exec"), names)  # noqa: S102 - the page's own program
    search = settings(database=None, derandomize=True, max_examples=20)(names["test_every_word_has_three_letters"])
    with pytest.raises(Broken, match=r"written down: found/data-\w+\.yaml"):
        search()
    (path,) = Path("found").iterdir()
    schema, _, rest = path.read_text(encoding="utf-8").partition("\n")
    assert schema.startswith("# yaml-language-server:")
    assert rest == shown
    assert main(["run", "found/"]) == FAILED
    assert "size_bytes" in capsys.readouterr().out
