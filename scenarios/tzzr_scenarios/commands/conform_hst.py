"""``tzzr conform hst``: the recorded cases that change nothing, asked of any Directus."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import httpx

from tzzr_mcp.seams import SystemClock
from tzzr_mocks.hst.conformance.cases import Case, on_postgres, read_cases, read_tokens
from tzzr_mocks.hst.conformance.compare import differences, other_form
from tzzr_mocks.hst.conformance.curl import curl_line
from tzzr_mocks.hst.conformance.over_http import Asked, Compare, NoAnswer, Target, askable, verdicts
from tzzr_mocks.hst.conformance.sight import NotComparable, holds_recorded_rows
from tzzr_mocks.hst.conformance.verdict import Verdict as Compared
from tzzr_scenarios.cli import COULD_NOT_RUN, FAILED, PASSED
from tzzr_scenarios.commands.conform_report import add_choice, add_reports, address, reports, sendable
from tzzr_scenarios.conform.judge import chosen
from tzzr_scenarios.conform.report import Course, Tally
from tzzr_scenarios.conform.verdict import Difference, Verdict
from tzzr_scenarios.spelling import suggestion

ABOUT = "Ask a Directus some 800 recorded requests that change nothing, and say where its answers differ."
ACCOUNTS = ("reader", "admin", "noaccess", "suspended")
"""The accounts of the recordings; a case is asked when its account's token is given."""

_EPILOG = """\
examples:
  HST_TOKEN=… tzzr conform hst --url https://hst.example
  tzzr conform hst --url http://127.0.0.1:8055 --token … --as admin=… --headers
  tzzr conform hst --url http://127.0.0.1:8055 --dialect postgres --theme 04,05 --json

The token is a reader's: one that may read tags_hst, tags_spe and tags_flg and nothing else. Only GET, HEAD, OPTIONS and
SEARCH are sent. A server that holds other rows than the recorded ones is held to status, content type, refusals and the
form of its rows; --rows recorded compares to the letter all the same.

exit codes: 0 no difference, 1 differences, 2 it could not be asked
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's own arguments."""
    parser.epilog = _EPILOG
    parser.add_argument("--url", help="root of the Directus, such as http://127.0.0.1:8055")
    parser.add_argument("--token", default=os.environ.get("HST_TOKEN"), help="a reader's token (default: $HST_TOKEN)")
    parser.add_argument(
        "--as", action="append", default=[], dest="others", metavar="ACCOUNT=TOKEN",
        help=f"the token of another account: {', '.join(ACCOUNTS[1:])}; without it, its cases are left out",
    )  # fmt: skip
    parser.add_argument("--dialect", choices=["sqlite", "postgres"], default="sqlite", help="the server's database")
    parser.add_argument(
        "--rows", choices=["auto", "recorded", "other"], default="auto",
        help="which rows the server holds (default: seen by their ids)",
    )  # fmt: skip
    parser.add_argument("--headers", action="store_true", help="compare every recorded header, not the type alone")
    parser.add_argument("--theme", default="", metavar="04,05", help="only cases of these themes, by number")
    parser.add_argument("--timeout", type=float, default=30.0, metavar="S", help="seconds for an answer (%(default)s)")
    add_choice(parser, "case")
    add_reports(parser)


@dataclass(frozen=True)
class Plan:
    """What is asked, and how the answers are compared.

    ``tokens`` has every value that cases take by name, ``secret`` those of them that may not be shown.
    """

    cases: Sequence[Case]
    tokens: dict[str, str]
    secret: dict[str, str]
    headers: bool = False
    rows: str = "auto"


def main(options: argparse.Namespace) -> int:
    """Ask and compare; 0 no difference, 1 differences, 2 it could not be asked."""
    try:
        if options.list:
            print_cases(_chosen_cases(options))
            return PASSED
        base, plan = address(options.url, "http://127.0.0.1:8055"), _plan(options)
        with reports(options, case_line) as report:
            return FAILED if asyncio.run(_asked(base, plan, options.timeout, report)) else PASSED
    except (NoAnswer, NotComparable, ValueError) as error:
        print(f"tzzr conform hst: {error}", file=sys.stderr)
        return COULD_NOT_RUN


def print_cases(cases: Sequence[Case]) -> None:
    """Every case that may be asked on a line of its own."""
    for case in cases:
        if case.read_only:
            print(f"{case.id}  {case.request['method']} {case.request['path']}")


