"""A filter evaluated in plain Python, row by row, by the rules of directus.md §4.3: no SQL anywhere.

None is SQL's "unknown": a row stays out unless the whole is True.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from tzzr_mocks.hst.javascript import to_string
from tzzr_mocks.hst.query.model import AllOf, AnyOf, Condition, Filter

Row = Mapping[str, Any]
Truth = bool | None


def holds(tree: Filter, row: Row, *, exact_case: bool = False) -> Truth:
    """Whether a row fits; ``exact_case`` is PostgreSQL's LIKE."""
    if isinstance(tree, Condition):
        return _condition(tree, row, exact_case)
    parts = [holds(part, row, exact_case=exact_case) for part in tree.parts]
    if isinstance(tree, AllOf):
        return False if False in parts else None if None in parts else True
    assert isinstance(tree, AnyOf)
    return True if True in parts else None if None in parts else False


def _value(condition: Condition, row: Row) -> Any:
    value = row[condition.field.name]
    if condition.field.function == "year":
        return None if value is None else datetime.fromtimestamp(value / 1000, UTC).year
    return value


def _condition(condition: Condition, row: Row, exact_case: bool) -> Truth:
    value, operator, operand = _value(condition, row), condition.operator, condition.value
    if operator in _STATES:
        return _STATES[operator](value)
    if value is None:
        return None
    if isinstance(value, str):
        operand = tuple(map(_text, operand)) if isinstance(operand, tuple) else _text(operand)
    if operator in _COMPARISONS:
        return None if operand is None else _COMPARISONS[operator](value, operand)
    if operator in ("_in", "_nin"):
        return _listed(value, operand, negated=operator == "_nin")
    if operator in ("_between", "_nbetween"):
        inside = bool(operand[0] <= value <= operand[1])
        return inside == (operator == "_between")
    return _pattern(operator.removeprefix("_"), value, operand, exact_case)


def _text(operand: Any) -> Any:
    return None if operand is None else to_string(int(operand) if isinstance(operand, bool) else operand)


_STATES: dict[str, Callable[[Any], bool]] = {
    "_null": lambda value: value is None,
    "_nnull": lambda value: value is not None,
    "_empty": lambda value: value is None or value == "",
    "_nempty": lambda value: value is not None and value != "",
}
_COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "_eq": lambda value, operand: bool(value == operand),
    "_neq": lambda value, operand: bool(value != operand),
    "_lt": lambda value, operand: bool(value < operand),
    "_lte": lambda value, operand: bool(value <= operand),
    "_gt": lambda value, operand: bool(value > operand),
    "_gte": lambda value, operand: bool(value >= operand),
}


def _listed(value: Any, operands: tuple[Any, ...], *, negated: bool) -> Truth:
    if value in operands:
        return not negated
    return None if None in operands else negated


def _pattern(word: str, value: str, operand: str, exact_case: bool) -> bool:
    negated, word = (True, word[1:]) if word.startswith("n") else (False, word)
    folded, word = (True, word[1:]) if word.startswith("i") else (False, word)
    if folded:
        value, operand = (value.lower() if exact_case else ascii_lower(value)), operand.lower()
    if not exact_case:
        value, operand = ascii_lower(value), ascii_lower(operand)
    before, after = {"contains": ("%", "%"), "starts_with": ("", "%"), "ends_with": ("%", "")}[word]
    return like(before + operand + after, value, escapes=exact_case) != negated


def ascii_lower(text: str) -> str:
    return "".join(letter.lower() if letter.isascii() else letter for letter in text)


def like(pattern: str, text: str, *, escapes: bool) -> bool:
    """``text LIKE pattern`` by a table of how far each beginning of the pattern reaches."""
    reached = {0}
    place = 0
    while place < len(pattern):
        letter = pattern[place]
        if letter == "%":
            reached = set(range(min(reached), len(text) + 1)) if reached else set()
        else:
            literal = letter == "\\" and escapes and place + 1 < len(pattern)
            place += literal
            wanted = pattern[place]
            anything = wanted == "_" and not literal
            reached = {at + 1 for at in reached if at < len(text) and (anything or text[at] == wanted)}
        place += 1
    return len(text) in reached
