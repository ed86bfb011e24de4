"""Reading ``payload.params``: the defaults and limits of CONTRACT §4, and the error that names an offence."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NoReturn

from tzzr_mcp.seams.spelling import nearest

from .port import EngineError, Work

__all__ = ["choice", "flag", "refuse", "strings", "whole_number"]


def refuse(name: str, message: str) -> NoReturn:
    """Raise ``PARAMS_INVALID`` for the parameter ``name``."""
    pointer = f"/payload/params/{name}"
    raise EngineError("PARAMS_INVALID", f"{name}: {message}", {"errors": [{"pointer": pointer, "message": message}]})


def whole_number(work: Work, name: str, default: int, *, low: int, high: int) -> int:
    """An integer parameter in ``[low, high]``."""
    value = work.params.get(name, default)
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        refuse(name, f"{value!r} is not a whole number from {low} to {high}")
    return value


def flag(work: Work, name: str, default: bool) -> bool:
    """A boolean parameter."""
    value = work.params.get(name, default)
    if not isinstance(value, bool):
        refuse(name, f"{value!r} is not true or false")
    return value


def choice(work: Work, name: str, default: str, allowed: Collection[str]) -> str:
    """A string parameter that must be one of ``allowed``."""
    value = work.params.get(name, default)
    if value not in allowed:
        refuse(name, _not_among(value, allowed))
    return str(value)


def strings(work: Work, name: str, allowed: Collection[str] = ()) -> list[str] | None:
    """A list of unique, non-empty strings, each among ``allowed`` when that is given; None when absent."""
    value = work.params.get(name)
    if value is None:
        return None
    if not isinstance(value, list | tuple) or not all(isinstance(item, str) and item.strip() for item in value):
        refuse(name, "a list of non-empty strings is expected")
    if len(set(value)) != len(value):
        refuse(name, "the values must differ from each other")
    for item in value:
        if allowed and item not in allowed:
            refuse(name, _not_among(item, allowed))
    return list(value)


def _not_among(value: Any, allowed: Collection[str]) -> str:
    near = nearest(str(value), allowed)
    hint = f"; did you mean {near!r}?" if near else ""
    return f"{value!r} is not one of {', '.join(allowed)}{hint}"
