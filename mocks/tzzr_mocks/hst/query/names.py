"""Third stage: every name in a query must be a field that the asker may see.

A field that is not there and one that may not be seen are refused with the same words, but unknown ones are looked for
first; names of filter, sort and figures come before those of ``fields`` (directus.md §6).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from tzzr_mocks.hst.errors import forbidden_fields, invalid_query
from tzzr_mocks.hst.query.filter_shape import named_fields
from tzzr_mocks.hst.query.functions import check_function, parse_ref
from tzzr_mocks.hst.query.model import FieldRef, Query
from tzzr_mocks.hst.schemas import Collection


def check_existing(query: Query, collection: Collection) -> list[str]:
    """Refuse what filter, sort and figures name and the collection has not; looked at before any right.

    Returns the names, for `check_names`.

    Raises:
        Refusal: 403 naming the fields.
    """
    others = list(_others(query))
    _refuse_missing(others, collection.names, collection)
    return others


def _refuse_missing(names: Iterable[str], known: frozenset[str], collection: Collection) -> None:
    if not known.issuperset(names):
        missing = [name for name in dict.fromkeys(names) if name not in known]
        raise forbidden_fields(missing, collection.name)


def check_names(query: Query, others: Sequence[str], collection: Collection, visible: frozenset[str]) -> None:
    """Refuse a query that names a field which is unknown, or not ``visible``; ``others`` are known to exist.

    Raises:
        Refusal: 403 naming the fields; 400 for a sort through a field that is no relation, or a function that does
            not fit.
    """
    grouped, asked = list(_grouped(query)), _asked(query)
    for names in (grouped, asked):
        _refuse_missing(names, collection.names, collection)
    for names in (others, grouped, asked):
        _refuse_missing(names, visible, collection)
    _check_relations(query, collection)
    texts = (*(query.fields or ()), *(sort.name for sort in query.sort), *(query.group or ()))
    if query.aggregated:
        sorts = [sort.name for sort in query.sort if query.group and not _figure(sort.name, query)]
        texts = (*sorts, *(query.group or ()))
    for text in texts:
        ref = parse_ref(query.alias.get(text, text))
        if ref.name in collection.by_name:
            check_function(ref, collection)


def is_nested(text: str) -> bool:
    """Whether a name goes through a relation; there is none here, so it is dropped without a word."""
    return ("." in text or ":" in text) and not (text.startswith("json(") and "," in text)


def _inner(text: str) -> list[str]:
    """The names in a sort key or a figure: each step of a dotted path, the field inside a function."""
    ref = parse_ref(text)
    return text.split(".") if ref.function is None and "." in text else [ref.name.strip()]


def _filtered(key: str) -> str:
    """The name in a key of a filter, where a function's second argument is taken for a part of it."""
    ref = parse_ref(key)
    return ref.name if ref.path is None else f"{ref.name},{ref.path}"


def _others(query: Query) -> Iterable[str]:
    for key in named_fields(query.filter):
        yield _filtered(key)
    for sort in query.sort if not query.aggregated or query.group else ():
        if not _figure(sort.name, query):
            yield from _inner(query.alias.get(sort.name, sort.name).partition(":")[0])
    for asked in (query.aggregate or {}).values():
        for name in asked:
            if name != "*":
                yield from _inner(name.strip())


def _grouped(query: Query) -> Iterable[str]:
    for text in query.group or ():
        yield from _inner(text) if parse_ref(text).path is None else [_filtered(text)]


def _asked(query: Query) -> Sequence[str]:
    return () if query.aggregated else _fields(query.fields or (), tuple(query.alias.items()))


@lru_cache(maxsize=64)  # a client asks for the same fields again and again
def _fields(texts: tuple[str, ...], aliases: tuple[tuple[str, str], ...]) -> tuple[str, ...]:
    alias = dict(aliases)
    return tuple(parse_ref(alias.get(text, text)).name for text in texts if text != "*" and not is_nested(text))


def _figure(name: str, query: Query) -> bool:
    return name.partition(".")[0] in (query.aggregate or {})


def _check_relations(query: Query, collection: Collection) -> None:
    for sort in query.sort if not query.aggregated or query.group else ():
        if is_nested(sort.name) and not _figure(sort.name, query):
            head = sort.name.partition(".")[0]
            raise invalid_query(f'"{collection.name}.{head}" is not a relational field')


def sort_ref(name: str, query: Query) -> FieldRef:
    """What a sort key stands for, aliases resolved."""
    return parse_ref(query.alias.get(name, name))
