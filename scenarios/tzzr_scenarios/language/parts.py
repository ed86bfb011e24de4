"""A file whose form is wrong somewhere is still looked at where it is not: all of its mistakes are told in one go."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tzzr_scenarios.language.mistakes import Mistake
from tzzr_scenarios.language.places import Document, Path
from tzzr_scenarios.language.sense import senseless_fault, senseless_plugins

_INSIDE = ("steps", "parallel", "until")
"""Where in a file, and in a step, there are steps."""


def senseless_parts(document: Document, value: Any) -> Iterator[Mistake]:
    """The faults and plugins that cannot be, of a file that is no scenario as it stands."""
    given = _at(value, "given")
    for number, fault in enumerate(_listed(_at(given, "faults"))):
        yield from _fault(document, fault, ("given", "faults", number))
    plugins = _listed(_at(given, "plugins"))
    if all(isinstance(name, str) for name in plugins):
        yield from senseless_plugins(document, plugins, ("given", "plugins"))
    yield from _steps(document, value, ())


def _steps(document: Document, value: Any, path: Path) -> Iterator[Mistake]:
    """The faults that steps inside ``value`` plan."""
    for name in _INSIDE:
        inner = _at(value, name)
        if isinstance(inner, Mapping):
            yield from _step(document, inner, (*path, name))
        for number, step in enumerate(_listed(inner)):
            yield from _step(document, step, (*path, name, number))


def _step(document: Document, step: Any, path: Path) -> Iterator[Mistake]:
    yield from _fault(document, _at(step, "inject"), (*path, "inject"))
    yield from _steps(document, step, path)


def _fault(document: Document, fault: Any, path: Path) -> Iterator[Mistake]:
    """A fault of another form has been told already."""
    if isinstance(fault, str | dict) and fault:
        yield from senseless_fault(document, fault, path)


def _at(value: Any, name: str) -> Any:
    return value.get(name) if isinstance(value, Mapping) else None


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
