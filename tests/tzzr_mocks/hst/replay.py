"""Says how many recorded cases the fake answers as the real Directus did.

Run: ``python -m tests.tzzr_mocks.hst.replay [--theme 04,05] [--group default] [--dialect postgres] [--show 20]``
"""

from __future__ import annotations

import argparse
import asyncio
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

from tzzr_mcp.seams import Dice, LoopClock, Seams
from tzzr_mocks.hst.conformance.cases import CORPUS, Case, on_postgres, read_cases, read_tokens
from tzzr_mocks.hst.conformance.in_process import replay
from tzzr_mocks.hst.conformance.verdict import Verdict
from tzzr_mocks.network.virtual import new_virtual_loop

FOLDER = Path(__file__).parents[2] / "golden" / "directus"
NOW = datetime(2026, 11, 30, 14, 0, tzinfo=UTC)
"""When the answers were recorded."""


def recorded_seams() -> Seams:
    """A clock that begins at the time of the recording."""
    return Seams(LoopClock(NOW), Dice(7))


def all_cases() -> list[Case]:
    """Those of the package, and those that write or need other settings."""
    return read_cases(CORPUS, FOLDER)


def postgres_cases() -> list[Case]:
    """The default group as PostgreSQL answered it."""
    return on_postgres((case for case in all_cases() if case.group == "default"), FOLDER)


def _chosen(options: argparse.Namespace) -> list[Case]:
    cases = postgres_cases() if options.dialect == "postgres" else all_cases()
    themes = options.theme.split(",") if options.theme else None
    return [
        case
        for case in cases
        if (not options.group or case.group == options.group) and (themes is None or case.theme in themes)
    ]


def report(verdicts: list[Verdict], show: int) -> str:
    """Each difference, then the score by theme."""
    lines: list[str] = []
    failed = [verdict for verdict in verdicts if verdict.differences]
    for verdict in failed[:show]:
        request = verdict.case.request
        query = verdict.case.query({})[:200]
        lines.append(f"{verdict.case.id} {request['method']} {request['path']}?{query} @{verdict.case.token}")
        lines += [f"      {difference}" for difference in verdict.differences]
    total = Counter(verdict.case.theme for verdict in verdicts)
    bad = Counter(verdict.case.theme for verdict in failed)
    lines += [f"theme {theme}: {total[theme] - bad[theme]} of {total[theme]}" for theme in sorted(total) if bad[theme]]
    lines.append(f"in all {len(verdicts) - len(failed)} of {len(verdicts)}")
    return "\n".join(lines)


def main() -> None:
    """Read the options, replay, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--theme", default="")
    parser.add_argument("--group", default="")
    parser.add_argument("--dialect", default="sqlite", choices=["sqlite", "postgres"])
    parser.add_argument("--show", type=int, default=20)
    options = parser.parse_args()
    with asyncio.Runner(loop_factory=new_virtual_loop) as runner:
        verdicts = runner.run(replay(_chosen(options), read_tokens(), recorded_seams(), options.dialect))
    print(report(verdicts, options.show))


if __name__ == "__main__":
    main()
