"""The machine's report: one JSON object per line and event."""

from __future__ import annotations

import json
from typing import Any, TextIO

from tzzr_scenarios.events import Event, RunStarted, ScenarioEnded, ScenarioResult, StepResult
from tzzr_scenarios.matchers import Difference


class JsonReport:
    """Writes ``run``, ``scenario`` and ``summary`` objects."""

    def __init__(self, out: TextIO) -> None:
        self.out = out

    def event(self, event: Event) -> None:
        """Take note of one event."""
        if isinstance(event, RunStarted):
            self._write({"event": "run", "scenarios": len(event.files), "seed": event.seed})
        elif isinstance(event, ScenarioEnded):
            self._write({"event": "scenario", **scenario(event.result)})
        else:
            passed = len(event.results) - len(event.failed)
            self._write({"event": "summary", "passed": passed, "not_passed": len(event.failed), "seed": event.seed})

    def _write(self, row: dict[str, Any]) -> None:
        self.out.write(json.dumps(row, ensure_ascii=False) + "\n")


def scenario(result: ScenarioResult) -> dict[str, Any]:
    """One scenario's outcome as plain JSON values, with its whole trace."""
    return {
        "file": result.file.name,
        "case": result.file.case,
        "title": result.title,
        "verdict": result.verdict,
        "problem": result.problem,
        "reason": result.reason,
        "seed": result.seed,
        "era": result.era,
        "wire": result.wire,
        "virtual_s": round(result.virtual_s, 6),
        "digest": result.digest,
        "steps": [_step(step) for step in result.steps],
        "trace": [happening.as_json() for happening in result.trace],
    }


def _step(step: StepResult) -> dict[str, Any]:
    return {
        "title": step.title,
        "line": step.line,
        "begin": step.begin,
        "end": step.end,
        "differences": [_difference(each) for each in step.differences],
        "tried": [_difference(each) for each in step.tried],
    }


def _difference(difference: Difference) -> dict[str, str]:
    return {"path": difference.path, "expected": difference.expected, "got": difference.got}
