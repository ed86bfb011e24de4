"""Where the figures of ``tzzr quality`` go: tables on a terminal, lines for a program, a bar meanwhile."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import shorten
from typing import Any, TextIO

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from tzzr_scenarios.quality.score import Miss

_WIDTH = 140
"""Columns where no terminal says how wide it is."""


@dataclass
class Figures:
    """Where figures go, all of them with what they are of, and how many requests they come from."""

    terminal: Console | None
    lines: TextIO | None
    progress: Progress
    misses: int = 0
    asked: int = 0
    figures: list[tuple[float, str]] = field(default_factory=list)

    def table(self, title: str, rows: list[list[str]]) -> None:
        """A table on the terminal."""
        if self.terminal:
            head, *body = rows
            self.terminal.print(title)
            table = Table(box=None)
            for name in head:
                table.add_column(name, justify="right" if name else "left", no_wrap=not name)
            for row in body:
                table.add_row(*row)
            self.terminal.print(table)
            self.terminal.print()

    def told(self, lines: Sequence[dict[str, Any]]) -> None:
        """Lines for a program, and every figure of them for the floor."""
        for line in lines:
            self.line(line)
            name = " ".join(str(line[key]) for key in ("task", "field", "group") if key in line)
            for kind in ("precision", "recall", "accuracy", "macro_f1"):
                if kind in line:
                    self.figures.append((line[kind], f"{kind} of {name}"))

    @contextmanager
    def watched(self, what: str, count: int) -> Iterator[Callable[[], None]]:
        """A bar while so many are measured; what is given is called after each."""
        self.asked += count
        bar = self.progress.add_task(what, total=count)
        with self.progress:
            yield lambda: self.progress.advance(bar)
        self.progress.remove_task(bar)

    def line(self, line: dict[str, Any]) -> None:
        """One object on a line of its own."""
        if self.lines:
            print(json.dumps(line, ensure_ascii=False), file=self.lines, flush=True)

    def missed(self, misses: Sequence[Miss]) -> None:
        """As many misses as were asked for."""
        for miss in misses[: self.misses]:
            self.line({"event": "miss", "of": miss.what, "sample": miss.sample, "true": miss.true, "came": miss.came})
            if self.terminal:
                where = shorten(miss.sample, 70, placeholder=" …")
                self.terminal.print(f"  {miss.what} in {where}: {miss.true} is true, {miss.came} came", markup=False)


@contextmanager
def figures(options: argparse.Namespace) -> Iterator[Figures]:
    """The figures that the options ask for.

    Raises:
        ValueError: a file cannot be written.
    """
    progress = Progress(console=Console(stderr=True), transient=True, disable=options.quiet)
    terminal = None if options.json == "-" else Console(highlight=False, width=None if sys.stdout.isatty() else _WIDTH)
    with ExitStack() as stack:
        lines = (
            sys.stdout if options.json == "-" else stack.enter_context(_opened(options.json)) if options.json else None
        )
        yield Figures(terminal, lines, progress, options.show_misses)


def _opened(path: str) -> TextIO:
    try:
        return Path(path).open("w", encoding="utf-8")
    except OSError as error:
        raise ValueError(f"{error.filename}: {error.strerror}; a report cannot be written there") from error
