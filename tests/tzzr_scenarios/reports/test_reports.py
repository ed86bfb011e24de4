"""The reports: what people read in the terminal, what machines read, and the page to look at."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console

from tests.conftest import GOLDEN
from tests.tzzr_scenarios.playing import play
from tzzr_scenarios.events import Event, RunEnded, RunStarted, ScenarioEnded, ScenarioResult
from tzzr_scenarios.reports.html import HtmlReport
from tzzr_scenarios.reports.json_lines import JsonReport
from tzzr_scenarios.reports.terminal import TerminalReport, slowest, spoken, theme
from tzzr_scenarios.stage import Offered

FALLBACK = """given:
  faults:
    - grace: OCR_LOCAL is down
    - grace: first call fails with 503
steps:
  - call: ocr
    with: { imagen_base64: { base64: documents/facturas/factura-luz.png } }
    expect:
      hops: [OCR_LOCAL ✗ MODULE_UNAVAILABLE, OCR_OPENAI ✓]
    upstream:
      grace: [{ POST: /run, module: OCR_CORE, times: 3 }]
"""
BROKEN = "steps:\n  - call: resumir\n    with: { texto: { file: nowhere.txt } }\n"
PASSED = "steps:\n  - call: generar_hash\n    with: { texto: '</script><b>hola</b>' }\n"
OFFERED = Offered(("ocr", "resumir", "generar_hash"), ("tzzr://grace/modules",), ("analizar_factura",))


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> list[ScenarioResult]:
    """One failed, one broken, one passed."""
    folder = tmp_path_factory.mktemp("played")
    return [play(folder, text) for text in (FALLBACK, BROKEN, PASSED)]


def ended(results: list[ScenarioResult]) -> RunEnded:
    """The last event of a run, with a duration that never varies."""
    return RunEnded(results, 7, 0.5)


def a_run(results: list[ScenarioResult]) -> list[Event]:
    """Every event of a run."""
    return [RunStarted([], 7), *(ScenarioEnded(result) for result in results), ended(results)]


def printed(results: list[ScenarioResult], **options: bool) -> str:
    """What the terminal report prints of a run."""
    out = io.StringIO()
    report = TerminalReport(Console(file=out, width=120, highlight=False), **options)
    report.event(RunStarted([result.file for result in results], 7))
    for result in results:
        report.event(ScenarioEnded(result))
    report.event(ended(results))
    return out.getvalue()


def test_the_terminal_shows_what_differs_and_what_happened(
    results: list[ScenarioResult], golden_difference: Callable[[Path, str], str]
) -> None:
    assert golden_difference(GOLDEN / "reports" / "terminal.txt", printed(results)) == ""


def test_quiet_leaves_the_bars_out_and_trace_adds_digests(results: list[ScenarioResult]) -> None:
    assert "━" not in printed(results, quiet=True)
    assert f"{results[0].digest}  tried.yaml" in printed(results, trace=True)


def test_machines_get_one_object_a_line(results: list[ScenarioResult]) -> None:
    out = io.StringIO()
    report = JsonReport(out)
    for event in a_run(results):
        report.event(event)
    rows = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [row["event"] for row in rows] == ["run", "scenario", "scenario", "scenario", "summary"]
    assert [row["verdict"] for row in rows[1:4]] == ["failed", "broken", "passed"]
    assert rows[1]["steps"][0]["differences"][0]["path"] == "hops"
    assert rows[-1]["not_passed"] == 2


def test_the_page_holds_every_result_and_nothing_in_it_can_end_the_script(
    results: list[ScenarioResult], tmp_path: Path
) -> None:
    report = HtmlReport(tmp_path / "deep" / "report.html", OFFERED)
    for event in a_run(results):
        report.event(event)
    page = report.path.read_text(encoding="utf-8")
    embedded = re.findall(r'<script type="application/json" id="results">(.*?)</script>', page, re.DOTALL)
    shown = json.loads(embedded[0])
    assert [each["verdict"] for each in shown] == ["failed", "broken", "passed"]
    assert "</script><b>hola</b>" in shown[2]["source"]
    assert "<b>hola" not in page
    assert not re.search(r"__[A-Z]+__", page)
    assert not re.search(r"""(?:src|href)=["']https?:""", page)


def test_the_page_draws_a_fault_a_retry_and_an_error_as_what_they_are(
    results: list[ScenarioResult], tmp_path: Path
) -> None:
    report = HtmlReport(tmp_path / "report.html", OFFERED)
    report.event(ended(results[:1]))
    page = report.path.read_text(encoding="utf-8")
    for mark in ("dot fault", "dot retry", "arrow error"):
        assert mark in page


def test_the_slowest_are_named_when_there_are_many(results: list[ScenarioResult]) -> None:
    took = [(0.2, "a"), (3.0, "b"), (1.04, "c"), (0.5, "d")]
    assert slowest(took) == "3.0 s b · 1.0 s c · 0.5 s d"
    assert "slowest" not in printed(results)
    assert "  slowest 0.0 s tried.yaml · " in printed([*results, *results])


@pytest.mark.parametrize(
    ("seconds", "words"), [(0.4, "0 s"), (40, "40 s"), (61, "1 min 1 s"), (7920, "2 h 12 min"), (3599.6, "1 h 0 min")]
)
def test_a_duration_is_spoken(seconds: float, words: str) -> None:
    assert spoken(seconds) == words


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("grace/fallback/ocr.yaml", "grace · fallback"),
        ("/home/me/scenarios/hst/uno.yaml", "hst"),
        ("mine.yaml", "scenarios"),
    ],
)
def test_a_theme_is_the_folders_of_a_file(name: str, words: str) -> None:
    assert theme(name) == words