def _plan(options: argparse.Namespace) -> Plan:
    if not options.token:
        raise ValueError("--token is not given or empty; a reader's token may be in HST_TOKEN too")
    secret = {"reader": sendable("--token", options.token), **dict(_other(word) for word in options.others)}
    return Plan(_chosen_cases(options), known_tokens(secret), secret, options.headers, options.rows)


def known_tokens(secret: dict[str, str]) -> dict[str, str]:
    """What cases take by name: the recorded values that open nothing, and the given ones."""
    return {name: token for name, token in read_tokens().items() if name not in (*ACCOUNTS, "limited")} | secret


def _chosen_cases(options: argparse.Namespace) -> list[Case]:
    cases = _of_themes(read_cases(), options.theme)
    names = chosen([case.id for case in cases], options.rule, "case")
    cases = [case for case in cases if case.id in names]
    return on_postgres(cases) if options.dialect == "postgres" else cases


def _other(word: str) -> tuple[str, str]:
    account, _, token = word.partition("=")
    if account not in ACCOUNTS[1:]:
        raise ValueError(f"--as {account!r} is no account; {suggestion(account, ACCOUNTS[1:], 'accounts')}")
    if not token:
        raise ValueError(f"--as {account} is not given or empty")
    return account, sendable(f"--as {account}", token)


def _of_themes(cases: list[Case], listed: str) -> list[Case]:
    themes = dict.fromkeys(case.theme for case in cases)
    wanted = [word.strip().zfill(2) for word in listed.split(",") if word.strip()] or [*themes]
    for word in wanted:
        if word not in themes:
            raise ValueError(f"--theme {word!r} is none of the corpus; {suggestion(word, [*themes], 'themes')}")
    return [case for case in cases if case.theme in wanted]


async def _asked(base: httpx.URL, plan: Plan, timeout_s: float, report: Tally) -> int:
    async with httpx.AsyncClient(timeout=timeout_s) as client:
        await compared(Target(base, client, SystemClock()), plan, report)
    return report.failed


async def compared(target: Asked, plan: Plan, report: Tally) -> None:
    """Ask every case of the plan, and report where an answer differs.

    Raises:
        NoAnswer: nobody answers, or is busy for good.
        NotComparable: there are no rows to compare.
    """
    seen = await holds_recorded_rows(target, plan.secret)
    recorded = seen if plan.rows == "auto" else plan.rows == "recorded"
    cases = [case for case in plan.cases if askable(case, plan.tokens)]
    with report.asking(_course(target.base, plan, len(cases), recorded=recorded)):
        async for verdict in verdicts(target, cases, plan.tokens, _comparison(plan, recorded=recorded)):
            report.verdict(_told(target.base, plan, verdict))


def _course(base: httpx.URL, plan: Plan, count: int, *, recorded: bool) -> Course:
    remarks = []
    if not recorded:
        remarks.append("held to status, content type, refusals and the form of rows (see tzzr conform hst --help)")
    if left_out := len(plan.cases) - count:
        remarks.append(f"{left_out} left out: no token for their account (--as), or not to be sent in full")
    return Course(
        f"{count} cases at {base}, {'the recorded rows' if recorded else 'other rows'}",
        "cases",
        count,
        remarks,
        {"left_out": left_out, "rows": "recorded" if recorded else "other"},
        "; ${reader} in a line stands for the token",
    )


def _told(base: httpx.URL, plan: Plan, compared: Compared) -> Verdict:
    return Verdict(
        compared.case.id,
        "failed" if compared.differences else "passed",
        curl_line(base, compared.case, plan.tokens, plan.secret),
        [Difference(one.part, one.recorded, one.came) for one in compared.differences],
        source="recorded of Directus",
    )


def case_line(verdict: Verdict) -> dict[str, Any] | None:
    """A case that differs as a JSON line."""
    if verdict.outcome != "failed":
        return None
    told = [{"part": one.part, "recorded": one.expected, "came": one.came} for one in verdict.differences]
    return {"event": "difference", "case": verdict.rule, "request": verdict.request, "differences": told}


def _comparison(plan: Plan, *, recorded: bool) -> Compare:
    if not recorded:
        return other_form
    return partial(differences, every_header=plan.headers)
