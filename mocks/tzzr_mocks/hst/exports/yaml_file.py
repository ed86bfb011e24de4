"""YAML in block style: lists are indented, empty ones stand in brackets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tzzr_mocks.hst.exports.yaml_scalars import scalar
from tzzr_mocks.hst.javascript import to_string


def to_yaml(rows: Any) -> str:
    """The rows as YAML."""
    if rows in ([], {}):
        return f"{rows}\n"
    return "\n".join(_block(rows, 0)) + "\n"


def _block(value: Any, level: int) -> Iterator[str]:
    """The lines of a list or an object that is not empty, without the indentation of the first."""
    pad = "  " * level
    if isinstance(value, list):
        for item in value:
            yield from _after(f"{pad}- ", item, level + 1)
        return
    for key, item in value.items():
        name = f"{pad}{scalar(key, level + 1, key=True)}:"
        if isinstance(item, dict | list) and item:
            yield name
            yield from _block(item, level + 1)
        else:
            yield f"{name} {_plain(item, level + 1)}"


def _after(dash: str, item: Any, level: int) -> Iterator[str]:
    """An item behind its dash; the first line of a block stands on the dash's own."""
    if not isinstance(item, dict | list) or not item:
        yield dash + _plain(item, level)
        return
    first, *rest = _block(item, level)
    yield dash + first[len(dash) :]
    yield from rest


def _plain(value: Any, level: int) -> str:
    if isinstance(value, str):
        return scalar(value, level)
    return str(value) if isinstance(value, dict | list) else to_string(value)
