"""Which columns an answer has: ``fields``, ``*``, aliases and functions, in the order in which they were asked for."""

from __future__ import annotations

from collections.abc import Collection as Group
from dataclasses import dataclass

from tzzr_mocks.hst.query.functions import parse_ref
from tzzr_mocks.hst.query.model import FieldRef, Query
from tzzr_mocks.hst.query.names import is_nested, is_shadow
from tzzr_mocks.hst.schemas import Collection


@dataclass(frozen=True)
class Output:
    """One column of an answer: ``key`` is its name there."""

    key: str
    ref: FieldRef


def outputs(query: Query, collection: Collection, visible: Group[str]) -> tuple[Output, ...]:
    """The columns of the answer; none where only relations were asked for, and the answer is bare primary keys."""
    found: dict[str, FieldRef] = {}
    for text in query.fields or ("*",):
        if text.startswith("*"):
            found |= {name: FieldRef(name) for name in collection.by_name if name in visible and name not in found}
            found |= {key: parse_ref(name) for key, name in query.alias.items() if key not in collection.by_name}
        elif not is_nested(text) and not is_shadow(text, query, collection):
            ref = parse_ref(query.alias.get(text, text))
            found.setdefault(text if text in query.alias else ref.key, ref)
    return tuple(Output(key, ref) for key, ref in found.items())
