"""Bracket notation of a query string: ``filter[_and][0][nivel][_eq]=1`` becomes nested objects and lists.

The rules are those of Node's ``qs`` as the recordings show them (directus.md §4.5): duplicates make a list, what
follows a closed bracket is dropped, names of ``Object.prototype`` are dropped, a plain value beside an object makes
a list of both.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any
from urllib.parse import unquote_to_bytes

from tzzr_mocks.hst.javascript import is_index, key_order

DEPTH = 10
"""Brackets that are taken apart; what is nested deeper stays one key, and the filter is then refused."""

PARAMETERS = 1000
"""Parameters that are read; the rest is dropped without a word."""

_SEGMENT = re.compile(r"\[([^\[\]]*)\]")
_BROKEN = re.compile(r"%(?![0-9a-fA-F]{2})")
_PROTOTYPE = frozenset(
    [
        "constructor",
        "hasOwnProperty",
        "isPrototypeOf",
        "propertyIsEnumerable",
        "toLocaleString",
        "toString",
        "valueOf",
        "__proto__",
        "__defineGetter__",
        "__defineSetter__",
        "__lookupGetter__",
        "__lookupSetter__",
    ]
)


class _Array(dict[int, Any]):
    """A list that may have holes while it is being filled."""

    def push(self, item: Any) -> None:
        """Put an item behind the last index."""
        self[max(self, default=-1) + 1] = item


@lru_cache(maxsize=1024)
def decode(text: str) -> str:
    """Percent-decode; what is no valid UTF-8, or a broken escape, stays as it was sent."""
    text = text.replace("+", " ")
    if _BROKEN.search(text):
        return text
    try:
        return unquote_to_bytes(text).decode()
    except UnicodeDecodeError:
        return text


def _pairs(query: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for part in [part for part in query.split("&")[:PARAMETERS] if part]:
        closing = part.find("]=")
        cut = part.find("=") if closing < 0 else closing + 1
        key, value = (part, "") if cut < 0 else (part[:cut], part[cut + 1 :])
        name = decode(key)
        found[name] = _together(found[name], decode(value)) if name in found else decode(value)
    return found


def _together(earlier: Any, value: str) -> list[Any]:
    return [*earlier, value] if isinstance(earlier, list) else [earlier, value]


def _segments(key: str) -> list[str] | None:
    """The key and its brackets, ``[]`` for an empty pair; None when a name is one that every object has."""
    matches = list(_SEGMENT.finditer(key))
    if not matches:
        return [key]
    chain = [key[: matches[0].start()]] if matches[0].start() else []
    chain += [f"[{match[1]}]" for match in matches[:DEPTH]]
    if len(matches) > DEPTH:
        chain.append(f"[{key[matches[DEPTH].start() :]}]")
    return None if any(name.strip("[]") in _PROTOTYPE for name in chain) else chain


def _nest(chain: list[str], leaf: Any) -> Any:
    if isinstance(leaf, list):
        leaf = _Array(enumerate(leaf))
    for segment in reversed(chain):
        name = segment[1:-1] if segment.startswith("[") else segment
        if segment == "[]":
            leaf = leaf if isinstance(leaf, _Array) else _Array({0: leaf})
        elif segment != name and is_index(name):
            leaf = _Array({int(name): leaf})
        else:
            leaf = {name: leaf}
    return leaf


def _merge(target: Any, source: Any) -> Any:
    if source == "":
        return target
    if not isinstance(source, dict):
        return _merge_plain(target, source)
    if not isinstance(target, dict):
        return _Array(enumerate([target, *(source.values() if isinstance(source, _Array) else [source])]))
    if isinstance(target, _Array) and isinstance(source, _Array):
        return _merge_arrays(target, source)
    for key, value in _named(source).items():
        target = _named(target)
        target[key] = _merge(target[key], value) if key in target else value
    return target


def _named(value: dict[Any, Any]) -> dict[str, Any]:
    return {str(key): item for key, item in value.items()} if isinstance(value, _Array) else value


def _merge_plain(target: Any, source: Any) -> Any:
    if isinstance(target, _Array):
        target.push(source)
        return target
    return _Array({0: target, 1: source})


def _merge_arrays(target: _Array, source: _Array) -> _Array:
    for index, item in source.items():
        if index not in target:
            target[index] = item
        elif isinstance(target[index], dict) and isinstance(item, dict):
            target[index] = _merge(target[index], item)
        else:
            target.push(item)
    return target


def _finished(value: Any) -> Any:
    if isinstance(value, _Array):
        return [_finished(value[index]) for index in sorted(value)]
    if isinstance(value, dict):
        return key_order({key: _finished(item) for key, item in value.items()})
    return value


def parse_query(query: str) -> dict[str, Any]:
    """A raw query string, without its question mark, as nested objects, lists and strings."""
    tree: dict[str, Any] = {}
    for key, value in _pairs(query).items():
        if isinstance(value, str) and "[" not in key and key not in tree:
            tree[key] = value  # nothing to take apart, nothing to merge with
        elif chain := _segments(key):
            tree = _merge(tree, _nest(chain, value))
    return {key: _finished(value) for key, value in tree.items()}
