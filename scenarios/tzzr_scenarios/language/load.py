"""From a file to its scenarios: read, validate, and tell every mistake at once, each at its place."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from tzzr_scenarios.language import explain
from tzzr_scenarios.language.cases import Row, table
from tzzr_scenarios.language.include import SharedFile, included, merged
from tzzr_scenarios.language.mistakes import FileMistakes, Mistake
from tzzr_scenarios.language.models import Scenario
from tzzr_scenarios.language.parts import senseless_parts
from tzzr_scenarios.language.places import Document, read
from tzzr_scenarios.language.sense import senseless, senseless_given
from tzzr_scenarios.language.uses import unknown_names
from tzzr_scenarios.language.values import Part

PartT = TypeVar("PartT", bound=Part)


@dataclass(frozen=True)
class ScenarioFile:
    """A scenario and the file it came from. ``name`` is the path as it was given, ``case`` the id of its row."""

    name: str
    path: Path
    scenario: Scenario
    document: Document
    case: str = ""

    @property
    def id(self) -> str:
        """The file, and the row in brackets where it has rows."""
        return f"{self.name}[{self.case}]" if self.case else self.name


def load(path: Path, name: str | None = None) -> ScenarioFile:
    """The scenario of one file, the first one where it has rows.

    Raises:
        FileMistakes: with every mistake of the file.
    """
    return load_each(path, name)[0]


def load_each(path: Path, name: str | None = None) -> list[ScenarioFile]:
    """The scenarios of one file: one for each of its rows.

    Raises:
        FileMistakes: with every mistake of the file.
    """
    shown = name or str(path)
    document = read(shown, _text(path, shown))
    if document.mistakes:
        raise FileMistakes(document.mistakes)
    if not isinstance(document.value, dict):
        told = "a scenario is a mapping with the keys scenario and steps"
        raise FileMistakes([document.mistake((), told, "begin with: scenario: …")])
    shared = included(document, path.parent)
    cases = table(document, path.parent, shared)
    if cases.mistakes:
        raise FileMistakes(cases.mistakes)
    scenarios = _of_rows(document, shared, cases.rows)
    return [ScenarioFile(shown, path, each, document, row.id) for row, each in zip(cases.rows, scenarios, strict=True)]


def load_all(paths: Sequence[tuple[Path, str]]) -> list[ScenarioFile]:
    """The scenarios of several files, each given with the name it is shown by.

    Raises:
        FileMistakes: with every mistake of all files.
    """
    files: list[ScenarioFile] = []
    mistakes: list[Mistake] = []
    for path, name in paths:
        try:
            files.extend(load_each(path, name))
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


def _of_rows(document: Document, shared: Document | None, rows: Sequence[Row]) -> list[Scenario]:
    """The scenario of each row; a mistake that not every row makes is told with the first row that does."""
    scenarios: list[Scenario] = []
    made: dict[Mistake, list[str]] = {}
    for row in rows:
        scenario, mistakes = _of_row(document, shared, row)
        for mistake in mistakes:
            made.setdefault(mistake, []).append(row.id)
        if scenario is not None:
            scenarios.append(scenario)
    if made:
        raise FileMistakes([_in_case(mistake, ids, len(rows)) for mistake, ids in made.items()])
    return scenarios


def _in_case(mistake: Mistake, ids: Sequence[str], rows: int) -> Mistake:
    return mistake if len(ids) == rows else replace(mistake, message=f"{mistake.message} (case {ids[0]})")


def _of_row(document: Document, shared: Document | None, row: Row) -> tuple[Scenario | None, list[Mistake]]:
    said = {key: value for key, value in document.value.items() if key != "cases"}
    scenario, mistakes = _validated(Scenario, document, row.into(said))
    if scenario is None:
        mistakes += senseless_parts(document, row.into(said))
    else:
        mistakes += [*senseless(document, scenario), *unknown_names(document, row.values)]
    if shared is None:
        return scenario, mistakes
    given, wrong = _validated(SharedFile, shared, row.into(shared.value))
    wrong += senseless_parts(shared, row.into(shared.value)) if given is None else senseless_given(shared, given.given)
    if given is None or scenario is None:
        return None, mistakes + wrong
    whole = scenario.model_copy(update={"given": merged(given.given, scenario.given)})
    return whole, mistakes + wrong


def _validated(model: type[PartT], document: Document, value: Mapping[str, Any]) -> tuple[PartT | None, list[Mistake]]:
    """The value as a model, or what the model refuses, told by the places of the document."""
    try:
        return model.model_validate_json(json.dumps(value)), []
    except ValidationError as wrong:
        return None, explain.mistakes(document, wrong.errors(include_url=False))
