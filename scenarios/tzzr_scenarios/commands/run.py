"""``tzzr run``: scenario files against the real server and the fakes."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from tzzr_mcp.seams import SystemClock
from tzzr_scenarios import files, live, matrix, requirements, runner
from tzzr_scenarios.cli import COULD_NOT_RUN, FAILED, PASSED
from tzzr_scenarios.commands import listing
from tzzr_scenarios.commands.reporting import DEFAULT_REPORT, wanted
from tzzr_scenarios.events import RunEnded, Verdict
from tzzr_scenarios.expected import Expected, expected_failures
from tzzr_scenarios.language.load import ScenarioFile, load_all
from tzzr_scenarios.language.mistakes import FileMistakes
from tzzr_scenarios.stage import ERAS, Unsettled, check_live
from tzzr_scenarios.wires import WIRES

_EPILOG = """\
examples:
  tzzr run                              every built-in scenario
  tzzr run grace/fallback               one theme of them
  tzzr run mine.scenario.yaml --seed 3  a file of your own, with another seed
  tzzr run -k luz --era 2025-11-25      those with "luz" in path or title, in the older protocol era
  tzzr run hst/busqueda --matrix        the same over memory, HTTP, SSE and stdio, in both eras
  tzzr run hst/tags --live              against the services that the environment names (HST_BASE_URL, HST_TOKEN, …)
  tzzr run --explain mine.scenario.yaml what its short forms mean
  tzzr run --junit report.xml           for CI, with the requests and answers inside
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
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--wire", choices=WIRES, default=WIRES[0], help="transport of the client (default %(default)s)")
    where.add_argument(
        "--matrix",
        action="store_true",
        help="run every file over each transport in both eras; the results must be equal (stdio: what is over in seconds)",
    )
    where.add_argument(
        "--live",
        action="store_true",
        help="ask the real services that the environment names; what injects faults is skipped",
    )
    parser.add_argument("--trace", action="store_true", help="print the SHA-256 of each scenario's trace")
    parser.add_argument("--json", action="store_true", help="print one JSON object per event instead of the report")
    parser.add_argument("--grid", action="store_true", help="print which faults fired during which tool's calls")
    parser.add_argument(
        "--html", type=Path, metavar="FILE", help=f"write the report to look at (a whole run: {DEFAULT_REPORT})"
    )
    parser.add_argument(
        "--junit", type=Path, metavar="FILE", help="write JUnit XML, with the requests and answers inside"
    )
    parser.add_argument(
        "--github", action="store_true", help="print GitHub annotations (by itself where GITHUB_ACTIONS is set)"
    )
    parser.add_argument(
        "--expected-failures",
        type=Path,
        metavar="FILE",
        help="known failures, which do not fail the run: a mapping of scenario to reason; an entry that passes fails it",
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="print failures and the summary alone")
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument(
        "--list", action="store_true", help="print the chosen files with their titles, and run nothing"
    )
    instead.add_argument(
        "--explain", action="store_true", help="print the long form of the chosen files, and run nothing"
    )
    instead.add_argument(
        "--requirements", action="store_true", help="print what was asked for and what proves it, and run nothing"
    )
    instead.add_argument("--verdicts", action="store_true", help="print what no scenario forgives, and run nothing")


def main(options: argparse.Namespace) -> int:
    """Run the scenarios; 0 all passed, 1 some failed, 2 nothing could be run or a scenario could not be carried out."""
    if options.verdicts:
        return _printed(listing.verdicts())
    try:
        found = load_all(files.find(options.targets))
        expected = expected_failures(options.expected_failures) if options.expected_failures else Expected()
        chosen = _chosen(found, options.keyword)
        if options.live:
            _check_live(options)
    except (FileMistakes, NothingToRun) as wrong:
        print(wrong, file=sys.stderr)
        return COULD_NOT_RUN
    if options.requirements:
        return _printed(requirements.table(requirements.proofs(requirements.requirements(), chosen)))
    if options.list or options.explain:
        return _printed(listing.titles(chosen) if options.list else listing.long_forms(chosen))
    verdicts = _played(chosen, options, expected)
    return COULD_NOT_RUN if "broken" in verdicts else FAILED if "failed" in verdicts else PASSED


class NothingToRun(ValueError):
    """No scenario was chosen, or those that were may not be run so; the message tells the mend."""


def _chosen(found: Sequence[ScenarioFile], keyword: str) -> list[ScenarioFile]:
    word = keyword.casefold()
    chosen = [file for file in found if word in f"{file.id} {file.scenario.scenario}".casefold()]
    if not chosen:
        raise NothingToRun(f"no scenario has {keyword!r} in its path or title; see tzzr run --list")
    return chosen


def _check_live(options: argparse.Namespace) -> None:
    """Tell which services will be asked, when they may be."""
    if not options.targets:
        mend = "name the files or folders, as in tzzr run --live grace/herramientas"
        raise NothingToRun(f"--live asks real services, which may cost money: {mend}")
    try:
        check_live(os.environ)
    except Unsettled as wrong:
        raise NothingToRun(f"--live: {wrong}") from wrong
    print(f"asking {live.addresses(os.environ)}", file=sys.stderr)


def _printed(lines: Iterable[str]) -> int:
    for line in lines:
        print(line)
    return PASSED


def _played(chosen: Sequence[ScenarioFile], options: argparse.Namespace, expected: Expected) -> set[Verdict]:
    reports = list(wanted(options))
    environ = dict(os.environ) if options.live else None
    settings = runner.Settings(options.seed, options.era, options.wire, environ)
    verdicts: set[Verdict] = set()
    play = matrix.run if options.matrix else runner.run
    for event in map(expected.judged, play(chosen, settings, runner.clock_reader(SystemClock()))):
        for report in reports:
            report.event(event)
        if isinstance(event, RunEnded):
            verdicts = {result.verdict for result in event.results}
    return verdicts
