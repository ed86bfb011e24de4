"""Transport equivalence: the same files over every transport in both eras, with the same results."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from tests.tzzr_scenarios.playing import HEAD
from tzzr_mcp.seams import SystemClock
from tzzr_scenarios import files, matrix, runner
from tzzr_scenarios.cli import PASSED, main
from tzzr_scenarios.events import ScenarioEnded, ScenarioResult
from tzzr_scenarios.language.load import ScenarioFile, load, load_each
from tzzr_scenarios.observation import Observation
from tzzr_scenarios.stage import ERAS
from tzzr_scenarios.wires import WIRES

BUSY = f"""{HEAD}given: {{ faults: ["grace: first call fails with 503"] }}
steps:
  - call: clasificar
    with: {{ texto: Factura de la luz }}
    expect: {{ data: {{ category: factura }}, progress: {{ length: {{ ge: 1 }} }} }}
  - call: ocr
    with: {{ archivo: facturas/factura-simple.png }}
  - list: tools
  - read: tzzr://grace/modules
  - prompt: analizar_factura
    with: {{ texto_factura: Factura 1 }}
  - call: clasificar
    expect: {{ error: {{ any: true }} }}
  - read: tzzr://hst/tag/nada
    expect: {{ protocol_error: {{ any: true }} }}
  - call: no_existe
    expect: {{ protocol_error: -32602 }}
  - advance: 3h
  - restart: server
  - call: generar_hash
    with: {{ texto: hola }}
"""


SHORT = f"""{HEAD}given: {{ faults: ["grace: OCR_LOCAL is down"] }}
steps:
  - call: ocr
    with: {{ archivo: facturas/factura-simple.png }}
    expect: {{ hops: [OCR_LOCAL ✗ MODULE_UNAVAILABLE, OCR_GROQ ✓], progress: {{ any: true }} }}
    save: {{ text: $.data.text }}
  - restart: server
  - read: tzzr://servers/status
  - call: clasificar
    with: {{ texto: "${{text}}" }}
    expect: {{ data: {{ category: factura }}, takes: {{ any: true }} }}
    upstream: {{ grace: [{{ POST: /run, module: CLASSIFIER, times: 1 }}] }}
  - read: tzzr://hst/tag/nada
    expect: {{ protocol_error: {{ any: true }} }}
