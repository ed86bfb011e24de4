"""The arguments of any tool, asked one by one from its input schema.

Only what a keyboard cannot give is settled here: which JSON value the typed words are. Whether the value is allowed is
the server's to say.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from tzzr_mcp.host.shown import kind_of, printable

Ask = Callable[[str], Awaitable[str]]
Say = Callable[[str], None]

_YES, _NO = {"true", "yes", "y", "sí", "si", "s", "1"}, {"false", "no", "n", "0"}


class NotThat(ValueError):
    """What was typed is no value of the field; the message says what is."""


async def filled(schema: Mapping[str, Any], ask: Ask, say: Say) -> dict[str, Any]:
    """The arguments that a person typed. Nothing typed leaves an optional argument out, and asks again for others."""
    required = schema.get("required", ())
    given: dict[str, Any] = {}
    for name, field in schema.get("properties", {}).items():
        if (value := await _value(name, field, name in required, ask, say)) is not None:
            given[name] = value
    return given


async def _value(name: str, field: Mapping[str, Any], required: bool, ask: Ask, say: Say) -> Any:
    default = f", default {field['default']}" if "default" in field else ""
    need = "required" if required else f"optional{default}"
    if description := field.get("description"):
        say(printable(f"  {description}"))
    while True:
        words = (await ask(printable(f"  {name} ({kind_of(field)}, {need})> "))).strip()
        if not words and not required:
            return None
        try:
            return parsed(words, field)
        except NotThat as wrong:
            say(f"  {wrong}")


def parsed(words: str, field: Mapping[str, Any]) -> Any:
    """The JSON value that ``words`` are for ``field``.

    Raises:
        NotThat: they are none.
    """
    if "enum" in field:
        return _choice(words, field["enum"])
    reader = _READERS.get(str(field.get("type")), _json)
    return reader(words)


def _choice(words: str, choices: list[Any]) -> Any:
    for choice in choices:
        if words.casefold() == str(choice).casefold():
            return choice
    raise NotThat(f"{words!r} is none of {', '.join(map(str, choices))}")


def _text(words: str) -> str:
    if not words:
        raise NotThat("it is required; type a text")
    return words


def _number(words: str) -> int | float:
    try:
        value = json.loads(words.replace("_", ""))
    except ValueError:
        value = None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise NotThat(f"{words!r} is no number; write it as 12 or 12.5")
    return value


def _boolean(words: str) -> bool:
    if words.casefold() in _YES | _NO:
        return words.casefold() in _YES
    raise NotThat(f"{words!r} is neither yes nor no")


def _json(words: str) -> Any:
    try:
        return json.loads(words)
    except ValueError:
        raise NotThat(f"{words!r} is no JSON") from None


_READERS: Mapping[str, Callable[[str], Any]] = {
    "string": _text,
    "number": _number,
    "integer": _number,
    "boolean": _boolean,
}
