"""``tzzr surface``: what it prints and what its exit code says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.tzzr_scenarios.surface.present import present
from tzzr_scenarios.cli import COULD_NOT_RUN, FAILED, PASSED, main
from tzzr_scenarios.surface.released import text_of


@pytest.fixture(autouse=True)
def _collected_once(monkeypatch: pytest.MonkeyPatch) -> None:
    surface = present()

    async def collected() -> object:
        return surface

    monkeypatch.setattr("tzzr_scenarios.commands.surface.surface", collected)


def test_an_upgrade_tells_what_has_changed_and_fails_when_something_breaks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["surface"]) == PASSED
    before = json.loads(capsys.readouterr().out)
    path = tmp_path / "before.json"
    path.write_text(text_of(before))
    assert main(["surface", "--since", str(path)]) == PASSED
    assert capsys.readouterr().out.startswith("since 0.")

    before["tools"]["antes"] = {"title": "Antes"}
    path.write_text(text_of(before))
    assert main(["surface", "--since", str(path)]) == FAILED
    assert capsys.readouterr().out.startswith(
        'breaking: tools/antes is gone\n  old: {"title": "Antes"}\n  new: nothing\n'
    )


def test_what_cannot_be_compared_is_told_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["surface", "--since", str(tmp_path / "none.json")]) == COULD_NOT_RUN
    assert main(["surface", "--check", str(tmp_path / "none")]) == COULD_NOT_RUN
    assert main(["surface", "--freeze", "soon"]) == COULD_NOT_RUN
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 3
    assert all(line.startswith("tzzr surface: ") for line in lines)


def test_a_check_in_a_folder_of_fragments_says_that_all_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    folder = Path(__file__).parents[3] / "changelog.d"
    assert main(["surface", "--check", str(folder)]) == PASSED
    assert capsys.readouterr().out.startswith(f"{folder} says all that has changed since 0.")
