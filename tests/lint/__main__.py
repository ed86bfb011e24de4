"""Print what the lints find, a line each; exit 1 where there is any."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.lint import asserting, docstrings
from tests.lint.sources import Sources


def main(root: Path) -> int:
    """Look at the tests and the packages below a folder; the exit code."""
    found = [*asserting.findings(Sources.below(root)), *docstrings.findings(root)]
    for finding in found:
        print(finding)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(Path()))
