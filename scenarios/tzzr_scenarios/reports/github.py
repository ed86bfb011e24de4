"""GitHub annotations: each failure at its line of the file, shown in the pull request.

The form is that of GitHub's workflow commands: ``::error file=…,line=…,title=…::message``.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from tzzr_scenarios.events import Event, ScenarioEnded, ScenarioResult
from tzzr_scenarios.matchers import Difference


class GitHubReport:
    """Writes one command for every place of a scenario that differs. ``root`` is the checkout's folder."""

    def __init__(self, out: TextIO, root: Path) -> None:
        self.out, self.root = out, root

    def event(self, event: Event) -> None:
        """Take note of one event."""
        if isinstance(event, ScenarioEnded) and not event.result.fine:
            for line, message in _told(event.result):
                self._write(event.result, line, message)

    def _write(self, result: ScenarioResult, line: int, message: str) -> None:
        path = result.file.path.resolve()
        shown = path.relative_to(self.root.resolve()) if path.is_relative_to(self.root.resolve()) else path
        about = f"file={property_text(str(shown))},line={line},title={property_text(result.title)}"
        self.out.write(f"::error {about}::{message_text(message)}\n")


def _told(result: ScenarioResult) -> Iterator[tuple[int, str]]:
    if result.problem:
        yield 1, f"could not be carried out: {result.problem}"
    for step in result.steps:
        if step.differences:
            yield step.line, "\n".join([step.title, *map(_difference, step.differences)])
    if result.differences:
        yield 1, "\n".join(map(_difference, result.differences))


def _difference(difference: Difference) -> str:
    return f"{difference.path}: expected {difference.expected}, got {difference.got}"


def message_text(text: str) -> str:
    """The text as a workflow command's message: on one line."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def property_text(text: str) -> str:
    """The text as a workflow command's property, which neither a colon nor a comma may end."""
    return message_text(text).replace(":", "%3A").replace(",", "%2C")
