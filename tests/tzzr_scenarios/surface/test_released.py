"""What is demanded of a change, and what a release may be called."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from tzzr_scenarios.surface.changes import Change, Weight
from tzzr_scenarios.surface.released import Fragment, Unfit, fragments, freeze, next_version, problems, read

BROKEN = Change(Weight.BREAKING, "tools/ocr/input/properties/idioma", "takes less", {"type": "string"}, False)
ADDED = Change(Weight.ADDITIVE, "settings/TZZR_X", "is new", None, {"required": False})
WORDED = Change(Weight.WORDING, "tools/ocr/title", "changed", "Leer", "Leer una imagen")


def told(weight: Weight | None, text: str = "`ocr` takes no language any more; leave it out.") -> Fragment:
    return Fragment(f"+x.{weight}.md", weight, text)


def untold(changes: Sequence[Change], *fragments: Fragment, present: str = "0.1.0") -> list[str]:
    return list(problems(changes, fragments, ("0.1.0", present)))


def test_a_change_that_is_not_told_is_named_with_its_values_and_the_next_command() -> None:
    (problem,) = untold([WORDED])

    assert problem.splitlines() == [
        "wording: tools/ocr/title changed",
        '  old: "Leer"',
        '  new: "Leer una imagen"',
        "next: towncrier create --content '`ocr`: WHAT IS OTHERWISE, AND WHAT TO DO.' +ocr.wording.md",
    ]


@pytest.mark.parametrize("change", [WORDED, ADDED, BROKEN], ids=lambda change: str(change.weight))
def test_a_fragment_of_its_weight_or_a_heavier_one_will_do_and_no_lighter_one(change: Change) -> None:
    for weight in Weight:
        text = "`ocr` and `TZZR_X`"
        assert (untold([change], told(weight, text)) == []) is (weight >= change.weight)
    assert untold([change], told(None))


def test_what_breaks_must_be_named() -> None:
    assert untold([BROKEN], told(Weight.BREAKING)) == []
    (problem,) = untold([BROKEN], told(Weight.BREAKING, "Much is better now."))
    assert problem.endswith("+ocr.breaking.md")


def test_a_demand_is_met_by_no_fragment() -> None:
    change = Change(Weight.BREAKING, "contract/request/$id", "breaks", "1", "1", "raise it")
    assert untold([change], told(Weight.BREAKING, "request")) == [
        'breaking: contract/request/$id breaks\n  old: "1"\n  new: "1"\nnext: raise it'
    ]


@pytest.mark.parametrize(
    ("released", "changes", "least"),
    [
        ("0.1.0", [], "0.1.1"),
        ("0.1.0", [WORDED], "0.1.1"),
        ("0.1.3", [ADDED], "0.1.4"),
        ("0.1.3", [ADDED, BROKEN], "0.2.0"),
        ("1.2.3", [WORDED], "1.2.4"),
        ("1.2.3", [ADDED], "1.3.0"),
        ("1.2.3", [BROKEN], "2.0.0"),
    ],
)
def test_the_next_version_goes_by_the_heaviest_change(released: str, changes: Sequence[Change], least: str) -> None:
    assert next_version(released, changes) == least


def test_a_version_that_was_raised_must_be_raised_far_enough() -> None:
    assert untold([BROKEN], told(Weight.BREAKING), present="0.2.0") == []
    (problem,) = untold([BROKEN], told(Weight.BREAKING), present="0.1.1")
    assert problem.startswith("version 0.1.1 is too low: after 0.1.0 such changes demand 0.2.0")


def test_a_release_freezes_the_surface_unless_its_version_is_too_low(tmp_path: Path) -> None:
    path = tmp_path / "released.json"
    path.write_text('{"version": "0.1.0", "tools": {"ocr": {}}}')

    with pytest.raises(Unfit, match=r"0\.1\.7 is too low after 0\.1\.0: the heaviest change is breaking; give 0\.2\.0"):
        freeze({"version": "0.1.0", "tools": {}}, "0.1.7", [BROKEN], path)
    assert read(path)["version"] == "0.1.0"
    freeze({"version": "0.1.0", "tools": {}}, "0.2.0", [BROKEN], path)
    assert json.loads(path.read_text()) == {"version": "0.2.0", "tools": {}}


def test_fragments_are_read_by_their_names_and_a_wrong_name_is_told_with_the_types(tmp_path: Path) -> None:
    for name in ("+ocr.breaking.md", "+ocr.breaking.1.md", "12.fixed.md", "README.md"):
        (tmp_path / name).write_text("x")
    assert [fragment.weight for fragment in fragments(tmp_path)] == [Weight.BREAKING, Weight.BREAKING, None]

    (tmp_path / "+ocr.feature.md").write_text("x")
    with pytest.raises(
        Unfit, match=r"'feature' is no type of change; name it .* one of wording, additive, breaking, fixed"
    ):
        fragments(tmp_path)


@pytest.mark.parametrize("text", ["", "[]", '{"version": "1"}'])
def test_what_is_no_surface_is_told_with_the_way_to_write_one(text: str, tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text(text)
    with pytest.raises(Unfit, match="tzzr surface > FILE writes one"):
        read(tmp_path / "x.json")
