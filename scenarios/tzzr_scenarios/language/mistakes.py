"""What is wrong with a file, told so that it can be mended: place, line, caret, nearest valid name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Mistake:
    """One mistake. ``line`` and ``column`` count from 1; ``shown`` is the line itself."""

    file: str
    line: int
    column: int
    message: str
    shown: str = ""
    hint: str = ""

    def __str__(self) -> str:
        head = f"{self.file}:{self.line}:{self.column}  {self.message}"
        if not self.shown:
            return f"{head}\n  {self.hint}" if self.hint else head
        gutter = f"{self.line:>6} | "
        caret = " " * (len(gutter) + self.column - 1) + "^"
        return f"{head}\n{gutter}{self.shown}\n{caret} {self.hint}".rstrip()


class FileMistakes(Exception):
    """Files that cannot be run; carries every mistake found."""

    def __init__(self, mistakes: Sequence[Mistake]) -> None:
        self.mistakes = tuple(sorted(mistakes, key=lambda mistake: (mistake.file, mistake.line, mistake.column)))
        count = len(self.mistakes)
        told = "\n".join(str(mistake) for mistake in self.mistakes)
        super().__init__(f"{told}\n{count} error{'s' if count != 1 else ''}; nothing was run")
