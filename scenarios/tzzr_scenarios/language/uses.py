"""Names that a scenario uses: each ``${name}`` must be a column of its rows, or saved by a step before."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from tzzr_scenarios.language.mistakes import Mistake
from tzzr_scenarios.language.places import Document, Path
from tzzr_scenarios.spelling import suggestion

_NAMED = re.compile(r"\$\{(\w+)\}")
_INSIDE = ("parallel", "steps", "until")


def unknown_names(document: Document, columns: Collection[str]) -> Iterator[Mistake]:
    """Every use of a name that nothing has given a value by then, at its place."""
    yield from _steps(document, document.value.get("steps"), ("steps",), set(columns))


def _steps(document: Document, steps: Any, path: Path, known: set[str]) -> Iterator[Mistake]:
    """The steps one after another; what each saves is known from itself on, as its own `upstream` may use it."""
    for number, step in enumerate(steps if isinstance(steps, Sequence) else ()):
        if isinstance(step, Mapping):
            known |= set(_saved(step))
            yield from _uses(document, step, (*path, number), known)


def _saved(step: Mapping[str, Any]) -> Iterator[str]:
    save = step.get("save")
    yield from save if isinstance(save, Mapping) else ()
    for name in _INSIDE:
        inner = step.get(name)
        for each in inner if isinstance(inner, list) else [inner]:
            if isinstance(each, Mapping):
                yield from _saved(each)


def _uses(document: Document, value: Any, path: Path, known: set[str]) -> Iterator[Mistake]:
    if isinstance(value, str):
        for name in _NAMED.findall(value):
            if name not in known:
                saved = suggestion(name, sorted(known), "known here") if known else "save it in a step before"
                yield document.mistake(path, f"${{{name}}} is neither saved by a step before nor a column", saved)
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from _uses(document, item, (*path, key), known)
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from _uses(document, item, (*path, number), known)
