"""What ``tzzr conform`` prints: for a person, or as JSON lines."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Protocol

import httpx
from rich.console import Console
from rich.progress import Progress

from tzzr_mocks.hst.conformance.cases import Case
from tzzr_mocks.hst.conformance.curl import curl_line
from tzzr_mocks.hst.conformance.verdict import Verdict, shown


@dataclass(frozen=True)
class Plan:
    """What is asked, and how the answers are compared.

    ``tokens`` has every value that cases take by name, ``secret`` those of them that may not be shown.
    """

    cases: Sequence[Case]
    tokens: dict[str, str]
    secret: dict[str, str]
    headers: bool
    rows: str


class Report(Protocol):
    """Where verdicts go."""

    differing: int

    def asking(self, count: int, *, recorded: bool) -> AbstractContextManager[None]:
        """The time in which so many cases are asked; ``recorded`` says whether the rows are the recorded ones."""
        ...

    def verdict(self, verdict: Verdict) -> None:
        """One case was answered."""
        ...


class JsonLines:
    """One object per case that differs, and one at the end."""

    def __init__(self, base: httpx.URL, plan: Plan) -> None:
        self.differing = 0
        self._base, self._plan = base, plan

    @contextmanager
    def asking(self, count: int, *, recorded: bool) -> Iterator[None]:
        """The last line follows when all were asked."""
        yield
        left_out = len(self._plan.cases) - count
        end = {"event": "end", "asked": count, "differing": self.differing, "left_out": left_out}
        print(json.dumps({**end, "rows": "recorded" if recorded else "other"}))

    def verdict(self, verdict: Verdict) -> None:
        """One line where something differs."""
        if not verdict.differences:
            return
        self.differing += 1
        told = [{"part": one.part, "recorded": one.recorded, "came": one.came} for one in verdict.differences]
        line = {"event": "difference", "case": verdict.case.id, "request": _curl(self._base, self._plan, verdict.case)}
        print(json.dumps({**line, "differences": told}, ensure_ascii=False), flush=True)


class Terminal:
    """Each difference as it is found, a bar while cases are asked, a count by theme at the end."""

    def __init__(self, base: httpx.URL, plan: Plan, *, quiet: bool) -> None:
        self.differing = 0
        self._base, self._plan = base, plan
        self._counts: Counter[tuple[str, bool]] = Counter()
        self._progress = Progress(
            console=Console(stderr=True), transient=True, disable=quiet, redirect_stdout=sys.stdout.isatty()
        )
        self._out = Console(highlight=False)

    @contextmanager
    def asking(self, count: int, *, recorded: bool) -> Iterator[None]:
        """The head before, the bar meanwhile, the counts after."""
        self._line(f"{count} cases at {self._base}, {'the recorded rows' if recorded else 'other rows'}")
        if not recorded:
            self._line("  held to status, content type, refusals and the form of rows (see tzzr conform hst --help)")
        if left_out := len(self._plan.cases) - count:
            self._line(f"  {left_out} left out: no token for their account (--as), or not to be sent in full")
        self._task = self._progress.add_task("asking", total=count)
        with self._progress:
            yield
        self._summary(count)

    def verdict(self, verdict: Verdict) -> None:
        """Print what differs."""
        self._progress.advance(self._task)
        self._counts[verdict.case.theme, bool(verdict.differences)] += 1
        if not verdict.differences:
            return
        self.differing += 1
        self._line(f"\n{verdict.case.id}")
        self._line(f"  {_curl(self._base, self._plan, verdict.case)}")
        for one in verdict.differences:
            self._line(f"  {one.part}\n    expected {shown(one.recorded)}\n    came     {shown(one.came)}")

    def _summary(self, count: int) -> None:
        if not self.differing:
            self._line(f"no difference in {count} cases")
            return
        self._line("")
        for theme in sorted({theme for theme, differs in self._counts if differs}):
            bad, good = self._counts[theme, True], self._counts[theme, False]
            self._line(f"theme {theme}: {bad} of {bad + good} differ")
        self._line(f"{self.differing} of {count} cases differ; ${{reader}} in a line stands for the token")

    def _line(self, text: str) -> None:
        self._out.print(text, markup=False, soft_wrap=True)


def _curl(base: httpx.URL, plan: Plan, case: Case) -> str:
    return curl_line(base, case, plan.tokens, plan.secret)
