"""``tzzr conform grace``: the rules of S-CONTRACT v2.1, asked of any service over RunPod or plain HTTP."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys

import httpx

from tzzr_mcp.seams import Dice, SystemClock
from tzzr_scenarios.cli import COULD_NOT_RUN, FAILED, PASSED
from tzzr_scenarios.commands.conform_report import add_choice, add_reports, address, print_rules, reports, sendable
from tzzr_scenarios.conform.grace import BOOK
from tzzr_scenarios.conform.grace.door import AT_PLAIN, AT_RUNPOD, Line, PlainDoor, RunPodDoor, Unreachable, held_open
from tzzr_scenarios.conform.grace.probe import Probe
from tzzr_scenarios.conform.judge import chosen, verdicts
from tzzr_scenarios.conform.report import Course, Tally
from tzzr_scenarios.conform.rule import Rule

ABOUT = f"Hold an S-CONTRACT service to {len(BOOK) // 10 * 10} rules of the contract, and say which it breaks."
_EXAMPLE = "https://api.runpod.ai/v2/grace"
_EPILOG = """\
examples:
  RUNPOD_API_KEY=… tzzr conform grace --url https://api.runpod.ai/v2/grace
  tzzr conform grace --url http://127.0.0.1:9000/contract --plain
  tzzr conform grace --url http://127.0.0.1:8001/v2/grace --key … --rule envelope --rule 'hasher.*' --junit conform.xml
  tzzr conform grace --list

--url is the root of the RunPod endpoint, with its id; with --plain it takes a request as the body of a POST and answers
with the response. Some hundred short requests are sent, each of which runs on the service. Nothing is cancelled, retried
or purged unless --changes says so.

exit codes: 0 every rule is kept, 1 some are broken, 2 it could not be asked
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's own arguments."""
    parser.epilog = _EPILOG
    parser.add_argument("--url", help=f"where the service is, such as {_EXAMPLE}")
    parser.add_argument("--key", default=os.environ.get("RUNPOD_API_KEY"), help="its key (default: $RUNPOD_API_KEY)")
    parser.add_argument("--plain", action="store_true", help="a service over plain HTTP, without RunPod's queue")
    parser.add_argument("--changes", action="store_true", help="ask also what changes something: cancel a job of ours")
    parser.add_argument("--timeout", type=float, default=120.0, metavar="S", help="seconds for an answer (%(default)s)")
    add_choice(parser)
    add_reports(parser)


def main(options: argparse.Namespace) -> int:
    """Ask and judge; 0 every rule is kept, 1 some are broken, 2 it could not be asked."""
    try:
        names = chosen([rule.id for rule in BOOK], options.rule)
        if options.list:
            print_rules(BOOK)
            return PASSED
        base = str(address(options.url, _EXAMPLE))
        key = sendable("--key", options.key) if options.key else None
        with reports(options) as report:
            rules = [rule for rule in BOOK if rule.id in names]
            return FAILED if asyncio.run(_asked(base, key, rules, options, report)) else PASSED
    except (Unreachable, ValueError) as error:
        print(f"tzzr conform grace: {error}", file=sys.stderr)
        return COULD_NOT_RUN


async def _asked(
    base: str, key: str | None, rules: list[Rule[Probe]], options: argparse.Namespace, report: Tally
) -> int:
    async with httpx.AsyncClient(timeout=options.timeout) as client:
        line = Line(base, client, SystemClock(), key, options.timeout)
        door = PlainDoor(line) if options.plain else RunPodDoor(line)
        await judged(Probe(door, line, line.clock, Dice.from_entropy()), rules, report, changes=options.changes)
    return report.failed


async def judged(probe: Probe, rules: list[Rule[Probe]], report: Tally, *, changes: bool) -> None:
    """Ask every rule that holds behind the probe's door, and report the verdicts.

    Raises:
        Unreachable: nobody answers, or the key opens nothing.
    """
    await _reach(probe)
    rules = [rule for rule in rules if rule.only <= probe.ways]
    course = Course(
        f"{len(rules)} rules at {probe.line.base}", "rules", len(rules), legend="; ${RUNPOD_API_KEY} stands for the key"
    )
    with report.asking(course):
        async for verdict in verdicts(probe, rules, changes=changes):
            report.verdict(verdict)


async def _reach(probe: Probe) -> None:
    """The service is there and lets us in."""
    if "http" in probe.ways:
        reply = (await probe.good("HASHER")).delivery.reply
        mend = AT_PLAIN
    else:
        reply = await probe.line.ask("GET", "/health")
        mend = AT_RUNPOD
    held_open(probe.line.base, reply.status, mend)
