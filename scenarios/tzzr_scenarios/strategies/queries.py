"""Directus rows of the tag collections, and what can be asked about them: filters, sorts, whole queries.

Fields are those of CONTRACT §6; operators those that Directus documents for each type of field.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Final
from urllib.parse import quote

from hypothesis import strategies as st

from tzzr_scenarios.strategies.values import Json

TEXT_FIELDS: Final = ("ref", "nombre", "nombre_en", "descripcion", "grupo", "padre")
INTEGER_FIELDS: Final = ("id", "nivel", "orden")
DATE_FIELDS: Final = ("date_created", "date_updated")
FIELDS: Final = (*TEXT_FIELDS, *INTEGER_FIELDS, "activo", "metadatos", *DATE_FIELDS)
COLLECTIONS: Final = ("tags_hst", "tags_spe", "tags_flg")

_STARTS, _ENDS = (
    "_starts_with _nstarts_with _istarts_with _nistarts_with",
    "_ends_with _nends_with _iends_with _niends_with",
)
_PATTERNS: Final = f"_contains _ncontains _icontains {_STARTS} {_ENDS}"


@dataclass(frozen=True)
class Vocabulary:
    """The values that filters compare with, as strategies; and the text fields that they may name.

    Draw few different values: then a filter finds something.
    """

    texts: st.SearchStrategy[str]
    integers: st.SearchStrategy[int]
    dates: st.SearchStrategy[str] | None = None
    text_fields: tuple[str, ...] = TEXT_FIELDS


LETTERS: Final = "aAbBzZñÑáÁ%_ \\'\"1🎉"
"""What breaks comparisons: cases, accents, the wildcards of LIKE, quotes, four bytes."""

SMALL: Final = Vocabulary(
    st.text(LETTERS, min_size=1, max_size=4),
    st.integers(-3, 3),
    text_fields=("ref", "nombre", "nombre_en", "descripcion"),
)
"""For the generated rows of `rows`: hardly any values, so that they meet."""

RECORDED: Final = Vocabulary(
    st.sampled_from(
        ["a", "A", "España", "peña", "PEÑA", "ñ", "%", "_", "100%", "A_B", "'", '"', "\\", "HST-0003", "spe_", "ES",
         "abaco", "  con", "null", "true", "123", "0123", "[1,2]", "coma, y punto", "Europa", "nada", "🎉", "de la", "á", "Á"]
    ),
    st.sampled_from([0, 1, 2, 3, 5, 50, 100, 109, 638, 99999, -1, -10]),
    st.sampled_from(["2019-06-01", "2022", "2023-08-28T16:29:24Z", "2021-01-01T00:00:00+02:00", "$NOW", "$NOW(-1 year)"]),
)  # fmt: skip
"""For the tags that the fake brings, which were recorded from a real Directus: values that stand in them, and near ones."""


@cache
def rows() -> st.SearchStrategy[list[dict[str, Json]]]:
    """Up to six rows with ids and refs of their own; ``date_created`` in milliseconds since 1970."""
    texts = st.none() | st.text(LETTERS, max_size=4)
    instants = st.integers(0, 6 * 366 * 86_400).map(lambda seconds: 1_546_300_800_000 + seconds * 1000)
    row = st.fixed_dictionaries(
        {
            "nombre": texts,
            "nombre_en": texts,
            "nivel": st.none() | SMALL.integers,
            "orden": st.none() | SMALL.integers,
            "activo": st.none() | st.booleans(),
            "date_created": st.none() | instants,
        }
    )
    return st.lists(row, max_size=6).map(_numbered)


def _numbered(found: list[dict[str, Json]]) -> list[dict[str, Json]]:
    return [{"id": number, "ref": f"r{number}", "descripcion": None, **row} for number, row in enumerate(found, 1)]


@cache
def filters(words: Vocabulary = SMALL, *, max_leaves: int = 4) -> st.SearchStrategy[dict[str, Json]]:
    """Filters as JSON that Directus accepts, up to a few levels of ``_and`` and ``_or``."""
    return _nested(_leaves(words), max_leaves)


def _nested(leaves: st.SearchStrategy[dict[str, Json]], most: int) -> st.SearchStrategy[dict[str, Json]]:
    return st.recursive(
        leaves,
        lambda inner: st.tuples(st.sampled_from(["_and", "_or"]), st.lists(inner, min_size=1, max_size=3)).map(_single),
        max_leaves=most,
    )


def _single(pair: tuple[str, Json]) -> dict[str, Json]:
    return {pair[0]: pair[1]}


def _pairs(operators: str, values: st.SearchStrategy[Json]) -> st.SearchStrategy[dict[str, Json]]:
    return st.tuples(st.sampled_from(operators.split()), values).map(_single)


def _few(values: st.SearchStrategy[Json]) -> st.SearchStrategy[list[Json]]:
    return st.lists(values | st.none(), min_size=1, max_size=3)


def _on_texts(words: Vocabulary) -> st.SearchStrategy[dict[str, Json]]:
    return st.one_of(
        _pairs(f"_eq _neq {_PATTERNS}", words.texts),
        _pairs("_in _nin", _few(words.texts)),
        _pairs("_null _nnull _empty _nempty", st.booleans()),
    )


def _on_integers(words: Vocabulary) -> st.SearchStrategy[dict[str, Json]]:
    return st.one_of(
        _pairs("_eq _neq _lt _lte _gt _gte", words.integers),
        _pairs("_in _nin", _few(words.integers)),
        _pairs("_between _nbetween", st.tuples(words.integers, words.integers).map(list)),
        _pairs("_null _nnull", st.booleans()),
    )


def _on_dates(dates: st.SearchStrategy[str]) -> st.SearchStrategy[dict[str, Json]]:
    return st.one_of(
        _pairs("_eq _lt _lte _gt _gte", dates),
        _pairs("_between _nbetween", st.tuples(dates, dates).map(list)),
        _pairs("_null _nnull", st.booleans()),
    )


def _leaves(words: Vocabulary) -> st.SearchStrategy[dict[str, Json]]:
    on_years = _pairs("_eq _lt _lte _gt _gte", st.integers(2019, 2025))
    leaves = [
        st.tuples(st.sampled_from(words.text_fields), _on_texts(words)),
        st.tuples(st.sampled_from(INTEGER_FIELDS), _on_integers(words)),
        st.tuples(st.just("activo"), _pairs("_eq _neq _null _nnull", st.booleans())),
        st.tuples(st.just("year(date_created)"), on_years),
    ]
    if words.dates is not None:
        leaves += [
            st.tuples(st.sampled_from(DATE_FIELDS), _on_dates(words.dates)),
            st.tuples(st.just("metadatos"), _pairs("_null _nnull", st.booleans())),
        ]
    return st.one_of(leaves).map(_single)


@cache
def sorts(*names: str, min_size: int = 0) -> st.SearchStrategy[list[str]]:
    """Up to two sort keys of these fields (all that can be sorted, where none is named), each with or without ``-``."""
    keys = st.tuples(st.sampled_from(["", "-"]), st.sampled_from(names or FIELDS)).map("".join)
    return st.lists(keys, min_size=min_size, max_size=2)


@cache
def valid(words: Vocabulary = RECORDED) -> st.SearchStrategy[dict[str, Json]]:
    """Whole queries that Directus accepts on a tag collection: any of fields, filter, sort, limit, offset and so on.

    Values are text, but for ``filter`` and ``aggregate``, which are JSON; `encoded` makes a query string of them.
    """
    columns = [*FIELDS, "*", "year(date_created)", "month(date_updated)"]
    return st.fixed_dictionaries(
        {},
        optional={
            "fields": st.lists(st.sampled_from(columns), min_size=1, max_size=4).map(",".join),
            "filter": filters(words, max_leaves=5),
            "sort": sorts(min_size=1).map(",".join),
            "limit": st.sampled_from(["1", "0", "5", "-1"]),
            "offset": st.sampled_from(["0", "3", "1000"]),
            "page": st.sampled_from(["1", "2", "99"]),
            "search": words.texts | words.integers.map(str),
            "meta": st.sampled_from(["*", "total_count", "filter_count,total_count"]),
        },
    )


@cache
def nearly_valid(words: Vocabulary = RECORDED) -> st.SearchStrategy[dict[str, Json]]:
    """Queries as `valid` draws them, and what Directus may refuse or read in its own way.

    Unknown fields and functions, filters that do not fit a field's type, odd numbers, aggregates with anything beside.
    What comes of one is the upstream's to say: some are accepted.
    """
    odd = st.sampled_from(["nope", "", "x.y", "foo(id)", "year(nombre)", "*.*"])
    columns = [
        *FIELDS,
        "*",
        "year(date_created)",
        "month(date_updated)",
        "count(metadatos)",
        "json(metadatos, color)",
        "padre.x",
    ]
    sortable = st.sampled_from([*FIELDS, "year(date_created)"])
    keys = st.tuples(st.sampled_from(["", "-"]), sortable | odd).map("".join)
    return st.fixed_dictionaries(
        {},
        optional={
            "fields": st.lists(st.sampled_from(columns) | odd, min_size=1, max_size=4).map(",".join),
            "filter": _nested(_leaves(words) | _odd_leaves(words), 5),
            "sort": st.lists(keys, min_size=1, max_size=2).map(",".join),
            "limit": st.sampled_from(["1", "0", "5", "-1", "-2", "x", "", "1e1"]),
            "offset": st.sampled_from(["0", "3", "1000", "-1"]),
            "page": st.sampled_from(["1", "0", "2", "99"]),
            "search": words.texts | words.integers.map(str),
            "meta": st.sampled_from(["*", "total_count", "filter_count,total_count", "x"]),
            **_figures(),
        },
    )


def _odd_leaves(words: Vocabulary) -> st.SearchStrategy[dict[str, Json]]:
    uneven = _pairs("_between _nbetween", st.lists(words.integers, min_size=1, max_size=3))
    fields = st.sampled_from(["nope", "padre", "orden", "metadatos"])
    return st.tuples(fields, _on_texts(words) | _on_integers(words) | uneven).map(_single)


def _figures() -> dict[str, st.SearchStrategy[Json]]:
    functions = st.sampled_from(["count", "countDistinct", "sum", "avg", "min", "max"])
    over = st.lists(st.sampled_from(["*", "id", "orden", "nivel", "grupo", "date_created"]), min_size=1, max_size=1)
    by = st.sampled_from(["grupo", "nivel", "activo", "year(date_created)", "nope"])
    return {
        "aggregate": st.dictionaries(functions, over, min_size=1, max_size=2),
        "groupBy": st.lists(by, min_size=1, max_size=2).map(",".join),
    }


def encoded(query: dict[str, Json], *, in_json: bool) -> str:
    """A query string, with nested values in JSON or in brackets, as both are in use."""
    pairs: list[tuple[str, str]] = []
    for name, value in query.items():
        if isinstance(value, str):
            pairs.append((name, value))
        else:
            pairs += [(name, json.dumps(value, ensure_ascii=False))] if in_json else _brackets(name, value)
    return "&".join(f"{quote(name, safe='[]')}={quote(value, safe='')}" for name, value in pairs)


def _brackets(name: str, value: Json) -> Iterable[tuple[str, str]]:
    if isinstance(value, dict):
        return [pair for key, item in value.items() for pair in _brackets(f"{name}[{key}]", item)]
    if isinstance(value, list):
        return [pair for place, item in enumerate(value) for pair in _brackets(f"{name}[{place}]", item)]
    return [(name, value if isinstance(value, str) else json.dumps(value))]
