"""The terminal report: one bar per theme while it runs, failures with what happened, a summary."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import PurePath

from rich.console import Console
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from tzzr_mcp.seams import Event as Happening
from tzzr_scenarios.events import Event, RunEnded, RunStarted, ScenarioEnded, ScenarioResult
from tzzr_scenarios.matchers import Difference
from tzzr_scenarios.spelling import counted
from tzzr_scenarios.story import story

_MARKS = {"failed": "✗", "broken": "!", "passed": "✓", "expected": "~", "skipped": "-"}
_OWN_NAMES = ("upstream", "given", "after", "until", "verdict", "matrix")
"""What a difference's path may begin with that does not stand below `expect`."""
_SKIPPED = 5
"""How many of those that were not played are named."""
_SLOWEST = 3
"""How many of the slowest scenarios are named, when there are more than those."""


class TerminalReport:
    """Prints a run for people. ``trace`` adds the digest of every scenario's trace, ``quiet`` leaves the bars out."""

    def __init__(self, console: Console, *, quiet: bool = False, trace: bool = False) -> None:
        self.console, self.quiet, self.trace = console, quiet, trace
        self._themes: Counter[str] = Counter()
        self._done: Counter[str] = Counter()
        self._bad: Counter[str] = Counter()
        self._took: list[tuple[float, str]] = []
        self._live: Live | None = None

    def event(self, event: Event) -> None:
        """Take note of one event."""
        if isinstance(event, RunStarted):
            self._begin(event)
        elif isinstance(event, ScenarioEnded):
            self._took.append((event.real_s, event.result.file.id))
            self._ended(event.result)
        else:
            self._end(event)

    def _begin(self, event: RunStarted) -> None:
        self._themes.update(theme(file.name) for file in event.files)
        if not self.quiet and self.console.is_terminal:
            self._live = Live(self._bars(), console=self.console, transient=True)
            self._live.start()

    def _ended(self, result: ScenarioResult) -> None:
        self._done[theme(result.file.name)] += 1
        self._bad[theme(result.file.name)] += not result.fine
        if self._live is not None:
            self._live.update(self._bars())

    def _end(self, event: RunEnded) -> None:
        if self._live is not None:
            self._live.stop()
        for result in event.results:
            self._tell(result)
        for line in _skipped(event.results):
            self.console.print(line, markup=False, highlight=False, soft_wrap=True)
        if not self.quiet:
            self.console.print(self._bars())
        if self.trace:
            for result in event.results:
                self.console.print(f"{result.digest}  {result.file.id}", highlight=False, soft_wrap=True)
        self.console.print(summary(event), soft_wrap=True)
        if not self.quiet and len(self._took) > _SLOWEST:
            self.console.print(f"  slowest {slowest(self._took)}", markup=False, soft_wrap=True)

    def _tell(self, result: ScenarioResult) -> None:
        if result.verdict == "expected":
            line = f"{_MARKS['expected']} {result.file.id}  known to fail: {result.reason}"
            self.console.print(line, markup=False, soft_wrap=True)
        elif not result.fine:
            self.console.print(failure(result), soft_wrap=True)

    def _bars(self) -> Table:
        bars = Table.grid(padding=(0, 2))
        for name, total in self._themes.items():
            done, bad = self._done[name], self._bad[name]
            style = "red" if bad else "green"
            bar = ProgressBar(total, done, width=20, complete_style=style, finished_style=style)
            bars.add_row(f"  {name}", bar, Text(f"{done - bad}/{total}", style=style))
        return bars


class Told:
    """Prints one line when the run has ended."""

    def __init__(self, console: Console, text: str) -> None:
        self.console, self.text = console, text

    def event(self, event: Event) -> None:
        """Take note of one event."""
        if isinstance(event, RunEnded):
            self.console.print(self.text, markup=False, soft_wrap=True)


def theme(name: str) -> str:
    """The folders of a scenario file, as one name."""
    parts = PurePath(name).parts[:-1]
    inside = parts[parts.index("scenarios") + 1 :] if "scenarios" in parts else parts[-2:]
    return " · ".join(inside) or "scenarios"


def failure(result: ScenarioResult) -> Text:
    """One failure: its place, what differed, what happened, how to replay it."""
    first = next((step.line for step in result.steps if step.differences), 1)
    lines = [f"{_MARKS[result.verdict]} {result.file.name}:{first}  {result.title}"]
    if result.problem:
        lines += ["    could not be carried out", *_indented(result.problem, 6)]
    for step in result.steps:
        if step.differences:
            lines += [f"    {step.title} (line {step.line})", *_differences(step.differences)]
    lines += _differences(result.differences)
    lines += ["    what happened              t", *_story(result.trace)]
    wire = " --live" if result.live else f" --wire {result.wire}" if result.wire != "memory" else ""
    only = f" -k {shlex.quote(f'[{result.file.case}]')}" if result.file.case else ""
    lines += [f"    replay   tzzr run {result.file.name}{only} --seed {result.seed} --era {result.era}{wire}", ""]
    text = Text("\n".join(lines))
    text.stylize("bold red", 0, len(lines[0]))
    return text


def _differences(differences: Iterable[Difference]) -> list[str]:
    lines: list[str] = []
    for difference in differences:
        path = difference.path if difference.path.startswith(_OWN_NAMES) else f"expect.{difference.path}"
        lines += [f"    {path}", *_labelled("expected", difference.expected), *_labelled("got", difference.got)]
    return lines


def _labelled(label: str, text: str) -> list[str]:
    first, *rest = text.splitlines() or [""]
    return [f"      {label:<9} {first}", *(f"                {line}" for line in rest)]


def _indented(text: str, width: int) -> list[str]:
    return [f"{' ' * width}{line}" for line in text.splitlines()]


def _story(trace: Sequence[Happening], limit: int = 40) -> list[str]:
    lines = [f"      {line}" for line in story(trace)]
    left = len(lines) - limit
    return [*lines[:limit], f"      … {left} more lines (tzzr run --json has them all)"] if left > 0 else lines


def _skipped(results: Iterable[ScenarioResult]) -> list[str]:
    """A few of those that were not played, with the reasons, and how many there are."""
    skipped = [result for result in results if result.verdict == "skipped"]
    lines = [f"{_MARKS['skipped']} {result.file.id}  {result.era} {result.wire}: {result.reason}" for result in skipped]
    left = len(lines) - _SKIPPED
    return [*lines[:_SKIPPED], f"  … {left} more skipped (tzzr run --json has them all)"] if left > 0 else lines


def summary(event: RunEnded) -> Text:
    """The last line: how many, how long, which seed."""
    verdicts = Counter(result.verdict for result in event.results)
    told = ", ".join(
        f"{verdicts[name]} {name}" for name in ("passed", "expected", "skipped", "failed", "broken") if verdicts[name]
    )
    virtual = spoken(sum(result.virtual_s for result in event.results))
    line = f"  {counted(len(event.results), 'scenario')}, {told} in {event.real_s:.1f} s ({virtual} of virtual time), seed {event.seed}"
    return Text(line, style="bold red" if event.failed else "bold green")


def slowest(took: Iterable[tuple[float, str]]) -> str:
    """The scenarios that took the longest of the machine's time: ``1.2 s NAME · 0.9 s NAME``."""
    longest = sorted(took, key=lambda each: -each[0])[:_SLOWEST]
    return " · ".join(f"{seconds:.1f} s {name}" for seconds, name in longest)


def spoken(seconds: float) -> str:
    """A duration for people: ``2 h 12 min``, ``40 s``."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"
