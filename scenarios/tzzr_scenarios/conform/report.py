"""Where verdicts go: a terminal, JSON lines, JUnit XML. One form for recorded cases and for rules."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, TextIO
from xml.etree import ElementTree as ET

from rich.console import Console
from rich.progress import Progress

from tzzr_mocks.hst.conformance.verdict import NOTHING
from tzzr_scenarios.conform.verdict import Difference, Verdict, shown

_NOT_XML = re.compile("[^\t\n\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True)
class Course:
    """What is about to be asked: ``count`` of something, of whom, and what a report says before the first and after.

    ``end`` joins the last JSON line; ``legend`` is what a person reads after a count of failures.
    """

    what: str
    kind: str
    count: int
    remarks: Sequence[str] = ()
    end: dict[str, Any] = field(default_factory=dict)
    legend: str = ""


class Report(Protocol):
    """Where verdicts go."""

    def asking(self, course: Course) -> AbstractContextManager[None]:
        """The time in which so much is asked."""
        ...

    def verdict(self, verdict: Verdict) -> None:
        """One case or rule was judged."""
        ...


class Tally:
    """Gives every verdict to all reports, and counts those that failed."""

    def __init__(self, *reports: Report) -> None:
        self.failed = 0
        self._reports = reports

    @contextmanager
    def asking(self, course: Course) -> Iterator[None]:
        """The time in which so much is asked."""
        with ExitStack() as stack:
            for report in self._reports:
                stack.enter_context(report.asking(course))
            yield

    def verdict(self, verdict: Verdict) -> None:
        """One case or rule was judged."""
        self.failed += verdict.outcome == "failed"
        for report in self._reports:
            report.verdict(verdict)


class JsonLines:
    """One object per verdict, as ``line`` makes it (None: no line), and one at the end."""

    def __init__(self, out: TextIO, line: Callable[[Verdict], dict[str, Any] | None]) -> None:
        self._out, self._line = out, line
        self._outcomes: Counter[str] = Counter()

    @contextmanager
    def asking(self, course: Course) -> Iterator[None]:
        """The last line follows when all were asked."""
        self._outcomes.clear()
        yield
        differing = self._outcomes["failed"]
        counts = {"asked": self._outcomes["passed"] + differing, "differing": differing}
        self._write({"event": "end", **counts, "left_out": self._outcomes["left out"], **course.end})

    def verdict(self, verdict: Verdict) -> None:
        """One line, where there is something to say."""
        self._outcomes[verdict.outcome] += 1
        if (line := self._line(verdict)) is not None:
            self._write(line)

    def _write(self, line: dict[str, Any]) -> None:
        print(json.dumps(line, ensure_ascii=False, default=str), file=self._out, flush=True)


def rule_line(verdict: Verdict) -> dict[str, Any]:
    """A rule's verdict as a JSON line: every one has its id, its verdict and the request that shows it."""
    line: dict[str, Any] = {"event": "rule", "rule": verdict.rule, "verdict": verdict.outcome, "says": verdict.says}
    line |= {"source": verdict.source, "where": verdict.where, "request": verdict.request, "reason": verdict.reason}
    return {**line, "differences": [vars(each) for each in verdict.differences]}


