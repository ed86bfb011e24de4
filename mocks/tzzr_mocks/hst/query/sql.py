"""Fourth stage: a typed tree becomes SQL. Names come from the collection's own list; every value is bound."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tzzr_mocks.hst.dialects import Dialect
from tzzr_mocks.hst.errors import Unexpected
from tzzr_mocks.hst.javascript import to_string
from tzzr_mocks.hst.query.functions import result_type
from tzzr_mocks.hst.query.json_paths import sqlite_path
from tzzr_mocks.hst.query.model import AllOf, AnyOf, Condition, FieldRef, Filter
from tzzr_mocks.hst.schemas import Collection


@dataclass(frozen=True)
class Sql:
    """A piece of SQL and the values for its question marks."""

    text: str
    values: tuple[Any, ...] = ()

    def __add__(self, other: Sql) -> Sql:
        return Sql(f"{self.text} {other.text}", self.values + other.values)


def join(parts: Sequence[Sql], between: str) -> Sql:
    """The pieces with a word between them."""
    return Sql(between.join(part.text for part in parts), tuple(value for part in parts for value in part.values))


TRUE = Sql("1")

_COMPARISONS = {"_eq": "=", "_neq": "!=", "_lt": "<", "_lte": "<=", "_gt": ">", "_gte": ">="}
_LISTS = {"_in": "IN", "_nin": "NOT IN"}
_RANGES = {"_between": "BETWEEN", "_nbetween": "NOT BETWEEN"}
_STATES = {
    "_null": "{0} IS NULL",
    "_nnull": "{0} IS NOT NULL",
    "_empty": "({0} IS NULL OR {0} = '')",
    "_nempty": "({0} IS NOT NULL AND {0} != '')",
}
_PATTERNS = {"contains": "%{}%", "starts_with": "{}%", "ends_with": "%{}"}


def column(ref: FieldRef, dialect: Dialect) -> Sql:
    """A field, or a function of it, as an expression."""
    name = f'"{ref.name}"'
    if ref.function is None:
        return Sql(name)
    if ref.function == "json":
        return Sql(f"json_extract({name}, ?)", (sqlite_path(ref.path or ""),))
    return Sql(dialect.function(ref.function).format(name))


class Compiler:
    """Compiles conditions on one collection for one dialect."""

    def __init__(self, collection: Collection, dialect: Dialect) -> None:
        self.collection = collection
        self.dialect = dialect

    def where(self, tree: Filter) -> Sql:
        """The tree as one boolean expression.

        Raises:
            Refusal: 500, a value that the dialect's database would choke on.
        """
        if isinstance(tree, Condition):
            return self._condition(tree)
        if not tree.parts:
            return TRUE
        word = " OR " if isinstance(tree, AnyOf) else " AND "
        whole = join([self.where(part) for part in tree.parts], word)
        return Sql(f"({whole.text})", whole.values) if len(tree.parts) > 1 else whole

    def _condition(self, condition: Condition) -> Sql:
        expression = column(condition.field, self.dialect)
        operator = condition.operator
        if operator in _STATES:
            self.dialect.check(operator, "", result_type(condition.field, self.collection))
            return Sql(_STATES[operator].format(expression.text), expression.values * _STATES[operator].count("{0}"))
        if operator in _COMPARISONS:
            return expression + Sql(f"{_COMPARISONS[operator]} ?", (self._bind(condition, condition.value),))
        if operator in _LISTS:
            return expression + self._list(condition, _LISTS[operator])
        if operator in _RANGES:
            ends = tuple(self._bind(condition, value) for value in condition.value)
            return expression + Sql(f"{_RANGES[operator]} ? AND ?", ends)
        return self._pattern(condition, expression)

    def _list(self, condition: Condition, word: str) -> Sql:
        marks = ", ".join("?" * len(condition.value))
        return Sql(f"{word} ({marks})", tuple(self._bind(condition, value) for value in condition.value))

    def _pattern(self, condition: Condition, expression: Sql) -> Sql:
        word = condition.operator.removeprefix("_")
        negated, word = (True, word[1:]) if word.startswith("n") else (False, word)
        folded, word = (True, word[1:]) if word.startswith("i") else (False, word)
        if folded and not isinstance(condition.value, str):
            raise Unexpected("value.toLowerCase is not a function")
        text = to_string(condition.value)
        self.dialect.check(condition.operator, text, result_type(condition.field, self.collection))
        pattern = _PATTERNS[word].format(text.lower() if folded else text)
        left = f"LOWER({expression.text})" if folded else expression.text
        return Sql(f"{left} {'NOT ' if negated else ''}LIKE ?", (*expression.values, pattern))

    def _bind(self, condition: Condition, value: Any) -> Any:
        return self.dialect.bind(value, condition.operator, result_type(condition.field, self.collection))


def always(tree: Filter) -> bool:
    """Whether a tree narrows nothing."""
    return isinstance(tree, AllOf) and not tree.parts
