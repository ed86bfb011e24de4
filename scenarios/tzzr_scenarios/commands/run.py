"""``tzzr run``: scenario files against the real server and the fakes."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Console

from tzzr_mcp.seams import SystemClock
from tzzr_mocks.network.virtual import new_virtual_loop
from tzzr_scenarios import files, runner
from tzzr_scenarios.cli import COULD_NOT_RUN, FAILED, PASSED
from tzzr_scenarios.events import Report, RunEnded, Verdict
from tzzr_scenarios.language.load import ScenarioFile, load_all
from tzzr_scenarios.language.mistakes import FileMistakes
from tzzr_scenarios.reports.coverage import CoverageReport
from tzzr_scenarios.reports.html import HtmlReport
from tzzr_scenarios.reports.json_lines import JsonReport
from tzzr_scenarios.reports.terminal import TerminalReport, Told
from tzzr_scenarios.stage import ERAS, Offered, offered

DEFAULT_REPORT = Path(".tzzr/report.html")
_EPILOG = """\
examples:
  tzzr run                              every built-in scenario
  tzzr run grace/fallback               one theme of them
  tzzr run mine.scenario.yaml --seed 3  a file of your own, with another seed
  tzzr run -k luz --era 2025-11-25      those with "luz" in path or title, in the older protocol era
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's own arguments."""
    parser.epilog = _EPILOG
    parser.add_argument(
        "targets", nargs="*", metavar="FILE", help="scenario files or folders; all built-in ones if none"
    )
    parser.add_argument("-k", "--keyword", default="", help="only scenarios with this in path or title")
    parser.add_argument(
        "--seed", type=int, default=runner.DEFAULT_SEED, help="seed of the worlds (default %(default)s)"
    )
    parser.add_argument("--era", choices=ERAS, default=ERAS[0], help="protocol era of the client (default %(default)s)")
    parser.add_argument("--trace", action="store_true", help="print the SHA-256 of each scenario's trace")
    parser.add_argument("--json", action="store_true", help="print one JSON object per event instead of the report")
    parser.add_argument("--grid", action="store_true", help="print which faults fired during which tool's calls")
    parser.add_argument(
        "--html", type=Path, metavar="FILE", help=f"write the report to look at (a whole run: {DEFAULT_REPORT})"
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="print failures and the summary alone")


def main(options: argparse.Namespace) -> int:
    """Run the scenarios; 0 all passed, 1 some failed, 2 nothing could be run or a scenario could not be carried out."""
    try:
        found = load_all(files.find(options.targets))
    except FileMistakes as wrong:
        print(wrong, file=sys.stderr)
        return COULD_NOT_RUN
    word = options.keyword.casefold()
    chosen = [file for file in found if word in f"{file.name} {file.scenario.scenario}".casefold()]
    if not chosen:
        print(f"no scenario has {options.keyword!r} in its path or title; tzzr run -q lists none", file=sys.stderr)
        return COULD_NOT_RUN
    verdicts = _played(chosen, options)
    return COULD_NOT_RUN if "broken" in verdicts else FAILED if "failed" in verdicts else PASSED


def _played(chosen: Sequence[ScenarioFile], options: argparse.Namespace) -> set[Verdict]:
    reports = list(_reports(options))
    settings = runner.Settings(options.seed, options.era)
    verdicts: set[Verdict] = set()
    for event in runner.run(chosen, settings, runner.clock_reader(SystemClock())):
        for report in reports:
            report.event(event)
        if isinstance(event, RunEnded):
            verdicts = {result.verdict for result in event.results}
    return verdicts


def _reports(options: argparse.Namespace) -> Iterator[Report]:
    console = Console(highlight=False)
    if options.json:
        yield JsonReport(sys.stdout)
        return
    yield TerminalReport(console, quiet=options.quiet, trace=options.trace)
    whole = not (options.targets or options.keyword or options.quiet)
    if not (whole or options.grid or options.html):
        return
    known = _offered()
    if whole or options.grid:
        yield CoverageReport(console, known, grid=options.grid)
    path = options.html or DEFAULT_REPORT
    yield HtmlReport(path, known)
    yield Told(console, f"  report {path}")


def _offered() -> Offered:
    with asyncio.Runner(loop_factory=new_virtual_loop) as loop:
        return loop.run(offered())
