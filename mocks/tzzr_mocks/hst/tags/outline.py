"""The curated outlines: one tag a line, indented by two spaces under its parent.

    slug | Nombre | English name | Una frase en español. | {"metadatos": "as JSON"}

The last column may be missing. A slug that starts with `~` marks a tag that is kept but no longer active.
Blank lines and lines that start with `#` are skipped. The first line of a file is its only root.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

_INDENT: Final = 2
_COLUMNS: Final = (4, 5)
_SLUG: Final = re.compile(r"~?[A-Za-z0-9]+(-[a-z0-9]+)*")


class OutlineError(ValueError):
    """A line of an outline cannot be read; the message names file, line and what to write instead."""


@dataclass(frozen=True)
class Entry:
    """One tag as curated: where it stands in the tree and what people wrote about it."""

    ref: str
    padre: str | None
    nivel: int
    grupo: str
    nombre: str
    nombre_en: str
    descripcion: str
    activo: bool
    metadatos: dict[str, Any] | None


@dataclass(frozen=True)
class _Line:
    where: str
    depth: int
    slug: str
    activo: bool
    columns: list[str]


def parse(text: str, name: str, *, grouped: bool = False) -> list[Entry]:
    """Read one outline in the order of its lines; `name` is the file's name for messages.

    A `ref` is the dotted path of slugs. With `grouped` false the root's slug is its first part; with `grouped`
    true the root is a group alone: it becomes no tag and no part of a `ref`. Raises `OutlineError`.
    """
    lines = list(_lines(text, name))
    if not lines or lines[0].depth or any(line.depth == 0 for line in lines[1:]):
        raise OutlineError(f"{name}: an outline has one root, on its first line and without indent")
    grupo = lines[0].columns[0]
    return list(_entries(lines[1:], grupo, 1) if grouped else _entries(lines, grupo, 0))


def _entries(lines: list[_Line], grupo: str, top: int) -> Iterator[Entry]:
    path: list[str] = []
    for line in lines:
        nivel = line.depth - top + 1
        if nivel > len(path) + 1:
            raise OutlineError(f"{line.where}: indented more than one step (two spaces) under the line above")
        padre = path[nivel - 2] if nivel > 1 else None
        ref = f"{padre}.{line.slug}" if padre else line.slug
        path[nivel - 1 :] = [ref]
        yield _entry(line, ref, padre, nivel, grupo)


def _entry(line: _Line, ref: str, padre: str | None, nivel: int, grupo: str) -> Entry:
    nombre, nombre_en, descripcion = line.columns[:3]
    metadatos = _metadatos(line.columns[3], line.where) if line.columns[3:] else None
    return Entry(ref, padre, nivel, grupo, nombre, nombre_en, descripcion, line.activo, metadatos)


def _metadatos(text: str, where: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise OutlineError(f"{where}: the fifth column is not JSON: {error}") from error
    if not isinstance(value, dict):
        raise OutlineError(f"{where}: the fifth column must be a JSON object, not {text!r}")
    return value


def _lines(text: str, name: str) -> Iterator[_Line]:
    for number, raw in enumerate(text.splitlines(), start=1):
        if raw.strip() and not raw.startswith("#"):
            yield _line(raw, f"{name}:{number}")


def _line(raw: str, where: str) -> _Line:
    indent = len(raw) - len(raw.lstrip(" "))
    slug, *columns = (column.strip() for column in raw.split(" | "))
    if indent % _INDENT:
        raise OutlineError(f"{where}: the indent is {indent} spaces; it must be a multiple of {_INDENT}")
    if len(columns) + 1 not in _COLUMNS or not all(columns):
        raise OutlineError(
            f"{where}: write 'slug | Nombre | English name | Una frase. | {{JSON}}', not {raw.strip()!r}"
        )
    if not _SLUG.fullmatch(slug):
        raise OutlineError(f"{where}: {slug!r} is no slug; use letters without accents, digits and single hyphens")
    return _Line(where, indent // _INDENT, slug.lstrip("~"), not slug.startswith("~"), columns)
