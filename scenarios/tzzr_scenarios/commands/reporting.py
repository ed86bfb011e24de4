"""Which reports of a run its options ask for."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console

from tzzr_mocks.network.virtual import new_virtual_loop
from tzzr_scenarios.events import Report
from tzzr_scenarios.reports.coverage import CoverageReport
from tzzr_scenarios.reports.github import GitHubReport
from tzzr_scenarios.reports.html import HtmlReport
from tzzr_scenarios.reports.json_lines import JsonReport
from tzzr_scenarios.reports.junit import JUnitReport
from tzzr_scenarios.reports.terminal import TerminalReport, Told
from tzzr_scenarios.stage import Offered, offered

DEFAULT_REPORT = Path(".tzzr/report.html")


def wanted(options: argparse.Namespace) -> Iterator[Report]:
    """The reports: those for machines in files or on standard output, and the one for people beside them."""
    if options.junit:
        yield JUnitReport(options.junit)
    if options.github or os.environ.get("GITHUB_ACTIONS") == "true":
        # GitHub reads commands from both streams; JSON on standard output must stay JSON.
        yield GitHubReport(sys.stderr if options.json else sys.stdout, Path())
    if options.json:
        yield JsonReport(sys.stdout)
    else:
        yield from _for_people(options)


def _for_people(options: argparse.Namespace) -> Iterator[Report]:
    console = Console(highlight=False)
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
