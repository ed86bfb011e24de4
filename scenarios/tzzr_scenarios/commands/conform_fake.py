"""``tzzr conform fake``: every rule asked of what this package brings, in this process and without a network."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Callable, Coroutine, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import httpx

from tzzr_mcp.seams import Dice, LoopClock, Seams
from tzzr_mocks.control import Control
from tzzr_mocks.hst import HstFake
from tzzr_mocks.hst.conformance.cases import read_cases, read_tokens
from tzzr_mocks.hst.conformance.in_process import InProcess
from tzzr_mocks.hst.conformance.over_http import NoAnswer
from tzzr_mocks.hst.conformance.sight import NotComparable
from tzzr_mocks.network.direct import DirectTransport
from tzzr_mocks.network.virtual import new_virtual_loop
from tzzr_mocks.world import World
from tzzr_scenarios.cli import COULD_NOT_RUN, FAILED, PASSED
from tzzr_scenarios.commands import conform_grace, conform_hst, conform_mcp, conform_report
from tzzr_scenarios.conform.grace import BOOK as GRACE
from tzzr_scenarios.conform.grace.door import Line, RunPodDoor
from tzzr_scenarios.conform.grace.probe import Probe
from tzzr_scenarios.conform.judge import chosen
from tzzr_scenarios.conform.mcp import BOOK as MCP
from tzzr_scenarios.conform.mcp.open import ERAS
from tzzr_scenarios.conform.report import Tally
from tzzr_scenarios.conform.rule import RuleBook
from tzzr_scenarios.stage import staged

ABOUT = "Ask the fakes and the server of this package everything that the other kinds ask, here and without arguments."
_EPILOG = """\
examples:
  tzzr conform fake
  tzzr conform fake grace --rule hasher --json

exit codes: 0 every rule is kept, 1 some are broken, 2 it could not be asked
"""
_RECORDED = datetime(2026, 11, 30, 14, 0, tzinfo=UTC)
"""When the answers of Directus were recorded."""
_OWN_WORDS = "/server/specs"
"""Where a Directus describes itself; the fake does so in its own words, which nobody recorded."""


async def _grace(wanted: Sequence[str], report: Tally) -> None:
    names = chosen([rule.id for rule in GRACE], wanted)
    async with World() as world, httpx.AsyncClient(transport=world.transport, timeout=3600) as client:
        clock, environ = world.seams.clock, world.environment
        line = Line(f"{environ['GRACE_BASE_URL']}/grace", client, clock, environ["RUNPOD_API_KEY"])
        probe = Probe(RunPodDoor(line), line, clock, world.seams.dice.named("conform"))
        await conform_grace.judged(probe, [rule for rule in GRACE if rule.id in names], report, changes=True)


async def _hst(wanted: Sequence[str], report: Tally) -> None:
    cases = [case for case in read_cases() if not case.request["path"].startswith(_OWN_WORDS)]
    names = chosen([case.id for case in cases], wanted, "case")
    fake = HstFake(Control("hst", Seams(LoopClock(_RECORDED), Dice(7))), starting="recorded")
    secret = {"reader": read_tokens()["reader"]}
    plan = conform_hst.Plan([case for case in cases if case.id in names], conform_hst.known_tokens(secret), secret)
    await conform_hst.compared(InProcess(httpx.URL("http://hst.tzzr.test"), fake.app), plan, report)


async def _mcp(wanted: Sequence[str], report: Tally) -> None:
    names = chosen([rule.id for rule in MCP], wanted)
    async with staged() as stage, stage.app() as app:
        reach = conform_mcp.over_http("http://127.0.0.1:8000/mcp", lambda: DirectTransport(app))
        rules = [rule for rule in MCP if rule.id in names]
        await conform_mcp.judged("the server of this package", reach, rules, ERAS, report)


_KINDS: Mapping[str, Callable[[Sequence[str], Tally], Coroutine[Any, Any, None]]] = {
    "grace": _grace,
    "hst": _hst,
    "mcp": _mcp,
}


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's own arguments."""
    parser.epilog = _EPILOG
    parser.add_argument("kind", nargs="?", default="all", choices=[*_KINDS, "all"], help="which (default: all)")
    conform_report.add_choice(parser)
    conform_report.add_reports(parser)


def _print(kinds: Sequence[str]) -> None:
    """Everything that these kinds ask."""
    books: Mapping[str, RuleBook[Any]] = {"grace": GRACE, "mcp": MCP}
    for kind in kinds:
        if kind in books:
            conform_report.print_rules(books[kind])
        else:
            conform_hst.print_cases(read_cases())


def main(options: argparse.Namespace) -> int:
    """Ask and judge; 0 every rule is kept, 1 some are broken, 2 it could not be asked."""
    kinds = [*_KINDS] if options.kind == "all" else [options.kind]
    try:
        if options.list:
            _print(kinds)
            return PASSED
        if options.rule and len(kinds) > 1:
            raise ValueError(f"--rule is of one kind; say which: {', '.join(kinds)}")
        with conform_report.reports(options) as report, asyncio.Runner(loop_factory=new_virtual_loop) as loop:
            for name in kinds:
                loop.run(_KINDS[name](options.rule, report))
            return FAILED if report.failed else PASSED
    except (NoAnswer, NotComparable, ValueError) as error:
        print(f"tzzr conform fake: {error}", file=sys.stderr)
        return COULD_NOT_RUN