class Terminal:
    """Each failure as it is found, a bar meanwhile, a count by theme at the end; ``every`` prints what passed too."""

    def __init__(self, *, quiet: bool, every: bool = False, out: TextIO | None = None) -> None:
        self._counts: Counter[tuple[str, bool]] = Counter()
        self._left_out: Counter[str] = Counter()
        self._every = every
        self._progress = Progress(
            console=Console(stderr=True), transient=True, disable=quiet, redirect_stdout=sys.stdout.isatty()
        )
        self._out = Console(highlight=False, file=out)

    @contextmanager
    def asking(self, course: Course) -> Iterator[None]:
        """The head before, the bar meanwhile, the counts after."""
        self._counts.clear()
        self._left_out.clear()
        for line in (course.what, *(f"  {remark}" for remark in course.remarks)):
            self._line(line)
        self._task = self._progress.add_task("asking", total=course.count)
        with self._progress:
            yield
        self._progress.remove_task(self._task)
        self._summary(course)

    def verdict(self, verdict: Verdict) -> None:
        """Print what failed: what it says, the request, what was expected and what came."""
        self._progress.advance(self._task)
        if verdict.outcome == "left out":
            self._left_out[verdict.reason] += 1
        else:
            self._counts[verdict.theme, verdict.outcome == "failed"] += 1
        if verdict.outcome == "failed":
            self._failed(verdict)
        elif self._every:
            mark = "ok" if verdict.outcome == "passed" else f"left out: {verdict.reason}"
            self._line(f"{verdict.name}  {mark}")

    def _failed(self, verdict: Verdict) -> None:
        self._line(f"\n{verdict.name}")
        if verdict.says:
            self._line(f"  {verdict.says} [{verdict.source}]")
        self._line(f"  {verdict.request}")
        for one in verdict.differences:
            self._line(f"  {one.part}\n    expected {_told(one.expected)}\n    came     {_told(one.came)}")

    def _summary(self, course: Course) -> None:
        judged, bad = sum(self._counts.values()), sum(n for (_, failed), n in self._counts.items() if failed)
        for reason, number in self._left_out.items():
            self._line(f"  {number} left out: {reason}")
        if not bad:
            self._line(f"no difference in {judged} {course.kind}")
            return
        self._line("")
        for theme in sorted({theme for theme, failed in self._counts if failed}):
            failed, passed = self._counts[theme, True], self._counts[theme, False]
            self._line(f"theme {theme}: {failed} of {failed + passed} differ")
        self._line(f"{bad} of {judged} {course.kind} differ{course.legend}")

    def _line(self, text: str) -> None:
        self._out.print(text, markup=False, soft_wrap=True)


def _told(value: Any) -> str:
    return NOTHING if value == NOTHING else shown(value)


class JUnit:
    """Writes ``path`` when all were asked: one test case per verdict, its evidence inside."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._suites: list[tuple[Course, list[ET.Element]]] = []

    @contextmanager
    def asking(self, course: Course) -> Iterator[None]:
        """One test suite; the file is written anew at the end of each."""
        self._suites.append((course, []))
        yield
        self._write()

    def verdict(self, verdict: Verdict) -> None:
        """Take note of one verdict."""
        case = ET.Element("testcase", classname=_held(verdict.theme), name=_held(verdict.name))
        if verdict.outcome == "failed":
            first = verdict.differences[0]
            failure = ET.SubElement(case, "failure", message=_held(_sentence(first)), type="rule")
            failure.text = _held("\n".join([verdict.says, *map(_sentence, verdict.differences)]))
        elif verdict.outcome == "left out":
            ET.SubElement(case, "skipped", message=_held(verdict.reason))
        ET.SubElement(case, "system-out").text = _held(verdict.request)
        self._suites[-1][1].append(case)

    def _write(self) -> None:
        every = [case for _, cases in self._suites for case in cases]
        root = ET.Element("testsuites", {"name": "tzzr conform", **_counts(every)})
        for course, cases in self._suites:
            ET.SubElement(root, "testsuite", {"name": _held(course.what), **_counts(cases)}).extend(cases)
        self._path.parent.mkdir(parents=True, exist_ok=True)
        ET.ElementTree(root).write(self._path, encoding="utf-8", xml_declaration=True)


def _counts(cases: Sequence[ET.Element]) -> dict[str, str]:
    failures = sum(case.find("failure") is not None for case in cases)
    skipped = sum(case.find("skipped") is not None for case in cases)
    return {"tests": str(len(cases)), "failures": str(failures), "errors": "0", "skipped": str(skipped)}


def _sentence(difference: Difference) -> str:
    return f"{difference.part}: expected {_told(difference.expected)}, came {_told(difference.came)}"


def _held(text: str) -> str:
    return _NOT_XML.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), text)
