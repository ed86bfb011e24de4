"""`given.include`: a starting world that several files share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tzzr_scenarios import files, runner
from tzzr_scenarios.language.load import ScenarioFile, load
from tzzr_scenarios.language.longform import long_form
from tzzr_scenarios.language.mistakes import FileMistakes

SHARED = """seed: 3
era: 2025-11-25
faults: ["grace: first call fails with 503"]
settings: { LOG_LEVEL: DEBUG, TZZR_CALL_TIMEOUT_S: 20 }
"""
OWN = """scenario: A world is shared with other files
given:
  include: _shared.yaml
  seed: 4
  faults: ["grace: every call takes 100ms"]
  settings: { TZZR_CALL_TIMEOUT_S: 30 }
steps:
  - call: generar_hash
    with: { texto: hola }
    upstream: { grace: [{ POST: /run, times: 2 }] }
"""


def loaded(folder: Path, shared: str = SHARED, own: str = OWN) -> ScenarioFile:
    (folder / "_shared.yaml").write_text(shared)
    path = folder / "x.yaml"
    path.write_text(own)
    return load(path, "x.yaml")


def test_both_worlds_are_one_and_the_scenario_s_own_goes_before(tmp_path: Path) -> None:
    file = loaded(tmp_path)
    given = file.scenario.given
    assert (given.seed, given.era) == (4, "2025-11-25")
    assert given.faults == ("grace: first call fails with 503", "grace: every call takes 100ms")
    assert given.settings == {"LOG_LEVEL": "DEBUG", "TZZR_CALL_TIMEOUT_S": 30}
    result = runner.run_one(file, runner.Settings())
    assert (result.verdict, result.problem, result.seed) == ("passed", "", 4)


def test_the_long_form_holds_what_was_included(tmp_path: Path) -> None:
    said = long_form(loaded(tmp_path).scenario)["given"]
    assert "include" not in said
    assert len(said["faults"]) == 2


def test_an_included_file_is_no_scenario(tmp_path: Path) -> None:
    loaded(tmp_path)
    assert [path.name for path in files.below(tmp_path)] == ["x.yaml"]


@pytest.mark.parametrize(
    ("shared", "name", "told"),
    [
        ("sed: 3\n", "_shared.yaml", '_shared.yaml:1:1  "sed" is not a key of given; did you mean "seed"?'),
        ('faults:\n  - "grace: OCR_LOCL is down"\n', "_shared.yaml", "_shared.yaml:2:13  "),
        ("seed: [\n", "_shared.yaml", "_shared.yaml:2:1  not YAML"),
        ("include: _other.yaml\n", "_shared.yaml", "_shared.yaml:1:1  an included file includes no other"),
        ("- a\n", "_shared.yaml", "_shared.yaml:1:1  "),
        ("seed: 3\n", "_sharde.yaml", "did you mean _shared.yaml?"),
        ("seed: 3\n", "shared.yaml", "rename it: _shared.yaml"),
    ],
)
def test_a_wrong_include_is_told_at_its_place(tmp_path: Path, shared: str, name: str, told: str) -> None:
    with pytest.raises(FileMistakes) as caught:
        loaded(tmp_path, shared, OWN.replace("_shared.yaml", name))
    assert told in str(caught.value)
