"""JavaScript's ideas of numbers, strings and key order, which show through Directus' answers."""

from __future__ import annotations

import math
import re
from typing import Any

Number = int | float

SAFE = 2**53 - 1
"""The largest integer that JavaScript tells apart from its neighbours."""

_DECIMAL = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|[+-]?Infinity", re.ASCII)
_RADIX = re.compile(r"0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+")
_BLANKS = " \t\n\r\v\f\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"


def trim(text: str) -> str:
    """``String.prototype.trim``."""
    return text.strip(_BLANKS)


def whole(value: Number) -> Number:
    """The same number, as an int where JavaScript prints no fraction."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e21:
        return int(value)
    return value


def _text_to_number(text: str) -> Number | None:
    text = trim(text)
    if not text:
        return 0
    if _RADIX.fullmatch(text):
        return whole(float(int(text, 0)))
    if not _DECIMAL.fullmatch(text):
        return None
    return whole(float(text.replace("Infinity", "inf")))


def to_number(value: Any) -> Number | None:
    """``Number(value)`` of a JSON value; None stands for NaN."""
    if value is None or value == []:
        return 0
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, int | float):
        return value
    if isinstance(value, list) and len(value) == 1:
        return _text_to_number(to_string(value[0]))
    return _text_to_number(value) if isinstance(value, str) else None


def _number_to_string(value: Number) -> str:
    if isinstance(value, float) and math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return _plain(repr(whole(value)))


def _plain(text: str) -> str:
    """Python's digits of a float in JavaScript's notation: exponents begin below 1e-6 and have no padding."""
    if "e" not in text:
        return text
    digits, _, exponent = text.partition("e")
    power = int(exponent)
    if -7 < power < 0:
        sign, digits = ("-", digits[1:]) if digits.startswith("-") else ("", digits)
        return f"{sign}0.{'0' * (-power - 1)}{digits.replace('.', '')}"
    return f"{digits}e{power:+d}"


def to_string(value: Any) -> str:
    """``String(value)`` of a JSON value."""
    if isinstance(value, str):
        return value
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return _number_to_string(value)
    if isinstance(value, list):
        return ",".join("" if item is None else to_string(item) for item in value)
    return "[object Object]"


def is_index(key: str) -> bool:
    """Whether an object lists this key before its other keys, in ascending order."""
    return key.isdecimal() and key.isascii() and (key == "0" or key[0] != "0")


def key_order(value: dict[str, Any]) -> dict[str, Any]:
    """The same object with its keys in the order in which JavaScript lists them."""
    numbers = [key for key in value if is_index(key)]
    if not numbers:
        return value
    ordered = sorted(numbers, key=int)
    return {key: value[key] for key in ordered} | {key: item for key, item in value.items() if key not in numbers}
