"""A JSON document with one thing changed: what a strict reader must notice, wherever it is."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from tzzr_scenarios.strategies.values import Json, anything

Path = tuple[str | int, ...]
"""The names and indices that lead from a document to a value in it."""

Change = Callable[[Json, Any], None]
"""What is done to a parent and the name of its child."""


def paths(document: Json, way: Path = ()) -> list[Path]:
    """Where every value of ``document`` stands, itself left out; parents before their children."""
    items: list[tuple[str | int, Json]] = []
    if isinstance(document, dict):
        items = list(document.items())
    elif isinstance(document, list):
        items = list(enumerate(document))
    return [path for name, value in items for path in ((*way, name), *paths(value, (*way, name)))]


def at(document: Json, path: Path) -> Json:
    """The value at ``path``; KeyError or IndexError where there is none."""
    for name in path:
        document = document[name]
    return document


def changed(document: Json, path: Path, change: Change) -> Json:
    """A copy of ``document`` on which ``change(parent, name)`` was done at ``path``, which is not empty."""
    copied = copy.deepcopy(document)
    change(at(copied, path[:-1]), path[-1])
    return copied


def remove(parent: Json, name: Any) -> None:
    """Drop the value."""
    del parent[name]


def put(value: Json) -> Change:
    """Set the value."""

    def change(parent: Json, name: Any) -> None:
        parent[name] = value

    return change


@st.composite
def mutants(draw: st.DrawFn, document: Json) -> Json:
    """``document`` with one thing changed anywhere: a value dropped, replaced, or bent a little, or a stranger added.

    Not every mutant is wrong: ask the schema. The document must be an object or a list with something in it.
    """
    path = draw(st.sampled_from(paths(document)))
    kind = draw(st.sampled_from(["drop", "replace", "bend", "add"]))
    if kind == "drop":
        return changed(document, path, remove)
    if kind == "add":
        return changed(document, (*path[:-1], draw(st.text(max_size=8))), _add)
    value = draw(anything() if kind == "replace" else bent(at(document, path)))
    return changed(document, path, put(value))


def _add(parent: Json, name: Any) -> None:
    if isinstance(parent, dict):
        parent[name] = 1
    else:
        parent.append(name)


def bent(value: Json) -> st.SearchStrategy[Json]:
    """``value`` a little wrong: one character more or less, another case, a number as text, another sign."""
    if isinstance(value, bool):
        return st.just(int(value))
    if isinstance(value, str):
        tails = st.sampled_from(["\n", " ", "=", "0", "A", "\x00"])
        return st.just(value[:-1]) | tails.map(lambda tail: value + tail) | st.just(value.upper())
    if isinstance(value, int | float):
        return st.sampled_from([-value, value + 0.5, float(value), value + 10**6, str(value)])
    return st.just([]) if isinstance(value, list) else st.just({})
