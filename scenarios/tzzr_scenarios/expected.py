"""Known failures: listed with their reason they do not fail a run, and an entry that no longer holds does.

The file maps a scenario to the reason, as the reports name it: ``grace/fallback/ocr.yaml: waits for issue 12``, with the
row in brackets where there are rows (``…/ocr.yaml[luz]``). Paths start at the file's own folder, or at the built-in
scenarios.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from tzzr_mcp.seams.spelling import nearest
from tzzr_scenarios import files
from tzzr_scenarios.events import Event, RunEnded, ScenarioEnded, ScenarioResult
from tzzr_scenarios.language.load import load_each
from tzzr_scenarios.language.mistakes import FileMistakes, Mistake
from tzzr_scenarios.language.places import Document, read
from tzzr_scenarios.matchers import Difference
from tzzr_scenarios.spelling import suggestion

_ENTRY = re.compile(r"(?P<path>.+?)(?:\[(?P<case>[^\]]*)\])?")
_FORM = "such as grace/fallback/ocr.yaml: waits for issue 12"
Key = tuple[Path, str]
"""A scenario's file and row."""


@dataclass(frozen=True)
class Expected:
    """The reason of each known failure, and the name of the file that tells it."""

    name: str = "expected-failures.yaml"
    reasons: Mapping[Key, str] = field(default_factory=dict)

    def judged(self, event: Event) -> Event:
        """The event with what was expected told as such."""
        if isinstance(event, ScenarioEnded):
            return replace(event, result=self._result(event.result))
        if isinstance(event, RunEnded):
            return replace(event, results=[self._result(result) for result in event.results])
        return event

    def _result(self, result: ScenarioResult) -> ScenarioResult:
        reason = self.reasons.get((result.file.path.resolve(), result.file.case))
        if reason is None or result.verdict == "skipped":
            return result
        if result.verdict != "passed":
            return replace(result, verdict="expected", reason=reason)
        stale = Difference(f"given to fail by {self.name}", reason, "it passed; remove the entry")
        return replace(result, verdict="failed", differences=(*result.differences, stale))


def expected_failures(path: Path) -> Expected:
    """The known failures that a file lists.

    Raises:
        FileMistakes: it cannot be read, an entry has no reason, or names a scenario or row that is not there.
    """
    try:
        document = read(str(path), path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise FileMistakes([Mistake(str(path), 1, 1, f"cannot be read: {reason}", hint="check the path")]) from error
    mistakes = [*document.mistakes, *([] if document.mistakes else _mistakes(document, path.parent))]
    if mistakes:
        raise FileMistakes(mistakes)
    entries: Mapping[str, str] = document.value or {}
    return Expected(path.name, {_key(name, path.parent): reason for name, reason in entries.items()})


def _mistakes(document: Document, beside: Path) -> Iterator[Mistake]:
    if not isinstance(document.value, dict | None):
        yield document.mistake((), "known failures are a mapping of scenario to reason", _FORM)
        return
    for name, reason in (document.value or {}).items():
        if not isinstance(reason, str) or not reason.strip():
            yield document.mistake((name,), "a known failure needs a reason", _FORM)
        path, case = _key(name, beside)
        if path.is_file():
            rows = [each.case for each in load_each(path)]
            if case not in rows:
                hint = suggestion(case, [row or "none" for row in rows], "rows")
                yield document.mistake((name,), f'the scenario has no row "{case}"', hint, key=True)
        else:
            known = [str(path.relative_to(files.home())) for path in files.below(files.home())]
            close = nearest(name, known)
            hint = f"did you mean {close}?" if close else _FORM
            yield document.mistake((name,), f'"{name}" is no scenario file', hint, key=True)


def _key(name: str, beside: Path) -> Key:
    found = _ENTRY.fullmatch(name)
    path, case = (found["path"], found["case"] or "") if found else (name, "")
    own = (beside / path).resolve()
    return (own if own.is_file() else (files.home() / path).resolve()), case
