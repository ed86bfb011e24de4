"""Where the finds of a search are kept: one scenario file for each, written once, when the search has ended."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from hypothesis.control import current_build_context
from hypothesis.errors import InvalidArgument

from tzzr_scenarios.search.journey import Journey
from tzzr_scenarios.search.written import Written


@dataclass(frozen=True)
class Finds:
    """A journey's keeper for the examples of Hypothesis: writes the shrunk one of each failure into ``folder``.

    ``by`` tells a reader which search it was. The name of a file is made from what it holds: the same find is the same
    file, and two processes that search at once never write into one another's. A file that is there stays as it is.
    """

    folder: Path
    by: str

    def __call__(self, journey: Journey) -> str:
        """Write the find if the search is over; where it is, and how it is played again."""
        if not is_last_word():
            return ""
        path = self.keep(journey)
        return f"written down: {path}\nplay it again: tzzr run {path}"

    def keep(self, journey: Journey) -> Path:
        """Write down a journey that broke; the file."""
        find = Written(journey, self.by)
        path = self.folder / f"{find.name}.yaml"
        if not path.exists():
            self.folder.mkdir(parents=True, exist_ok=True)
            find.documents.write(self.folder)
            _put(path, find.text(self.folder))
        return path


def is_last_word() -> bool:
    """Whether Hypothesis plays the example that it is going to show: the shrunk one, after every attempt."""
    try:
        return bool(current_build_context().is_final)
    except InvalidArgument:
        return False


def _put(path: Path, text: str) -> None:
    """Write a file that nobody ever sees half."""
    begun = path.with_name(f".{path.name}.{os.getpid()}")
    begun.write_text(text, encoding="utf-8")
    begun.replace(path)
