"""A collection of tags as a dict, with filters that are functions: what the HST fake is compared with."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

from tzzr_mocks.hst.schemas import TAG_FIELDS

Row = dict[str, Any]
FIELDS = tuple(each.name for each in TAG_FIELDS)
TEXTS = ("ref", "nombre", "nombre_en", "descripcion", "grupo", "padre")
WIDTH = 100
"""Rows of a page where the query says nothing of it."""

refs = st.sampled_from("abcdef")
values = st.fixed_dictionaries(
    {},
    optional={
        "nombre": st.none() | st.sampled_from(["casa", "Casa", "cosa", ""]),
        "nivel": st.none() | st.integers(-2, 2),
        "activo": st.none() | st.booleans(),
        "metadatos": st.none() | st.just({"color": ["rojo", 1]}),
    },
)
news = st.builds(lambda ref, rest: {"ref": ref, **rest}, refs, values)
changes = st.builds(lambda ref, rest: {**ref, **rest}, st.just({}) | st.builds(lambda ref: {"ref": ref}, refs), values)
keys = st.integers(1, 8)


@dataclass(frozen=True)
class Narrowing:
    """A filter as Directus reads it, and as a function of a row. Unknown (NULL) does not fit."""

    told: Mapping[str, Any]
    fits: Callable[[Row], bool]

    def __repr__(self) -> str:
        return json.dumps(self.told)


def _compared(name: str, operator: str, value: Any, test: Callable[[Any], bool]) -> Narrowing:
    return Narrowing({name: {operator: value}}, lambda row: row[name] is not None and test(row[name]))


def _all(parts: Sequence[Narrowing]) -> Narrowing:
    return Narrowing({"_and": [part.told for part in parts]}, lambda row: all(part.fits(row) for part in parts))


def _any(parts: Sequence[Narrowing]) -> Narrowing:
    return Narrowing({"_or": [part.told for part in parts]}, lambda row: any(part.fits(row) for part in parts))


EMPTY = Narrowing({}, lambda row: True)

conditions = st.recursive(
    st.one_of(
        st.integers(-2, 2).map(lambda n: _compared("nivel", "_gte", n, lambda value: value >= n)),
        st.integers(-2, 2).map(lambda n: _compared("nivel", "_neq", n, lambda value: value != n)),
        st.lists(refs, min_size=1, max_size=3).map(lambda some: _compared("ref", "_in", some, some.__contains__)),
        st.sampled_from(["sa", "ca", "z"]).map(lambda part: _compared("nombre", "_contains", part, _contains(part))),
        st.booleans().map(lambda yes: _compared("activo", "_eq", yes, lambda value: value is yes)),
        st.just(Narrowing({"nombre": {"_null": True}}, lambda row: row["nombre"] is None)),
        keys.map(lambda key: _compared("id", "_lt", key, lambda value: value < key)),
    ),
    lambda inner: st.lists(inner, min_size=1, max_size=2).map(_all) | st.lists(inner, min_size=1, max_size=2).map(_any),
    max_leaves=3,
)
narrowings = st.just(EMPTY) | conditions | conditions.map(lambda part: _any([EMPTY, part]))
"""What Directus makes of an empty object is recorded where it stands alone and in an outermost ``_or``: it does not narrow."""


def _contains(part: str) -> Callable[[str], bool]:
    return lambda text: part in text


@dataclass
class Table:
    """The model: rows by id, and the id that comes next."""

    burns: bool
    """Whether a refused row costs its id, as in PostgreSQL."""
    rows: dict[int, Row] = field(default_factory=dict)
    coming: int = 1

    def create(self, given: Sequence[Row], now: str) -> list[Row] | None:
        """The new rows; None, and no change, when a ref is taken."""
        before = dict(self.rows)
        for number, row in enumerate(given):
            if self._taken(row["ref"]):
                self.rows = before
                self.coming += number + 1 if self.burns else 0
                return None
            key = self.coming + number
            self.rows[key] = {**dict.fromkeys(FIELDS), **row, "id": key, "date_created": now}
        made = range(self.coming, self.coming + len(given))
        self.coming += len(given)
        return [self.rows[key] for key in made]

    def update(self, changed: Iterable[tuple[int, Row]], now: str) -> list[Row] | None:
        """The rows that were changed; None, and no change, when a ref is taken. Unknown keys are passed over."""
        before, touched = copy.deepcopy(self.rows), set()
        for key, row in changed:
            if key not in self.rows:
                continue
            if "ref" in row and self._taken(row["ref"], but=key):
                self.rows = before
                return None
            self.rows[key] |= {**row, "id": key, "date_updated": now}
            touched.add(key)
        return [self.rows[key] for key in sorted(touched)]

    def _taken(self, ref: str, but: int = 0) -> bool:
        return any(row["ref"] == ref for key, row in self.rows.items() if key != but)

    def fitting(self, narrowing: Narrowing, phrase: str = "") -> list[Row]:
        """The rows that fit, by id."""
        found = [self.rows[key] for key in sorted(self.rows) if narrowing.fits(self.rows[key])]
        return [row for row in found if any(phrase in str(row[name] or "").lower() for name in TEXTS)]


def ordered(rows: Sequence[Row], names: Sequence[str], *, nulls_first: bool) -> list[Row]:
    """By each name in turn, those that begin with a dash downwards; ties stay by id."""
    found = list(rows)
    for name in reversed(names):
        plain = name.removeprefix("-")
        null = 0 if nulls_first else 2
        found.sort(key=lambda row: (null, 0) if row[plain] is None else (1, row[plain]), reverse=name.startswith("-"))
    return found


@dataclass(frozen=True)
class Asked:
    """One page that is asked for. ``turn`` is an offset or a page, with its number."""

    narrowing: Narrowing
    sort: Sequence[str]
    fields: Sequence[str] | None
    limit: int | None
    turn: tuple[str, int] | None
    search: str

    @property
    def query(self) -> dict[str, Any]:
        """As Directus reads it, without what is not said."""
        fields = ",".join(self.fields) if self.fields else None
        told = {"filter": self.narrowing.told, "sort": ",".join(self.sort), "fields": fields, "limit": self.limit}
        told |= {"search": self.search, "meta": "*"} | ({self.turn[0]: self.turn[1]} if self.turn else {})
        return {name: value for name, value in told.items() if value not in (None, "")}

    def answer(self, table: Table) -> dict[str, Any]:
        """What the model has to say."""
        fitting = table.fitting(self.narrowing, self.search)
        found = ordered(fitting, self.sort, nulls_first=not table.burns)
        page = [{name: row[name] for name in self.fields or FIELDS} for row in found[self._slice]]
        return {"meta": {"total_count": len(table.rows), "filter_count": len(fitting)}, "data": page}

    @property
    def _slice(self) -> slice:
        width = WIDTH if self.limit is None else self.limit
        kind, number = self.turn or ("offset", 0)
        begin = number if kind == "offset" else (number - 1) * max(width, 0)
        return slice(begin, None if width == -1 else begin + width)


pages = st.builds(
    Asked,
    narrowings,
    st.lists(
        st.sampled_from(["nivel", "-nivel", "ref", "-ref", "-id"]), max_size=2, unique_by=lambda name: name.strip("-")
    ),
    st.none() | st.lists(st.sampled_from(["id", "ref", "nivel", "metadatos", "date_updated"]), min_size=1, unique=True),
    st.none() | st.integers(0, 3) | st.just(-1),
    st.none() | st.tuples(st.sampled_from(["offset", "page"]), st.integers(1, 3)),
    st.sampled_from(["", "", "as", "a", "zz"]),
)
