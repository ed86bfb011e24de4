"""First stage: nested parameters, or the query object of a body, become a `Query`.

Only shapes are looked at here, so every refusal is a 400 (``INVALID_QUERY``); what a name means comes later. The
order of the checks decides which of two mistakes is named.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from tzzr_mocks.hst.errors import Unexpected, invalid_query
from tzzr_mocks.hst.javascript import SAFE, to_number, to_string, trim
from tzzr_mocks.hst.query.filter_shape import check_keys, check_values, parse_filter
from tzzr_mocks.hst.query.model import Query, Sort

META = ("total_count", "filter_count")
EXPORTS = ("csv", "csv_utf8", "json", "xml", "yaml")
DEFAULT_LIMIT = 100


def read_query(
    raw: Mapping[str, Any], collection: str, *, default_limit: int = DEFAULT_LIMIT, max_limit: int | None = None
) -> Query:
    """Read the parameters of one request; ``collection`` is only named in refusals.

    Raises:
        Refusal: 400, a parameter of the wrong shape; 500 for an ``aggregate`` that is no JSON, as recorded.
    """
    tree = parse_filter(raw.get("filter") or None)
    alias = _alias(raw.get("alias"))
    aggregate = _aggregate(raw.get("aggregate"))
    fields = _names(raw, "fields")
    group = _names(raw, "groupBy", "group")
    sort = _names(raw, "sort") if isinstance(raw.get("sort"), str | list) else None
    check_values(tree or {})
    limit = _count(raw, "limit", -1, max_limit)
    offset = _count(raw, "offset", 0)
    page = _count(raw, "page", 0)
    meta, export = _meta(raw.get("meta")), _export(raw.get("export"))
    check_keys(tree or {}, collection)
    paging = _paging(default_limit if limit is None else limit, offset or 0, page or 0, max_limit)
    return Query(
        fields=fields,
        filter=tree,
        sort=tuple(Sort(trim(name.removeprefix("-")), name.startswith("-")) for name in sort or ()),
        limit=paging[0],
        offset=paging[1],
        search=_search(raw.get("search")),
        meta=meta,
        aggregate=aggregate,
        group=group,
        alias=alias,
        export=export,
        version=_version(raw.get("version")),
    )


def _paging(limit: int, offset: int, page: int, max_limit: int | None) -> tuple[int, int]:
    """Limit and offset; a page wins over an offset, but not over "all rows"."""
    if limit == -1 and max_limit is not None:
        limit = max_limit
    if page and limit != -1:
        offset = (page - 1) * limit
    return limit, offset


def _names(raw: Mapping[str, Any], key: str, called: str = "") -> tuple[str, ...] | None:
    value = raw.get(key)
    if value is None or value == "":
        return None
    listed = [value] if isinstance(value, str) else value
    if not isinstance(listed, list):
        raise invalid_query('"fields" must be a string or array')
    parts = listed if key == "sort" else list(_flat(listed))
    if not all(isinstance(item, str) for item in parts):
        raise Unexpected("split is not a function")
    split = isinstance(value, str) or key != "sort"
    names = tuple(name for item in parts for name in (split_names(item) if split else (trim(item),)))
    if "" in names:
        raise invalid_query(f'"{called or key}[{names.index("")}]" is not allowed to be empty')
    return names


def _flat(items: list[Any]) -> Iterator[Any]:
    for item in items:
        if isinstance(item, list):
            yield from _flat(item)
        else:
            yield item


@lru_cache(maxsize=64)  # a client asks for the same fields again and again
def split_names(text: str) -> tuple[str, ...]:
    """Split at commas, but not at those between the parentheses of a function; without the blanks around a name."""
    if "(" not in text:
        return tuple(map(trim, text.split(",")))
    parts, depth = [""], 0
    for letter in text:
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if letter == "," and depth <= 0:
            parts.append("")
        else:
            parts[-1] += letter
    return tuple(map(trim, parts))


def _count(raw: Mapping[str, Any], key: str, least: int, most: int | None = None) -> int | None:
    if raw.get(key) is None:
        return None
    number = to_number(raw[key])
    if number is None:
        raise invalid_query(f'"{key}" must be a number')
    if isinstance(number, float) and math.isinf(number):
        raise invalid_query(f'"{key}" cannot be infinity')
    if abs(number) > SAFE:
        raise invalid_query(f'"{key}" must be a safe number')
    if isinstance(number, float):
        raise invalid_query(f'"{key}" must be an integer')
    if number < least:
        raise invalid_query(f'"{key}" must be greater than or equal to {least}')
    if most is not None and number > most:
        raise invalid_query(f'"{key}" must be less than or equal to {most}')
    return number


def _meta(value: Any) -> tuple[str, ...]:
    if value in (None, "", False):
        return ()
    if value == "*":
        return META
    asked = value.split(",") if isinstance(value, str) else value
    if not isinstance(asked, list):
        raise Unexpected("value is not iterable")
    for place, word in enumerate(asked):
        if word not in META:
            raise invalid_query(f'"meta[{place}]" must be one of [{", ".join(META)}]')
    return tuple(asked)


def _export(value: Any) -> str | None:
    if value is None or value == "":
        return None
    if value not in EXPORTS:
        raise invalid_query(f'"export" must be one of [{", ".join(EXPORTS)}]')
    return str(value)


def _version(value: Any) -> str | None:
    if value is not None and not isinstance(value, str):
        raise invalid_query('"version" must be a string')
    return value or None


def _search(value: Any) -> str | None:
    return trim(value) or None if isinstance(value, str) else None


def _aggregate(value: Any) -> dict[str, tuple[str, ...]] | None:
    if value is None or value == "":
        return None
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            raise Unexpected from None
        if value is None or isinstance(value, str):
            raise Unexpected("value is not an object")
    if not isinstance(value, dict):
        raise invalid_query('"aggregate" must be of type object')
    return {name: _aggregated(asked) for name, asked in value.items()}


def _aggregated(asked: Any) -> tuple[str, ...]:
    parts = asked.split(",") if isinstance(asked, str) else asked
    if not isinstance(parts, list):
        raise Unexpected("value is not iterable")
    return tuple(to_string(part) for part in parts)


def _alias(value: Any) -> dict[str, str]:
    if value is None or value == "":
        return {}
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            value = None
    if not isinstance(value, dict):
        raise invalid_query('"alias" has to be an object')
    for word, texts in (("key", value), ("value", value.values())):
        if any("." in to_string(text) for text in texts):
            raise invalid_query(f'"alias" {word} can\'t contain a period character `.`')
    if not all(isinstance(name, str) for name in value.values()):
        raise invalid_query('"alias" value has to be a string. "string" given')
    return {key: name for key, name in value.items() if name}
