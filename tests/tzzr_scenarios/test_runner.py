"""The runner: what a step may do, what passes, what fails, what cannot be carried out."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tzzr_scenarios.playing import all_differences, play
from tzzr_mcp.seams import SystemClock
from tzzr_scenarios import runner
from tzzr_scenarios.events import RunEnded, RunStarted, ScenarioEnded
from tzzr_scenarios.language.load import load

CALL = "  - call: generar_hash\n    with: { texto: hola }\n"


def test_a_scenario_passes_when_nothing_differs(tmp_path: Path) -> None:
    result = play(tmp_path, f"steps:\n{CALL}    expect: {{ data: {{ size_bytes: 4 }} }}\n")
    assert (result.verdict, result.problem, all_differences(result)) == ("passed", "", [])
    assert result.steps[0].line == 3
    assert len(result.digest) == 64


def test_a_difference_fails_it_and_names_the_path(tmp_path: Path) -> None:
    result = play(tmp_path, f"steps:\n{CALL}    expect: {{ data: {{ size_bytes: 5 }} }}\n")
    (difference,) = all_differences(result)
    assert result.verdict == "failed"
    assert (difference.path, difference.expected, difference.got) == ("data.size_bytes", "5", "4")


@pytest.mark.parametrize(
    ("expectation", "path"),
    [
        ("error: GRACE_AUTH", "error"),
        ("protocol_error: -32602", "protocol_error"),
        ("hops: [OCR_LOCAL ✓]", "hops"),
        ("text: nada", "text"),
        ("source: { simulated: false }", "source.simulated"),
        ("meta: { simulated: false }", "meta.simulated"),
        ("notice: { any: true }", "notice"),
        ("takes: { gt: 100 }", "takes"),
        ("progress: { length: 99 }", "length of progress"),
    ],
)
def test_each_expectation_can_fail(tmp_path: Path, expectation: str, path: str) -> None:
    result = play(tmp_path, f"steps:\n{CALL}    expect: {{ {expectation} }}\n")
    assert [each.path for each in all_differences(result)] == [path]


def test_an_error_that_nobody_expected_fails(tmp_path: Path) -> None:
    result = play(tmp_path, "steps:\n  - call: clasificar\n")
    (difference,) = all_differences(result)
    assert difference.expected == "success"
    assert "ARGUMENT_INVALID" in difference.got


def test_a_protocol_error_can_be_expected(tmp_path: Path) -> None:
    result = play(tmp_path, "steps:\n  - call: no_existe\n    expect: { protocol_error: -32602 }\n")
    assert result.verdict == "passed", all_differences(result)


def test_upstream_counts_requests_since_the_step_began(tmp_path: Path) -> None:
    request = "    upstream: { grace: [{ POST: /run, module: HASHER, times: 1 }], hst: [] }\n"
    result = play(tmp_path, f"steps:\n{CALL}{request}{CALL.replace('hola', 'adiós')}{request}")
    assert result.verdict == "passed", all_differences(result)


def test_a_request_that_did_not_come_is_told_with_the_nearest(tmp_path: Path) -> None:
    result = play(tmp_path, f"steps:\n{CALL}    upstream: {{ grace: [{{ POST: /run, module: OCR_CORE }}] }}\n")
    (difference,) = all_differences(result)
    assert difference.path == "upstream.grace POST /run OCR_CORE"
    assert "module: wanted OCR_CORE, was HASHER" in difference.got


def test_no_request_is_an_expectation_of_its_own(tmp_path: Path) -> None:
    result = play(tmp_path, f"steps:\n{CALL}    upstream: {{ grace: [] }}\n")
    (difference,) = all_differences(result)
    assert difference.expected == "no request"
    assert "POST /run" in difference.got


def test_a_fault_that_never_fired_fails_unless_it_is_optional(tmp_path: Path) -> None:
    fault = "{ match: { service: grace, module: OCR_LOCAL }, effect: module_down, optional: %s }"
    for optional, verdict in (("false", "failed"), ("true", "passed")):
        result = play(tmp_path, f"given:\n  faults: [{fault % optional}]\nsteps:\n{CALL}")
        assert result.verdict == verdict
    assert (
        "never fired"
        in all_differences(play(tmp_path, f"given:\n  faults: [{fault % 'false'}]\nsteps:\n{CALL}"))[0].got
    )


def test_faults_come_and_go_and_time_passes(tmp_path: Path) -> None:
    text = f"""steps:
  - inject: "grace: every call fails with 401"
{CALL}    expect: {{ error: GRACE_AUTH }}
  - heal: all
  - advance: 10min
{CALL}
"""
    result = play(tmp_path, text)
    assert result.verdict == "passed", all_differences(result)
    assert result.virtual_s >= 600


def test_a_value_is_saved_for_later_steps(tmp_path: Path) -> None:
    text = f"""steps:
{CALL}    save: {{ digest: $.data.digest }}
  - call: generar_hash
    with: {{ texto: "${{digest}}" }}
    expect: {{ data: {{ size_bytes: 64 }} }}
