"""``tzzr surface``: what others rely on, what has changed of it, and whether the changelog says so."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tzzr_mcp import __version__
from tzzr_mocks.network.virtual import new_virtual_loop
from tzzr_scenarios.cli import COULD_NOT_RUN, FAILED, PASSED
from tzzr_scenarios.surface import Weight, compare
from tzzr_scenarios.surface.collected import surface
from tzzr_scenarios.surface.released import PATH, Unfit, fragments, freeze, line, next_version, problems, read, text_of

_EPILOG = """\
The surface: tools, schemas, annotations, resources, prompts, error codes, the published contract, settings, commands,
exit codes, the scenario language, faults, and the rules of tzzr conform.

examples:
  tzzr surface > before.json           remember it before an upgrade ...
  tzzr surface --since before.json     ... and see afterwards what has changed, the heaviest first
  tzzr surface --check                 in the repository: does changelog.d say what has changed since the last release?

exit codes: 0 nothing breaks (--check: all is said), 1 something breaks (--check: not all is said), 2 it cannot be told
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's own arguments."""
    parser.epilog = _EPILOG
    what = parser.add_mutually_exclusive_group()
    what.add_argument(
        "--since",
        nargs="?",
        type=Path,
        const=PATH,
        metavar="FILE",
        help="what has changed since a surface in a file (default: that of the last release)",
    )
    what.add_argument(
        "--check",
        nargs="?",
        type=Path,
        const=Path("changelog.d"),
        metavar="FOLDER",
        help="whether the fragments in a folder (default: changelog.d) say it",
    )
    what.add_argument("--freeze", metavar="VERSION", help="make this the surface of a release; nox -s release does")


def main(options: argparse.Namespace) -> int:
    """Print, compare, check or freeze."""
    with asyncio.Runner(loop_factory=new_virtual_loop) as runner:
        present = runner.run(surface())
    try:
        if options.since:
            return _since(read(options.since), present)
        if options.check:
            return _check(options.check, present)
        if options.freeze:
            freeze(present, options.freeze, compare(read(PATH), present))
            print(f"the surface of {options.freeze} stands in {PATH}")
        else:
            print(text_of(present), end="")
    except Unfit as error:
        print(f"tzzr surface: {error}", file=sys.stderr)
        return COULD_NOT_RUN
    return PASSED


def _since(before: Mapping[str, Any], present: Mapping[str, Any]) -> int:
    changes = compare(before, present)
    for change in changes:
        print(line(change))
    counts = ", ".join(f"{sum(each.weight is weight for each in changes)} {weight}" for weight in reversed(Weight))
    print(
        f"since {before['version']}: {counts}; the next version is {next_version(before['version'], changes)} or higher"
    )
    return FAILED if any(change.weight is Weight.BREAKING for change in changes) else PASSED


def _check(folder: Path, present: Mapping[str, Any]) -> int:
    if not folder.is_dir():
        raise Unfit(f"{folder} is no folder of fragments; run it in the repository, or name the folder")
    before = read(PATH)
    found = list(problems(compare(before, present), fragments(folder), (before["version"], __version__)))
    print("\n\n".join(found) or f"{folder} says all that has changed since {before['version']}")
    return FAILED if found else PASSED
