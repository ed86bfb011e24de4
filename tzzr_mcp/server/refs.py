"""From ``"package.module:name"`` to the function, at its first use."""

from __future__ import annotations

import importlib
import importlib.util
import re
from functools import cache
from typing import Any, TypeVar

F = TypeVar("F")

_PLACE = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")


def resolve(ref: F | str) -> F:
    """The function itself, imported when it was given by its place."""
    return _imported(ref) if isinstance(ref, str) else ref


@cache
def _imported(place: str) -> Any:
    module, _, name = place.partition(":")
    return getattr(importlib.import_module(module), name)


def why_unresolvable(ref: object) -> str | None:
    """What is wrong with a reference, told without importing its module; None when nothing is."""
    if callable(ref):
        return None
    if not isinstance(ref, str):
        return f"{ref!r} is neither a function nor its place"
    if not _PLACE.fullmatch(ref):
        return f"{ref!r} is no place of a function; write it as 'package.module:name'"
    module = ref.partition(":")[0]
    try:
        found = importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        found = False
    return None if found else f"{ref!r} names the module {module}, which does not exist"