"""
    result = play(tmp_path, text)
    assert result.verdict == "passed", (result.problem, all_differences(result))


def test_a_value_that_could_not_be_saved_breaks_the_scenario(tmp_path: Path) -> None:
    save = "steps:\n  - call: generar_hash\n    with: { texto: hola }\n    save: { nada: $.data.nada }\n"
    result = play(tmp_path, save)
    assert result.verdict == "broken"
    assert result.problem == "save: $.data.nada found nothing in the result"


def test_a_document_that_is_not_there_breaks_the_scenario_with_the_nearest_name(tmp_path: Path) -> None:
    text = "steps:\n  - call: resumir\n    with: { texto: { file: documents/facturas/factura-lus.txt } }\n"
    result = play(tmp_path, text)
    assert result.verdict == "broken"
    assert "did you mean documents/facturas/factura-luz.txt?" in result.problem


def test_parallel_steps_share_the_clock_and_repeat_repeats(tmp_path: Path) -> None:
    slow = "  - parallel:\n    - advance: 10s\n    - advance: 10s\n"
    repeated = "  - repeat: 3\n    steps:\n    - advance: 1s\n"
    result = play(tmp_path, f"steps:\n{slow}{repeated}")
    assert result.verdict == "passed"
    assert result.virtual_s == pytest.approx(13)


def test_a_cancelled_call_cancels_the_job(tmp_path: Path) -> None:
    text = """given:
  faults: ["grace: every call takes 1s", "grace: stuck_in_queue"]
steps:
  - cancel: clasificar
    with: { texto: hola }
    after: 5s
    upstream: { grace: [{ POST: "/cancel/{job_id}", times: 1 }] }
"""
    result = play(tmp_path, text)
    assert result.verdict == "passed", (result.problem, all_differences(result))


def test_the_same_seed_gives_the_same_trace_and_another_one_other_ids(tmp_path: Path) -> None:
    text = f"given:\n  faults: ['grace: first 2 calls fail with 503']\nsteps:\n{CALL}"
    digests = {play(tmp_path, text, seed=7).digest for _ in range(3)}
    assert len(digests) == 1
    other = play(tmp_path, text, seed=8)
    assert other.verdict == "passed"
    assert other.digest not in digests


def test_a_run_yields_its_beginning_each_scenario_and_its_end(tmp_path: Path) -> None:
    path = tmp_path / "one.yaml"
    path.write_text(f"scenario: One of two scenarios\nsteps:\n{CALL}")
    files = [load(path), load(path)]
    yielded = list(runner.run(files, runner.Settings(), runner.clock_reader(SystemClock())))
    assert [type(event) for event in yielded] == [RunStarted, ScenarioEnded, ScenarioEnded, RunEnded]
    end = yielded[-1]
    assert isinstance(end, RunEnded)
    assert len(end.results) == 2
    assert end.failed == []


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("settings: { TZZR_CALL_TIMEOUT: 3 }", "TZZR_CALL_TIMEOUT is no setting of the server; did you mean TZZR_CALL"),
        ("settings: { ZZ: 3 }", "ZZ is no setting of the server; tzzr_mcp's own are listed by mcp-server-tzzr"),
        ("world: recorder", "unknown starting world of hst 'recorder'; did you mean 'recorded'?"),
    ],
)
def test_a_starting_world_that_cannot_be_is_told_with_the_mend(tmp_path: Path, given: str, told: str) -> None:
    result = play(tmp_path, f"given: {{ {given} }}\nsteps: [{{ list: tools }}]\n")
    assert result.verdict == "broken"
    assert result.problem.removeprefix("given.settings: ").startswith(told)
