"""What Node says to a text that is no JSON: Python finds the place, V8 has the words."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

_CONTEXT = 10
"""Letters that V8 quotes on each side of the place, once the text is longer than both sides together."""

_BLANKS = " \t\n\r"


def complaint(text: str) -> str | None:
    """V8's message about a text; None when it is JSON."""
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return _KINDS.get(error.msg, _value)(text, error.pos)
    return None


def unexpected(text: str, place: int) -> str:
    """The message about one letter, with what stands around it."""
    if place >= len(text):
        return "Unexpected end of JSON input"
    quoted = f'"{text}"'
    if len(text) > 2 * _CONTEXT:
        start, end = max(0, place - _CONTEXT), min(len(text), place + _CONTEXT)
        quoted = f'{"..." if start else ""}"{text[start:end]}"{"..." if end < len(text) else ""}'
    return f"Unexpected token '{text[place]}', {quoted} is not valid JSON"


def _at(words: str, text: str, place: int) -> str:
    line = text.count("\n", 0, place) + 1
    column = place - text.rfind("\n", 0, place)
    return f"{words} in JSON at position {place} (line {line} column {column})"


def _value(text: str, place: int) -> str:
    """A value was expected: a word that goes wrong in its middle, a lone minus, or anything else."""
    if text[place : place + 1] == "-":
        return _at("No number after minus sign", text, place + 1)
    words = [word for word in ("true", "false", "null") if text[place : place + 1] == word[0]]
    matched = 0
    while words and text[place + matched : place + matched + 1] == words[0][matched]:
        matched += 1
    return _token(text, place + matched)


def _token(text: str, place: int) -> str:
    letter = text[place : place + 1]
    if letter == '"':
        return _at("Unexpected string", text, place)
    return _at("Unexpected number", text, place) if letter.isdecimal() or letter == "-" else unexpected(text, place)


def _after_value(text: str, place: int) -> str:
    """A comma or an end was expected: behind a number it may be the number that is wrong."""
    before, letter = text[place - 1 : place], text[place : place + 1]
    if before.isdigit() and letter == ".":
        return _at("Unterminated fractional number", text, place + 1)
    if before.isdigit() and letter in ("e", "E"):
        return _at("Exponent part is missing a number", text, place + 1)
    if before == "0" and letter.isdigit():
        return _at("Unexpected number", text, place)
    after = "',' or ']' after array element" if _inside_list(text[:place]) else "',' or '}' after property value"
    return _at(f"Expected {after}", text, place)


def _inside_list(text: str) -> bool:
    """Whether the innermost bracket that is still open is a square one; those inside texts do not count."""
    depth: list[str] = []
    for bracket in re.findall(r"[\[\]{}]", re.sub(r'"(?:\\.|[^"\\])*"', '""', text)):
        if bracket in "[{":
            depth.append(bracket)
        elif depth:
            depth.pop()
    return bool(depth) and depth[-1] == "["


def _trailing_comma(text: str, place: int) -> str:
    return _name(text, re.compile(r",\s*").match(text, place).end())  # type: ignore[union-attr]  # Python saw the comma


def _name(text: str, place: int) -> str:
    again = text[:place].rstrip(_BLANKS).endswith(",")
    return _at("Expected double-quoted property name" if again else "Expected property name or '}'", text, place)


def _unicode(text: str, place: int) -> str:
    start = text.find("\\u", max(0, place - 2)) + 2
    digits = re.compile(r"[0-9a-fA-F]{0,4}").match(text, start)
    end = digits.end() if digits else start
    return _unterminated(text, end) if end - start == 4 else _at("Bad Unicode escape", text, end)


def _unterminated(text: str, _: int) -> str:
    backslashes = len(text) - len(text.rstrip("\\"))
    return unexpected(text, len(text)) if backslashes % 2 else _at("Unterminated string", text, len(text))


_KINDS: dict[str, Callable[[str, int], str]] = {
    "Expecting property name enclosed in double quotes": _name,
    "Illegal trailing comma before end of object": _trailing_comma,
    "Illegal trailing comma before end of array": lambda text, place: unexpected(text, text.index("]", place)),
    "Expecting ':' delimiter": lambda text, place: _at("Expected ':' after property name", text, place),
    "Expecting ',' delimiter": _after_value,
    "Unterminated string starting at": _unterminated,
    "Invalid control character at": lambda text, place: _at("Bad control character in string literal", text, place),
    "Invalid \\escape": lambda text, place: _at("Bad escaped character", text, place + 1),
    "Invalid \\uXXXX escape": _unicode,
    "Extra data": lambda text, place: _at("Unexpected non-whitespace character after JSON", text, place).replace(
        "JSON in JSON", "JSON"
    ),
}
