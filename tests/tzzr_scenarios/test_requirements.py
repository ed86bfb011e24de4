"""Every requirement is proved, and whatever a scenario proves is a requirement."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from tzzr_scenarios import files
from tzzr_scenarios.cli import PASSED, main
from tzzr_scenarios.language.load import ScenarioFile, load_all
from tzzr_scenarios.requirements import Proof, Requirement, proofs, proving, requirements, table

ROOT = Path(__file__).parents[2]


@cache
def catalogue() -> tuple[ScenarioFile, ...]:
    return tuple(load_all(files.find([])))


def test_every_requirement_is_proved_or_says_why_not() -> None:
    assert [proof.requirement.id for proof in proofs(requirements(), catalogue()) if not proof.how] == []


def test_whatever_a_scenario_proves_is_a_requirement() -> None:
    assert sorted(proving(catalogue()).keys() - {each.id for each in requirements()}) == []


def test_no_requirement_is_said_twice_and_none_is_both_proved_and_deferred() -> None:
    assert [name for name, times in Counter(each.id for each in requirements()).items() if times > 1] == []
    proved = proving(catalogue())
    assert [each.id for each in requirements() if each.deferred and (each.test or each.id in proved)] == []


@pytest.mark.parametrize("named", sorted({each.test for each in requirements() if each.test}))
def test_a_test_that_proves_one_is_there(named: str) -> None:
    path, _, name = named.partition("::")
    assert f"def {name}(" in (ROOT / path).read_text(encoding="utf-8")


SOURCES = ("SPEC_MCP §", "the architecture", "the proof of concept", "S-CONTRACT §", "MCP")


def test_every_requirement_has_a_source_that_the_file_names() -> None:
    assert [each.source for each in requirements() if not each.source.startswith(SOURCES)] == []
    assert {source for source in SOURCES for each in requirements() if each.source.startswith(source)} == set(SOURCES)


def test_what_diverges_is_proved_all_the_same() -> None:
    assert [each.id for each in requirements() if each.diverges and each.deferred] == []


def test_a_requirement_met_otherwise_says_how() -> None:
    one = Requirement(id="a.b", source="§1", says="It swims", test="x::y", diverges="it flies")
    assert next(table([Proof(one, ())])).splitlines()[-1].strip() == "otherwise: it flies"


def test_the_table_tells_how_each_is_proved() -> None:
    one = Requirement(id="a.b", source="§1", says="It works")
    later = Requirement(id="a.c", source="§2", says="It flies", deferred="no wings")
    lines = list(table([Proof(one, ["x.yaml", "y.yaml"]), Proof(later, ()), Proof(one, ())]))
    assert "x.yaml and 1 more" in lines[0]
    assert "deferred: no wings" in lines[1]
    assert "not proved" in lines[2]
    assert lines[3] == "3 requirements, 1 proved, 1 deferred, 1 open"


def test_the_command_prints_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--requirements"]) == PASSED
    out = capsys.readouterr().out
    assert "spec.chain.ocr" in out
    assert out.rstrip().endswith(" 0 open")
