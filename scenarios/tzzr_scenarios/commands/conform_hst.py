"""``tzzr conform hst``: the recorded cases that change nothing, asked of any Directus."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from functools import partial

import httpx

from tzzr_mcp.seams import SystemClock
from tzzr_mocks.hst.conformance.cases import Case, on_postgres, read_cases, read_tokens
from tzzr_mocks.hst.conformance.compare import differences, other_form
from tzzr_mocks.hst.conformance.over_http import Compare, NoAnswer, Target, askable, verdicts
from tzzr_mocks.hst.conformance.sight import NotComparable, holds_recorded_rows
from tzzr_scenarios.cli import COULD_NOT_RUN, FAILED, PASSED
from tzzr_scenarios.commands.conform_report import JsonLines, Plan, Report, Terminal
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
    parser.add_argument("--url", required=True, help="root of the Directus, such as http://127.0.0.1:8055")
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
    parser.add_argument("--json", action="store_true", help="print one JSON object per difference, and one at the end")
    parser.add_argument("-q", "--quiet", action="store_true", help="print no progress")


def main(options: argparse.Namespace) -> int:
    """Ask and compare; 0 no difference, 1 differences, 2 it could not be asked."""
    try:
        base, plan = _base(options.url), _plan(options)
        report = JsonLines(base, plan) if options.json else Terminal(base, plan, quiet=options.quiet)
        return FAILED if asyncio.run(_compare(base, plan, options.timeout, report)) else PASSED
    except (NoAnswer, NotComparable, ValueError) as error:
        print(f"tzzr conform hst: {error}", file=sys.stderr)
        return COULD_NOT_RUN


def _base(text: str) -> httpx.URL:
    try:
        base = httpx.URL(text.rstrip("/"))
    except httpx.InvalidURL as error:
        raise ValueError(f"--url {text!r} is no address ({error}); such as http://127.0.0.1:8055") from error
    if base.scheme not in ("http", "https") or not base.host:
        raise ValueError(f"--url {text!r} is no address of a server; such as http://127.0.0.1:8055")
    if base.query or base.fragment or base.userinfo:
        raise ValueError("--url takes no query, fragment or password; the token goes into --token or HST_TOKEN")
    return base


def _plan(options: argparse.Namespace) -> Plan:
    secret = {"reader": _sendable("--token", options.token), **dict(_other(word) for word in options.others)}
    tokens = {name: token for name, token in read_tokens().items() if name not in (*ACCOUNTS, "limited")} | secret
    cases = _of_themes(read_cases(), options.theme)
    chosen = on_postgres(cases) if options.dialect == "postgres" else cases
    return Plan(chosen, tokens, secret, options.headers, options.rows)


def _sendable(option: str, token: str | None) -> str:
    if not token:
        raise ValueError(f"{option} is not given or empty; a reader's token may be in HST_TOKEN too")
    if not token.isascii() or not token.isprintable() or " " in token:
        raise ValueError(f"the token of {option} holds a blank, a line break or a letter that no header may carry")
    return token


def _other(word: str) -> tuple[str, str]:
    account, _, token = word.partition("=")
    if account not in ACCOUNTS[1:]:
        raise ValueError(f"--as {account!r} is no account; {suggestion(account, ACCOUNTS[1:], 'accounts')}")
    return account, _sendable(f"--as {account}", token)


def _of_themes(cases: list[Case], listed: str) -> list[Case]:
    themes = dict.fromkeys(case.theme for case in cases)
    wanted = [word.strip().zfill(2) for word in listed.split(",") if word.strip()] or [*themes]
    for word in wanted:
        if word not in themes:
            raise ValueError(f"--theme {word!r} is none of the corpus; {suggestion(word, [*themes], 'themes')}")
    return [case for case in cases if case.theme in wanted]


async def _compare(base: httpx.URL, plan: Plan, timeout_s: float, report: Report) -> int:
    """How many cases differ."""
    async with httpx.AsyncClient(timeout=timeout_s) as client:
        target = Target(base, client, SystemClock())
        seen = await holds_recorded_rows(target, plan.secret)
        recorded = seen if plan.rows == "auto" else plan.rows == "recorded"
        chosen = [case for case in plan.cases if askable(case, plan.tokens)]
        with report.asking(len(chosen), recorded=recorded):
            async for verdict in verdicts(target, chosen, plan.tokens, _comparison(plan, recorded=recorded)):
                report.verdict(verdict)
    return report.differing


def _comparison(plan: Plan, *, recorded: bool) -> Compare:
    if not recorded:
        return other_form
    return partial(differences, every_header=plan.headers)
