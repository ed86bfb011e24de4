"""Install the suite, start the server, run every frozen set, and print what nobody explained."""

from __future__ import annotations

import argparse
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

from tests.conformance.served import served
from tests.conformance.suite import REVISIONS, Suite, install
from tests.conformance.verdicts import complaints, expectations


def main() -> int:
    """0 every failure is explained and every explanation is needed; 1 otherwise."""
    parser = argparse.ArgumentParser(prog="python -m tests.conformance", description=__doc__)
    parser.add_argument("--into", type=Path, help="folder to install the suite in, kept; a temporary one if none")
    parser.add_argument("--revision", choices=REVISIONS, action="append", help="only this revision of the protocol")
    options = parser.parse_args()
    with ExitStack() as stack:
        folder = options.into or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        suite = install(folder)
        url = stack.enter_context(served(folder))
        found = [line for revision in options.revision or REVISIONS for line in _run(suite, revision, url)]
    print("\n".join(found) if found else "conformance: every failure is explained, every explanation is needed")
    return 1 if found else 0


def _run(suite: Suite, revision: str, url: str) -> list[str]:
    run = suite.run(revision, url)
    print(f"{revision}: {run.summary}", flush=True)
    refused = [] if run.code == 0 else [f"{revision}: the suite itself ended with code {run.code}"]
    return [*refused, *complaints(revision, run.failed, run.scenarios, expectations())]


if __name__ == "__main__":
    sys.exit(main())
