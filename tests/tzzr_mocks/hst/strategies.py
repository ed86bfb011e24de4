"""Generated rows and filters over the fields of the tag collections."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

LETTERS = "aAbBzZñÑáÁ%_ \\'\"1🎉"
texts = st.text(LETTERS, max_size=4)
full_texts = texts.filter(bool)
integers = st.integers(-3, 3)
instants = st.integers(0, 6 * 366 * 86400).map(lambda seconds: 1546300800000 + seconds * 1000)

INTEGER_FIELDS = ("id", "nivel", "orden")
TEXT_FIELDS = ("ref", "nombre", "nombre_en", "descripcion")
_PATTERNS = [
    "_contains",
    "_ncontains",
    "_icontains",
    "_starts_with",
    "_nstarts_with",
    "_istarts_with",
    "_nistarts_with",
    "_ends_with",
    "_nends_with",
    "_iends_with",
    "_niends_with",
]


def rows() -> st.SearchStrategy[list[dict[str, Any]]]:
    """Up to six rows with refs and ids of their own."""
    row = st.fixed_dictionaries(
        {
            "nombre": st.none() | texts,
            "nombre_en": st.none() | texts,
            "nivel": st.none() | integers,
            "orden": st.none() | integers,
            "activo": st.none() | st.booleans(),
            "date_created": st.none() | instants,
        }
    )
    return st.lists(row, max_size=6).map(
        lambda found: [
            {"id": number, "ref": f"r{number}", "descripcion": None, **row} for number, row in enumerate(found, 1)
        ]
    )


def _one(operators: list[str], values: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.tuples(st.sampled_from(operators), values).map(lambda pair: {pair[0]: pair[1]})


_switches = ["_null", "_nnull"]
_text_operation = st.one_of(
    _one(["_eq", "_neq", *_PATTERNS], full_texts),
    _one(["_in", "_nin"], st.lists(st.none() | full_texts, min_size=1, max_size=3)),
    _one([*_switches, "_empty", "_nempty"], st.booleans()),
)
_integer_operation = st.one_of(
    _one(["_eq", "_neq", "_lt", "_lte", "_gt", "_gte"], integers),
    _one(["_in", "_nin"], st.lists(st.none() | integers, min_size=1, max_size=3)),
    _one(["_between", "_nbetween"], st.tuples(integers, integers).map(list)),
    _one(_switches, st.booleans()),
)
_boolean_operation = _one(["_eq", "_neq", *_switches], st.booleans())
_year_operation = _one(["_eq", "_lt", "_gte"], st.integers(2019, 2025))


def filters() -> st.SearchStrategy[dict[str, Any]]:
    """Filters as JSON, up to a few levels of ``_and`` and ``_or``."""
    leaf = st.one_of(
        st.tuples(st.sampled_from(TEXT_FIELDS), _text_operation),
        st.tuples(st.sampled_from(INTEGER_FIELDS), _integer_operation),
        st.tuples(st.just("activo"), _boolean_operation),
        st.tuples(st.just("year(date_created)"), _year_operation),
    ).map(lambda pair: {pair[0]: pair[1]})
    return st.recursive(
        leaf,
        lambda inner: st.tuples(st.sampled_from(["_and", "_or"]), st.lists(inner, min_size=1, max_size=3)).map(
            lambda pair: {pair[0]: pair[1]}
        ),
        max_leaves=4,
    )


def sorts() -> st.SearchStrategy[list[str]]:
    """Up to two sort keys."""
    names = st.sampled_from([*INTEGER_FIELDS, *TEXT_FIELDS, "activo", "date_created"])
    return st.lists(st.tuples(st.sampled_from(["", "-"]), names).map("".join), max_size=2)
