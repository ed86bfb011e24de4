"""Which JSON values PostgreSQL's column types take, and what it says to others."""

from __future__ import annotations

import json
import math
from typing import Any

from tzzr_mocks.hst.errors import Refusal, Unexpected, value_refused
from tzzr_mocks.hst.javascript import to_number, to_string
from tzzr_mocks.hst.schemas import Field, FieldType

INT32 = 2**31
VARCHAR = 255

_TRUE = ("t", "tr", "tru", "true", "y", "ye", "yes", "on", "1")
_FALSE = ("f", "fa", "fal", "fals", "false", "n", "no", "of", "off", "0")
"""PostgreSQL takes every beginning of its words that is not a beginning of both ``on`` and ``off``."""


class BadSyntax(ValueError):
    """A text that is none of a type's; the message is the database's."""


def integer(value: Any) -> int:
    """A value for an integer column.

    Raises:
        BadSyntax: no whole number.
        OverflowError: more than 32 bits.
    """
    number = to_number(value) if value != "" else None
    if number is None or isinstance(number, float):
        raise BadSyntax(f'invalid input syntax for type integer: "{text(value)}"')
    if not -INT32 <= number < INT32:
        raise OverflowError(f'value "{text(value)}" is out of range for type integer')
    return number


def truth(value: Any) -> int:
    """A value for a boolean column.

    Raises:
        BadSyntax: none of PostgreSQL's spellings.
    """
    word = text(value).strip().lower()
    if word in _TRUE:
        return 1
    if word in _FALSE:
        return 0
    raise BadSyntax(f'invalid input syntax for type boolean: "{text(value)}"')


def text(value: Any) -> str:
    """A value for a text column."""
    if isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return to_string(value)


def operand(value: Any, kind: FieldType) -> Any:
    """A value to compare a column with.

    Raises:
        Refusal: 500, the type does not take it.
    """
    try:
        return _operand(value, kind)
    except (BadSyntax, OverflowError) as error:
        raise Unexpected(str(error)) from None


def _operand(value: Any, kind: FieldType) -> Any:
    if kind is FieldType.INTEGER:
        if isinstance(value, float) and math.isinf(value):
            raise BadSyntax(f'invalid input syntax for type integer: "{text(value)}"')
        return integer(value)
    if kind is FieldType.BOOLEAN:
        return truth(value)
    if kind is FieldType.TIMESTAMP:
        if not isinstance(value, int):
            raise BadSyntax("invalid input syntax for type timestamp with time zone")
        return value
    return checked_text(text(value))


def checked_text(value: str) -> str:
    """A text without NUL, which PostgreSQL cannot hold.

    Raises:
        Refusal: 500.
    """
    if "\0" in value:
        raise Unexpected('invalid byte sequence for encoding "UTF8": 0x00')
    return value


def stored(value: Any, field: Field, collection: str) -> Any:
    """A value as the column keeps it.

    Raises:
        Refusal: 400, too long or out of range.
        BadSyntax: none of the type's.
    """
    if value is None:
        return None
    if field.type is FieldType.INTEGER:
        try:
            return integer(value)
        except OverflowError:
            message = f'Numeric value in collection "{collection}" is out of range.'
            raise value_refused(collection, "VALUE_OUT_OF_RANGE", message) from None
    if field.type is FieldType.BOOLEAN:
        return truth(value)
    if field.type is FieldType.JSON:
        return _json(value)
    found = checked_text(text(value))
    if field.type is FieldType.STRING and len(found) > VARCHAR:
        raise too_long(collection)
    return found


def too_long(collection: str) -> Refusal:
    """What PostgreSQL says to a text that its column does not hold."""
    return value_refused(collection, "VALUE_TOO_LONG", f'Value in collection "{collection}" is too long.')


def _json(value: Any) -> Any:
    if not isinstance(value, str):
        return text(value) if isinstance(value, dict | list) else int(value) if isinstance(value, bool) else value
    try:
        json.loads(value)
    except ValueError:
        raise BadSyntax("invalid input syntax for type json") from None
    return value
