"""What CI systems read: JUnit XML and GitHub annotations, whatever characters a scenario meets."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tzzr_scenarios.playing import play
from tzzr_scenarios.events import RunEnded, ScenarioEnded, ScenarioResult
from tzzr_scenarios.matchers import Difference
from tzzr_scenarios.reports.github import GitHubReport, message_text, property_text
from tzzr_scenarios.reports.junit import BODY_SHOWN, JUnitReport

FAILED = """given: { faults: ["grace: first call fails with 503"] }
steps:
  - call: generar_hash
    with: { texto: "a ]]> & <b>" }
    expect: { data: { size_bytes: 5 } }
"""
BROKEN = "steps:\n  - call: resumir\n    with: { texto: { file: nowhere.txt } }\n"
LONG = f"steps:\n  - call: generar_hash\n    with: {{ texto: {'x' * 3 * BODY_SHOWN} }}\n"


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> list[ScenarioResult]:
    """One failed, one broken, one passed."""
    folder = tmp_path_factory.mktemp("played")
    return [play(folder, text) for text in (FAILED, BROKEN, LONG)]


def junit(results: list[ScenarioResult], folder: Path) -> ET.Element:
    report = JUnitReport(folder / "deep" / "junit.xml")
    for result in results:
        report.event(ScenarioEnded(result, 0.25))
    report.event(RunEnded(results, 7, 0.75))
    return ET.fromstring(report.path.read_text(encoding="utf-8"))  # noqa: S314 - written the line before


def test_junit_counts_and_names_every_scenario(results: list[ScenarioResult], tmp_path: Path) -> None:
    root = junit(results, tmp_path)
    assert {name: root.get(name) for name in ("tests", "failures", "errors")} == {
        "tests": "3",
        "failures": "1",
        "errors": "1",
    }
    failed, broken, passed = root.iter("testcase")
    assert (failed.get("file"), failed.get("time")) == ("tried.yaml", "0.250")
    (told,), (error,) = failed.findall("failure"), broken.findall("error")
    assert told.get("message") == "data.size_bytes: expected 5, got 11"
    assert "what happened" in (told.text or "")
    assert "nowhere.txt" in (error.get("message") or "")
    assert [child.tag for child in passed] == ["system-out"]


def test_junit_has_the_requests_and_answers_inside(results: list[ScenarioResult], tmp_path: Path) -> None:
    failed, _, passed = (case.findtext("system-out") or "" for case in junit(results, tmp_path).iter("testcase"))
    assert failed.count("> POST /v2/grace/run") == 2
    assert "< 503" in failed
    assert '"content":"a ]]> & <b>"' in failed
    assert f"{'x' * 1000}" in passed
    assert "bytes in all" in passed
    assert "x" * BODY_SHOWN not in passed


@given(st.text())
def test_junit_holds_any_text_that_a_scenario_meets(
    results: list[ScenarioResult], tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    met = replace(results[0], differences=(Difference("text", text, text),))
    root = junit([met], tmp_path_factory.mktemp("any"))
    told = root.findtext("*/testcase/failure") or ""
    lines = text.splitlines() or [""]
    assert all(each.strip() in told for each in lines if each.isprintable())


def annotated(results: list[ScenarioResult], root: Path) -> list[str]:
    out = io.StringIO()
    report = GitHubReport(out, root)
    for result in results:
        report.event(ScenarioEnded(result))
    return out.getvalue().splitlines()


def test_github_is_told_the_line_of_every_failure(results: list[ScenarioResult]) -> None:
    failed, broken = annotated(results, results[0].file.path.parent)
    title = "title=A scenario of the tests"
    assert failed.startswith(f"::error file=tried.yaml,line=4,{title}::call generar_hash%0Adata.size_bytes: expected 5")
    assert broken.startswith(f"::error file=tried.yaml,line=1,{title}::could not be carried out: ")


def test_a_file_beyond_the_checkout_is_named_whole(results: list[ScenarioResult], tmp_path: Path) -> None:
    (told,) = annotated(results[:1], tmp_path)
    assert f"file={results[0].file.path.resolve()}," in told


@given(st.text())
def test_no_text_ends_an_annotation_or_begins_another(text: str) -> None:
    assert not set("\r\n") & set(message_text(text))
    assert not set("\r\n:,") & set(property_text(text))
    back = message_text(text).replace("%0A", "\n").replace("%0D", "\r").replace("%25", "%")
    assert back == text