after: {{ computed: {{ OCR_GROQ: 1 }} }}
"""
OVER_STDIO = runner.Settings(wire="stdio")


def real(test: Callable[..., None]) -> Callable[..., None]:
    """A test that starts processes, which reach the fakes on ports."""
    marked: Callable[..., None] = pytest.mark.slow(pytest.mark.enable_socket(test))
    return marked


def cells(file: ScenarioFile) -> list[ScenarioResult]:
    events = matrix.run([file], runner.Settings(), runner.clock_reader(SystemClock()))
    return [event.result for event in events if isinstance(event, ScenarioEnded)]


def written(folder: Path, text: str) -> Path:
    path = folder / "x.yaml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.slow
def test_every_cell_is_played_and_shows_the_same(tmp_path: Path) -> None:
    results = cells(load(written(tmp_path, BUSY)))
    assert [(result.era, result.wire) for result in results] == [(era, wire) for era in ERAS for wire in WIRES]
    one_era = ["passed", "passed", "passed", "skipped"]
    assert [(result.verdict, result.problem, result.differences) for result in results] == [
        (verdict, "", ()) for verdict in one_era * 2
    ]


def test_what_would_take_long_in_a_process_is_skipped_with_the_reason(tmp_path: Path) -> None:
    result = runner.run_one(load(written(tmp_path, f"{HEAD}steps: [{{ advance: 2h }}]\n")), OVER_STDIO)
    assert (result.verdict, result.fine) == ("skipped", True)
    assert result.reason == "would take 7200 s in real time, and over stdio a scenario gets 4 s"


@real
def test_a_process_is_held_to_the_same_results(tmp_path: Path) -> None:
    results = cells(load(written(tmp_path, SHORT)))
    assert [(result.wire, result.verdict, result.problem, result.differences) for result in results] == [
        (wire, "passed", "", ()) for _ in ERAS for wire in WIRES
    ]


@real
def test_a_process_takes_its_time_and_nothing_else(tmp_path: Path) -> None:
    late = SHORT.replace("progress: { any: true }", "within: 0.001s")
    assert runner.run_one(load(written(tmp_path, late)), OVER_STDIO).verdict == "passed"
    bad = SHORT.replace("OCR_GROQ ✓", "OCR_OPENAI ✓")
    assert runner.run_one(load(written(tmp_path, bad)), OVER_STDIO).verdict == "failed"


@real
def test_a_fault_that_only_a_client_meets_is_no_failure_over_stdio(tmp_path: Path) -> None:
    text = f'{HEAD}given: {{ faults: ["hst: connection refused"] }}\nsteps: [{{ list: tools }}]\n'
    result = runner.run_one(load(written(tmp_path, text)), OVER_STDIO)
    assert result.verdict == "skipped"
    assert "use it in process" in result.reason


@real
def test_a_server_that_cannot_start_tells_why(tmp_path: Path) -> None:
    text = f"{HEAD}given: {{ settings: {{ TZZR_MAX_CALLS: none }} }}\nsteps: [{{ list: tools }}]\n"
    result = runner.run_one(load(written(tmp_path, text)), OVER_STDIO)
    assert result.verdict == "broken"
    assert "TZZR_MAX_CALLS" in result.problem


@pytest.mark.slow
@pytest.mark.enable_socket
@pytest.mark.parametrize("name", [name for _, name in files.find([])][::40])
def test_a_built_in_scenario_is_the_same_over_every_transport(name: str) -> None:
    for file in load_each(files.home() / name, name):
        results = [each for each in cells(file) if not (each.wire == "stdio" and each.verdict == "skipped")]
        told = [(each.era, each.wire, each.problem, each.differences) for each in results if each.verdict != "passed"]
        assert told == []
        assert len(results) > 1


def test_a_scenario_of_one_era_is_played_in_that(tmp_path: Path) -> None:
    text = f"{HEAD}given: {{ era: 2025-11-25 }}\nsteps: [{{ list: prompts }}, {{ advance: 1h }}]\n"
    assert {result.era for result in cells(load(written(tmp_path, text)))} == {"2025-11-25"}


@pytest.fixture(scope="module")
def measure(tmp_path_factory: pytest.TempPathFactory) -> ScenarioResult:
    """The first cell of a scenario."""
    file = load(written(tmp_path_factory.mktemp("measure"), BUSY))
    return runner.run_one(file, runner.Settings())


def changed(result: ScenarioResult, change: Callable[[Observation], Observation]) -> ScenarioResult:
    """The result with another observation in its first step."""
    first, *rest = result.steps
    assert first.seen is not None
    return replace(result, steps=[replace(first, seen=change(first.seen)), *rest])


OTHER: dict[str, Any] = {
    "text": "otro",
    "structured": {"data": {}},
    "data": 1,
    "error": {"code": "X"},
    "protocol_error": {"code": 1},
    "progress": ["x"],
    "values": ("x",),
    "meta": {"cached": "x"},
    "chat": {"tools": []},
    "results": ({"texts": ["x"]},),
}


@pytest.mark.parametrize("name", sorted({field.name for field in fields(Observation)} - matrix.DIFFERS.keys()))
def test_whatever_else_differs_fails_a_cell(measure: ScenarioResult, name: str) -> None:
    other = changed(measure, lambda seen: replace(seen, **{name: OTHER[name]}))
    result = matrix.compared(measure, other)
    assert result.verdict == "failed"
    assert [each.path for each in result.differences] == [f"matrix.line {measure.steps[0].line} {name}"]


def test_what_is_listed_may_differ(measure: ScenarioResult) -> None:
    def change(seen: Observation) -> Observation:
        meta = {name.removeprefix("meta."): "other" for name in matrix.DIFFERS if name.startswith("meta.")}
        return replace(seen, elapsed=99.0, meta={**seen.meta, **meta})

    assert matrix.compared(measure, changed(measure, change)).verdict == "passed"


def test_a_request_more_or_a_step_less_fails_a_cell(measure: ScenarioResult) -> None:
    more = matrix.compared(measure, replace(measure, exchanges=[*measure.exchanges, measure.exchanges[0]]))
    assert more.differences[0].path.startswith("matrix.upstream grace POST")
    less = matrix.compared(measure, replace(measure, steps=measure.steps[1:]))
    assert (less.differences[0].expected, less.differences[0].got) == ("1 times", "0 times")


def test_the_command_plays_the_matrix_and_one_transport(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(written(tmp_path, f"{HEAD}steps: [{{ list: tools }}, {{ advance: 1h }}]\n"))
    assert main(["run", path, "--matrix"]) == PASSED
    out = capsys.readouterr().out
    assert "8 scenarios, 6 passed, 2 skipped" in out
    assert "2026-07-28 stdio: would take 3600 s in real time" in out
    bad = str(written(tmp_path, f"{HEAD}steps: [{{ list: tools, expect: {{ values: [] }} }}]\n"))
    main(["run", bad, "--wire", "sse"])
    assert "--era 2026-07-28 --wire sse" in capsys.readouterr().out
