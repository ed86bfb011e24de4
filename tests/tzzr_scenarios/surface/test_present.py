"""The one test that stops a change of the surface that nobody has told."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tzzr_scenarios.surface.present import present
from tzzr_mcp import __version__
from tzzr_mcp.contract.errors import Code
from tzzr_scenarios.surface.compared import SURFACE, compare
from tzzr_scenarios.surface.released import PATH, fragments, problems, read, text_of

FRAGMENTS = Path(__file__).parents[3] / "changelog.d"


def test_what_has_changed_since_the_last_release_is_told_in_the_changelog() -> None:
    before = read(PATH)
    found = list(problems(compare(before, present()), fragments(FRAGMENTS), (before["version"], __version__)))
    assert not found, "\n\n".join(["the surface has changed, and changelog.d does not say so", *found])


def test_the_surface_holds_all_that_is_judged_and_nothing_is_empty() -> None:
    surface = present()

    assert {"version", "contract_version", *SURFACE} == surface.keys()
    assert all(surface.values())
    assert set(surface["errors"]) == set(Code)
    assert {"ocr", "calculate_loan_amortization"} <= surface["tools"].keys()
    assert surface["settings"]["RUNPOD_API_KEY"]["secret"]
    assert "--junit" in surface["commands"]["tzzr conform mcp"]["options"]


def test_a_surface_survives_its_file(tmp_path: Path) -> None:
    path = tmp_path / "surface.json"
    path.write_text(text_of(present()), encoding="utf-8")

    assert read(path) == present()
    assert compare(read(path), present()) == []


@pytest.mark.parametrize("name", ["request", "response", "part"])
def test_the_published_schemas_are_known_by_the_version_of_the_contract(name: str) -> None:
    surface = present()

    assert surface["contract"][name]["$id"] == f"urn:tzzr:s-contract:{surface['contract_version']}:{name}"
