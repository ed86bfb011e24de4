"""``tzzr sweep``: every fault × every tool that can meet it, judged by what may never happen."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Iterator, Sequence

from tzzr_mcp.seams.spelling import nearest
from tzzr_mocks.network.virtual import new_virtual_loop
from tzzr_scenarios import runner, sweep
from tzzr_scenarios.cli import COULD_NOT_RUN, FAILED, PASSED
from tzzr_scenarios.stage import Offered, offered

_EPILOG = """\
examples:
  tzzr sweep                  the whole grid, in a few minutes
  tzzr sweep ocr buscar_tags  the columns of two tools
  tzzr sweep --kind stale     one line of it
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's own arguments."""
    parser.epilog = _EPILOG
    parser.add_argument("tools", nargs="*", metavar="TOOL", help="only these tools; all that ask a service if none")
    parser.add_argument("--kind", action="append", default=[], help="only this fault kind; may be repeated")
    parser.add_argument(
        "--seed", type=int, default=runner.DEFAULT_SEED, help="seed of the worlds (default %(default)s)"
    )


def main(options: argparse.Namespace) -> int:
    """Sweep; 0 every cell holds, 1 one is broken or its fault never fired, 2 there is no such tool or kind."""
    known = _offered()
    every = sweep.cells(known)
    strange = [
        *_strange("tool that asks a service", options.tools, sorted({cell.tool for cell in every})),
        *_strange("fault kind that a call can meet", options.kind, sorted({cell.kind for cell in every})),
    ]
    if strange:
        print("\n".join(strange), file=sys.stderr)
        return COULD_NOT_RUN
    findings = []
    for finding in sweep.swept(_chosen(every, options), options.seed):
        findings.append(finding)
        for what in finding.broken:
            print(f"✗ {finding.cell.tool} × {finding.cell.kind}: {what}", flush=True)
    print("\n".join(sweep.table(findings, known)))
    return _ended(findings)


def _ended(findings: Sequence[sweep.Finding]) -> int:
    marks = [finding.mark for finding in findings]
    print(f"{len(marks)} cells, {marks.count('✓')} hold, {marks.count('✗')} broken, {marks.count('—')} never fired")
    return PASSED if marks.count("✓") == len(marks) else FAILED


def _chosen(every: Sequence[sweep.Cell], options: argparse.Namespace) -> list[sweep.Cell]:
    tools, kinds = options.tools, options.kind
    return [cell for cell in every if (not tools or cell.tool in tools) and (not kinds or cell.kind in kinds)]


def _strange(what: str, given: Sequence[str], known: Sequence[str]) -> Iterator[str]:
    for name in given:
        if name not in known:
            near = nearest(name, known)
            hint = f"did you mean {near}?" if near else f"there are {', '.join(known)}"
            yield f"{name!r} is no {what}; {hint}"


def _offered() -> Offered:
    with asyncio.Runner(loop_factory=new_virtual_loop) as loop:
        return loop.run(offered())
