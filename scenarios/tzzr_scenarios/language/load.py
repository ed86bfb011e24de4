"""From a file to a scenario: read, validate, and tell every mistake at once, each at its place."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from tzzr_scenarios.language import explain
from tzzr_scenarios.language.mistakes import FileMistakes, Mistake
from tzzr_scenarios.language.models import Scenario
from tzzr_scenarios.language.places import Document, read
from tzzr_scenarios.language.sense import senseless


@dataclass(frozen=True)
class ScenarioFile:
    """A scenario and the file it came from. ``name`` is the path as it was given."""

    name: str
    path: Path
    scenario: Scenario
    document: Document


def load(path: Path, name: str | None = None) -> ScenarioFile:
    """Read one scenario file.

    Raises:
        FileMistakes: with every mistake of the file.
    """
    shown = name or str(path)
    document = read(shown, _text(path, shown))
    scenario, mistakes = _validated(document)
    if scenario is None or mistakes:
        raise FileMistakes(mistakes)
    return ScenarioFile(shown, path, scenario, document)


def load_all(paths: Sequence[tuple[Path, str]]) -> list[ScenarioFile]:
    """Read several files, each given with the name it is shown by.

    Raises:
        FileMistakes: with every mistake of all files.
    """
    files: list[ScenarioFile] = []
    mistakes: list[Mistake] = []
    for path, name in paths:
        try:
            files.append(load(path, name))
        except FileMistakes as wrong:
            mistakes.extend(wrong.mistakes)
    if mistakes:
        raise FileMistakes(mistakes)
    return files


def _text(path: Path, name: str) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise FileMistakes([Mistake(name, 1, 1, f"cannot be read: {reason}")]) from error


def _validated(document: Document) -> tuple[Scenario | None, list[Mistake]]:
    if document.mistakes:
        return None, list(document.mistakes)
    if not isinstance(document.value, dict):
        told = document.mistake(
            (), "a scenario is a mapping with the keys scenario and steps", "begin with: scenario: …"
        )
        return None, [told]
    try:
        scenario = Scenario.model_validate_json(json.dumps(document.value))
    except ValidationError as wrong:
        return None, explain.mistakes(document, wrong.errors(include_url=False))
    return scenario, list(senseless(document, scenario))
