"""``tzzr conform mcp``: the rules of MCP and of TZZR's specification, asked of any server in both protocol eras."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

import httpx

from tzzr_scenarios.cli import COULD_NOT_RUN, FAILED, PASSED
from tzzr_scenarios.commands.conform_report import add_choice, add_reports, address, print_rules, reports, sendable
from tzzr_scenarios.conform.judge import chosen
from tzzr_scenarios.conform.mcp import BOOK
from tzzr_scenarios.conform.mcp.open import ERAS, Reach, in_eras
from tzzr_scenarios.conform.mcp.probe import Probe
from tzzr_scenarios.conform.mcp.wire import HttpWire, Unreachable, Wire, started
from tzzr_scenarios.conform.report import Course, Tally
from tzzr_scenarios.conform.rule import Rule

ABOUT = f"Hold an MCP server to {len(BOOK) // 10 * 10} rules of the protocol and of TZZR's server, in both eras."
_EXAMPLE = "http://127.0.0.1:8000/mcp"
_EPILOG = """\
examples:
  tzzr conform mcp --url http://127.0.0.1:8000/mcp
  tzzr conform mcp -- mcp-server-tzzr --offline
  tzzr conform mcp --url https://tzzr.example/mcp --token … --era 2025-11-25 --rule errors --junit conform.xml
  tzzr conform mcp --list

Lists are read, prompts and resources got, and tools called that change nothing. A rule about what a tool gives is left
out where the service below it is down. Over stdio each era has a process of its own.

exit codes: 0 every rule is kept, 1 some are broken, 2 it could not be asked
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's own arguments."""
    parser.epilog = _EPILOG
    parser.add_argument("--url", help=f"where the server is, such as {_EXAMPLE}")
    parser.add_argument("--token", default=os.environ.get("TZZR_HTTP_TOKEN"), help="its token ($TZZR_HTTP_TOKEN)")
    parser.add_argument("--era", choices=ERAS, help="one era alone (default: both)")
    parser.add_argument("--timeout", type=float, default=60.0, metavar="S", help="seconds for an answer (%(default)s)")
    add_choice(parser)
    add_reports(parser)
    parser.add_argument("process", nargs="*", metavar="-- COMMAND", help="the server as a process that speaks on stdio")


def main(options: argparse.Namespace) -> int:
    """Ask and judge; 0 every rule is kept, 1 some are broken, 2 it could not be asked."""
    try:
        names = chosen([rule.id for rule in BOOK], options.rule)
        if options.list:
            print_rules(BOOK)
            return PASSED
        where, reach = _reach(options)
        eras = [options.era] if options.era else ERAS
        rules = [rule for rule in BOOK if rule.id in names]
        with reports(options) as report:
            asyncio.run(judged(where, reach, rules, eras, report))
            return FAILED if report.failed else PASSED
    except (Unreachable, ValueError) as error:
        print(f"tzzr conform mcp: {error}", file=sys.stderr)
        return COULD_NOT_RUN


def _reach(options: argparse.Namespace) -> tuple[str, Reach]:
    if bool(options.url) == bool(options.process):
        raise ValueError(f"give either --url, such as {_EXAMPLE}, or a command after --")
    if options.process:
        return " ".join(options.process), lambda: started(options.process, options.timeout)
    url = str(address(options.url, _EXAMPLE))
    token = sendable("--token", options.token) if options.token else None
    return url, over_http(url, httpx.AsyncHTTPTransport, token, options.timeout)


def over_http(
    url: str, transport: Callable[[], httpx.AsyncBaseTransport], token: str | None = None, timeout_s: float = 60.0
) -> Reach:
    """Makes connections over Streamable HTTP, each through a transport of its own."""

    @asynccontextmanager
    async def reach() -> AsyncIterator[Wire]:
        async with httpx.AsyncClient(transport=transport(), timeout=timeout_s) as client:
            yield HttpWire(client, url, token)

    return reach


async def judged(where: str, reach: Reach, rules: Sequence[Rule[Probe]], eras: Sequence[str], report: Tally) -> None:
    """Ask every rule in each era, and report the verdicts.

    Raises:
        Unreachable: nobody is there, or whoever is there speaks none of the eras.
    """
    count = sum(not (rule.only & {*ERAS} - {era}) for rule in rules for era in eras)
    with report.asking(Course(f"{len(rules)} rules, in {' and '.join(eras)}, at {where}", "verdicts", count)):
        async for verdict in in_eras(reach, rules, eras):
            report.verdict(verdict)
