"""Names that a scenario uses."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tzzr_scenarios.playing import HEAD
from tzzr_scenarios.language.load import load, load_each
from tzzr_scenarios.language.mistakes import FileMistakes


def written(folder: Path, text: str) -> Path:
    path = folder / "x.yaml"
    path.write_text(f"{HEAD}{text}", encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "steps",
    [
        "[{ call: a, save: { x: $.text } }, { call: b, with: { y: '${x}' } }]",
        "[{ call: a, save: { x: $.text }, upstream: { grace: [{ POST: /run, body: { a: '${x}' } }] } }]",
        "[{ parallel: [{ call: a, save: { x: $.text } }] }, { call: b, expect: { text: { contains: '${x}' } } }]",
        "[{ until: { call: a, save: { x: $.text } }, limit: 5s }, { read: 'tzzr://hst/tag/${x}' }]",
        "[{ repeat: 2, steps: [{ call: a, save: { x: $.text } }] }, { prompt: p, with: { y: '${x}' } }]",
    ],
)
def test_what_was_saved_before_is_known(tmp_path: Path, steps: str) -> None:
    assert load(written(tmp_path, f"steps: {steps}\n")).scenario.steps


@pytest.mark.parametrize(
    ("steps", "place"),
    [
        ("[{ call: b, with: { y: '${x}' } }, { call: a, save: { x: $.text } }]", "2:31"),
        ("[{ parallel: [{ call: b, with: { y: [1, '${x}'] } }] }]", "2:48"),
        ("[{ until: { read: 'a${x}' }, limit: 5s }]", "2:26"),
    ],
)
def test_what_was_not_is_told_at_its_place(tmp_path: Path, steps: str, place: str) -> None:
    with pytest.raises(FileMistakes, match=rf"x.yaml:{place}  \$\{{x\}} is neither saved"):
        load(written(tmp_path, f"steps: {steps}\n"), "x.yaml")


def test_columns_of_the_rows_are_known(tmp_path: Path) -> None:
    text = "cases: [{ a: 1 }, { a: 2 }]\nsteps: [{ call: b, with: { y: '${a}' } }]\n"
    assert len(load_each(written(tmp_path, text))) == 2
