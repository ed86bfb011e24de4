"""The options that every ``tzzr conform`` shares, and the reports that they ask for."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from tzzr_scenarios.conform.report import JsonLines, JUnit, Report, Tally, Terminal, rule_line
from tzzr_scenarios.conform.rule import Rule, RuleBook
from tzzr_scenarios.conform.verdict import Verdict

Line = Callable[[Verdict], dict[str, Any] | None]


def add_reports(parser: argparse.ArgumentParser) -> None:
    """Where verdicts go."""
    parser.add_argument(
        "--json", nargs="?", const="-", metavar="FILE",
        help="one JSON object per verdict, and one at the end: to FILE, or in place of the text when none is named",
    )  # fmt: skip
    parser.add_argument("--junit", type=Path, metavar="FILE", help="write JUnit XML")
    parser.add_argument("-q", "--quiet", action="store_true", help="print no progress")


def add_choice(parser: argparse.ArgumentParser, what: str = "rule") -> None:
    """Which rules, or cases, are asked."""
    parser.add_argument(
        "--rule", action="append", default=[], metavar="ID",
        help=f"only this {what}, or those of a theme, or those that match a pattern with *; may be given again",
    )  # fmt: skip
    parser.add_argument("--list", action="store_true", help=f"print every {what} and ask nothing")


@contextmanager
def reports(options: argparse.Namespace, line: Line = rule_line) -> Iterator[Tally]:
    """The reports that the options ask for.

    Raises:
        ValueError: a file cannot be written.
    """
    several: list[Report] = [] if options.json == "-" else [Terminal(quiet=options.quiet)]
    if options.junit:
        several.append(JUnit(options.junit))
    try:
        if options.json and options.json != "-":
            with Path(options.json).open("w", encoding="utf-8") as out:
                yield Tally(*several, JsonLines(out, line))
        else:
            yield Tally(*several, *([JsonLines(sys.stdout, line)] if options.json else ()))
    except OSError as error:
        raise ValueError(f"{error.filename}: {error.strerror}; a report cannot be written there") from error


def print_rules(*books: RuleBook[Any]) -> None:
    """Every rule on a line of its own: id, what it says, where that is written."""
    for book in books:
        width = max(len(rule.id) for rule in book)
        for rule in book:
            print(f"{rule.id:<{width}}  {rule.says} [{rule.source}]{_marks(rule)}")


def _marks(rule: Rule[Any]) -> str:
    only = f" (only {', '.join(sorted(rule.only))})" if rule.only else ""
    return f"{only}{' (--changes)' if rule.changes else ''}"


def address(text: str | None, example: str) -> httpx.URL:
    """The address that ``--url`` names.

    Raises:
        ValueError: it is none, or carries what does not belong there.
    """
    if not text:
        raise ValueError(f"--url is not given; such as {example}")
    try:
        base = httpx.URL(text.rstrip("/"))
    except httpx.InvalidURL as error:
        raise ValueError(f"--url {text!r} is no address ({error}); such as {example}") from error
    if base.scheme not in ("http", "https") or not base.host:
        raise ValueError(f"--url {text!r} is no address of a server; such as {example}")
    if base.query or base.fragment or base.userinfo:
        raise ValueError("--url takes no query, fragment or password; a key or token has an option of its own")
    return base


def sendable(option: str, token: str) -> str:
    """A token as a header may carry it.

    Raises:
        ValueError: it holds what no header may carry.
    """
    if not token.isascii() or not token.isprintable() or " " in token:
        raise ValueError(f"the token of {option} holds a blank, a line break or a letter that no header may carry")
    return token
