"""What a setting should be, in our words: a library's are made for programmers, and change with it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from tzzr_mcp.seams.spelling import nearest

_REASONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "float_parsing": "should be a number",
        "int_parsing": "should be a whole number",
        "int_from_float": "should be a whole number",
        "int_parsing_size": "should be a whole number of fewer digits",
        "bool_parsing": "should be true or false",
        "finite_number": "should be a finite number",
        "literal_error": "should be {expected}",
        "greater_than": "should be greater than {gt:g}",
        "greater_than_equal": "should be at least {ge:g}",
        "less_than": "should be less than {lt:g}",
        "less_than_equal": "should be at most {le:g}",
        "string_too_short": "should have at least {min_length} characters",
        "string_too_long": "should have at most {max_length} characters",
        "string_pattern_mismatch": "should match {pattern}",
    }
)
"""By pydantic's type of error; the braces are filled from its context."""

_QUOTED: Final = re.compile(r"'([^']*)'")


def reason(detail: Mapping[str, Any]) -> str:
    """Why the value that ``detail`` (of pydantic's ``errors()``) is about was refused, without repeating the value."""
    context = detail.get("ctx", {})
    template = _REASONS.get(str(detail["type"]))
    if template is None:
        told = str(detail["msg"]).removeprefix("Value error, ").removeprefix("Input ")
        return f"{told[:1].lower()}{told[1:]}"
    return template.format_map(context) + _meant(str(detail.get("input")), str(context.get("expected", "")))


def _meant(given: str, expected: str) -> str:
    near = nearest(given, _QUOTED.findall(expected))
    return f"; did you mean {near}?" if near else ""
