"""The sweep: a sample of its grid holds, its grid has no hole by construction, and it finds what is wrong."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from tzzr_mcp.seams import Dice
from tzzr_mocks.network.virtual import new_virtual_loop
from tzzr_scenarios import coverage, sweep
from tzzr_scenarios.cli import COULD_NOT_RUN, main
from tzzr_scenarios.commands import sweep as command
from tzzr_scenarios.observation import Observation
from tzzr_scenarios.stage import Offered, offered

SAMPLE = 8


@pytest.fixture(scope="module")
def known() -> Offered:
    with asyncio.Runner(loop_factory=new_virtual_loop) as loop:
        return loop.run(offered())


def sample(every: Sequence[sweep.Cell]) -> list[sweep.Cell]:
    """Cells drawn with a seed, each of another fault kind."""
    dice = Dice("a sample of the sweep")
    kinds = sorted({cell.kind for cell in every})
    drawn = [kinds.pop(dice.integer(0, len(kinds) - 1)) for _ in range(SAMPLE)]
    return [dice.choice([cell for cell in every if cell.kind == kind]) for kind in drawn]


def test_a_sample_of_the_grid_holds_and_every_fault_of_it_fires(known: Offered) -> None:
    for finding in sweep.swept(sample(sweep.cells(known)), 7):
        assert (finding.cell, finding.mark, list(finding.broken)) == (finding.cell, "✓", [])


@pytest.mark.slow
def test_the_whole_grid_holds_without_a_hole(known: Offered) -> None:
    findings = list(sweep.swept(sweep.cells(known), 7))
    print("\n".join(sweep.table(findings, known)))
    assert [(each.cell, each.broken) for each in findings if each.broken] == []
    assert [each.cell for each in findings if each.mark != "✓"] == []


def test_tools_that_write_meet_the_faults_of_streams_and_the_others_do_not(known: Offered) -> None:
    streams = {cell.tool for cell in sweep.cells(known) if cell.kind.startswith("stream_")}
    assert streams == {"resumir", "traducir", "ocr", "transcribir"}


def test_every_tool_that_asks_a_service_is_swept_with_every_fault_that_it_can_meet(known: Offered) -> None:
    grid = {(cell.tool, cell.kind) for cell in sweep.cells(known)}
    assert grid == {(tool, kind) for tool, kinds in coverage.reachable(known).items() for kind in kinds}
    assert {tool for tool, _ in grid} == set(sweep.CALLS)


@pytest.mark.parametrize(
    ("seen", "told"),
    [
        (Observation("Hecho.", structured={"data": {}}), "a result without source"),
        (
            Observation("No.", error={"code": "ARGUMENT_INVALID"}),
            "the sweep's own call was refused before anything was asked",
        ),
        (Observation(protocol_error={"code": -32603}), "a protocol error instead of an answer"),
    ],
)
def test_what_may_never_be_answered_is_told(seen: Observation, told: str) -> None:
    assert [what.partition(":")[0] for what in sweep._unfit([seen])] == [told]


def test_what_may_be_answered_is_not() -> None:
    result = Observation("Hecho.", structured={"source": {"name": "x"}, "data": {}})
    refusal = Observation("No se pudo. Vuelva a intentarlo.", error={"code": "INTERNAL"})
    assert list(sweep._unfit([result, refusal])) == []


def test_the_grid_shows_each_cell(known: Offered) -> None:
    held, broken, idle = (sweep.Cell(tool, "status", "grace") for tool in ("clasificar", "resumir", "ocr"))
    findings = [
        sweep.Finding(held, ("ok",), (), fired=True),
        sweep.Finding(broken, ("ok",), ("x",), fired=True),
        sweep.Finding(idle, ("ok",), (), fired=False),
    ]
    head, row = sweep.table(findings, known)
    assert head.split()[:3] == ["clasif", "resumi", "ocr"]
    assert row.split()[:4] == ["status", "✓", "✗", "—"]
    assert command._ended(findings) == 1
    assert command._ended(findings[:1]) == 0


def test_an_unknown_tool_or_kind_is_told_with_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sweep", "clasifica", "--kind", "stall"]) == COULD_NOT_RUN
    told = capsys.readouterr().err
    assert "'clasifica' is no tool that asks a service; did you mean clasificar?" in told
    assert "'stall' is no fault kind that a call can meet; did you mean stale?" in told


def test_one_cell_can_be_swept_from_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sweep", "generar_hash", "--kind", "status"]) == 0
    assert capsys.readouterr().out.endswith("1 cells, 1 hold, 0 broken, 0 never fired\n")
