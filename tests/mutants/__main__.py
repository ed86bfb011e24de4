"""Mutate a target, run its tests against every mutant, and hold what survives to the list of reasons."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

from tests.mutants.mutants import forget_survivors, mutants
from tests.mutants.survivors import Score, listed, report
from tests.mutants.targets import Target, targets
from tests.mutants.tree import lay_out

HUNT = Path(__file__).with_name("hunt.py")


def main() -> int:
    """0 every target reaches its score and every entry of the list is needed; 1 otherwise."""
    options = _parser().parse_args()
    return max(_one(targets()[name], options) for name in options.target)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="nox -s mutants --", description=__doc__)
    parser.add_argument("target", nargs="+", choices=sorted(targets()), help="what tests/mutants/targets.toml names")
    parser.add_argument("--into", type=Path, required=True, help="folder for mutated trees and their results, kept")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--again", action="store_true", help="try only what survived last time, and what has changed")
    how.add_argument("--list", action="store_true", help="run nothing, print the last results")
    parser.add_argument("--only", default="*", metavar="MODULE", help="only this module, e.g. tzzr_mcp.contract.errors")
    return parser


def _one(target: Target, options: argparse.Namespace) -> int:
    folder = options.into / target.name
    if not options.list and not _ran(target, folder, options):
        print(f"{target.name}: the tests could not be run; the last lines above say why")
        return 1
    found = [mutant for mutant in mutants(folder) if options.only in ("*", mutant.module)]
    score = Score.of(found, listed(target.name, options.only))
    print(report(target.name, score))
    return 0 if score.fine else 1


def _ran(target: Target, folder: Path, options: argparse.Namespace) -> bool:
    kept = options.again or options.only != "*"
    lay_out(target, folder, anew=not kept)
    if kept:
        forget_survivors(folder)
    chosen = "*" if options.only == "*" else f"{options.only}.x*"
    command = (sys.executable, "-P", str(HUNT), chosen)
    environment = {**os.environ, "HYPOTHESIS_PROFILE": "mutants"}
    return subprocess.run(command, cwd=folder, env=environment, check=False).returncode == 0


if __name__ == "__main__":
    sys.exit(main())
