"""Turns what a person wrote into the value that an attribute has: numbers, durations, choices."""

from __future__ import annotations

import dataclasses
import re
import types
from collections.abc import Mapping
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from tzzr_mocks.control.errors import PlanError, unknown

_DURATION = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|min|h)?")
_SECONDS = {None: 1.0, "ms": 0.001, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}


def duration(text: str) -> float:
    """Seconds from ``3``, ``3s``, ``250ms``, ``2m``, ``2min`` or ``1h``.

    Raises:
        PlanError: it is none of these.
    """
    found = _DURATION.fullmatch(text)
    if not found:
        raise PlanError(f"{text!r} is not a duration; write 250ms, 3s, 2m or 1h")
    return round(float(found[1]) * _SECONDS[found[2]], 9)


@cache
def attribute_types(owner: Any) -> Mapping[str, Any]:
    """The attributes of a dataclass and their types."""
    hints = get_type_hints(owner)
    return {part.name: hints[part.name] for part in dataclasses.fields(owner)}


def converted(owner: Any, name: str, value: Any, what: str = "") -> Any:
    """``value`` as attribute ``name`` of ``owner`` takes it.

    Raises:
        PlanError: the owner has no such attribute, or the value does not fit it.
    """
    known = attribute_types(owner)
    label = what or f"fault {getattr(owner, 'kind', owner.__name__)}"
    if name not in known:
        raise unknown(f"attribute of {label}", name, known)
    try:
        return _fit(known[name], value)
    except PlanError as error:
        raise dataclasses.replace(error, message=f"{label}, {name}: {error.message}") from error


def _fit(kind: Any, value: Any) -> Any:
    origin = get_origin(kind)
    if origin in (Union, types.UnionType):
        options = [option for option in get_args(kind) if option is not type(None)]
        return None if value is None else _fit(options[0], value)
    if origin is Literal:
        return _chosen(get_args(kind), value)
    if kind in _PLAIN:
        return _PLAIN[kind](value)
    return value


def _chosen(options: tuple[Any, ...], value: Any) -> Any:
    for option in options:
        if str(option) == str(value):
            return option
    raise unknown("value", str(value), [str(option) for option in options])


def _whole(value: Any) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, str) and re.fullmatch(r"-?\d+", value):
        return int(value)
    raise PlanError(f"{value!r} is not a whole number")


def _number(value: Any) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    if isinstance(value, str):
        return duration(value)
    raise PlanError(f"{value!r} is not a number or a duration")


def _flag(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    if str(value).lower() in ("true", "yes", "false", "no"):
        return str(value).lower() in ("true", "yes")
    raise PlanError(f"{value!r} is not true or false")


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    raise PlanError(f"{value!r} is not text")


_PLAIN = {int: _whole, float: _number, bool: _flag, str: _text}
