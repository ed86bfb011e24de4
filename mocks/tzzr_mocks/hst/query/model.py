"""What one request asks for: the typed form that every later stage works on."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class FieldRef:
    """A field, or a function of a field: ``nombre``, ``year(date_created)``, ``json(metadatos, color)``."""

    name: str
    function: str | None = None
    path: str | None = None

    @property
    def key(self) -> str:
        """What it is called in an answer: ``date_created_year``, ``metadatos_color_json``."""
        middle = "" if self.path is None else "_" + "_".join(re.findall(r"\w+", self.path))
        return self.name + middle + ("" if self.function is None else f"_{self.function}")


@dataclass(frozen=True)
class Condition:
    """One operator on one field. ``value`` is a plain JSON value, a list for the operators that take several."""

    field: FieldRef
    operator: str
    value: Any


@dataclass(frozen=True)
class AllOf:
    """Every part holds; with no part it narrows nothing."""

    parts: tuple[Filter, ...] = ()


@dataclass(frozen=True)
class AnyOf:
    """At least one part holds."""

    parts: tuple[Filter, ...]


Filter = Condition | AllOf | AnyOf


def conditions(tree: Filter) -> Iterator[Condition]:
    """Every condition of a tree, from left to right."""
    if isinstance(tree, Condition):
        yield tree
        return
    for part in tree.parts:
        yield from conditions(part)


@dataclass(frozen=True)
class Sort:
    """One sort key. ``name`` is as asked for, without the dash."""

    name: str
    descending: bool = False


@dataclass(frozen=True)
class Query:
    """A request's query, shapes checked, names not yet.

    ``filter`` is raw JSON until `tzzr_mocks.hst.query.filters.build` gives it types. ``fields`` and ``group`` are None
    where the request does not name any.``limit`` is -1 for all rows. ``aggregate`` maps functions to field names.
    """

    fields: tuple[str, ...] | None = None
    filter: Any = None
    sort: tuple[Sort, ...] = ()
    limit: int = 100
    offset: int = 0
    search: str | None = None
    meta: tuple[str, ...] = ()
    aggregate: Mapping[str, tuple[str, ...]] | None = None
    group: tuple[str, ...] | None = None
    alias: Mapping[str, str] = field(default_factory=dict)
    export: str | None = None
    version: str | None = None

    @property
    def aggregated(self) -> bool:
        """Whether the answer is groups and figures instead of rows."""
        return any((self.aggregate or {}).values()) or bool(self.group)
