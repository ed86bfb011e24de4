"""Which columns an answer has: ``fields``, ``*``, aliases and functions, in the order in which they were asked for."""

from __future__ import annotations

from collections.abc import Collection as Group
from collections.abc import Iterable
from dataclasses import dataclass

from tzzr_mocks.hst.query.functions import parse_ref
from tzzr_mocks.hst.query.model import FieldRef, Query
from tzzr_mocks.hst.query.names import is_nested
from tzzr_mocks.hst.schemas import Collection


@dataclass(frozen=True)
class Output:
    """One column of an answer: ``key`` is its name there."""

    key: str
    ref: FieldRef


def outputs(query: Query, collection: Collection, visible: Group[str]) -> tuple[Output, ...]:
    """The columns of the answer: fields as asked, then aliases.

    A field inside a plain field (``padre.x``) asks for nothing, but keeps the plain one's place if that is asked for too.
    None where no field was asked for beside relations and aliases: the answer is then bare primary keys.
    """
    fields: dict[str, FieldRef | None] = {}
    aliased: dict[str, FieldRef] = {}
    for text in ("*",) if query.fields is None and not _emptied(query) else query.fields or ():
        if text.startswith("*"):
            fields |= {
                name: FieldRef(name) for name in collection.by_name if name in visible and name not in query.alias
            }
            aliased |= _aliases(query, query.alias, collection)
        elif text in query.alias:
            aliased |= _aliases(query, (text,), collection)
        elif is_nested(text):
            fields.setdefault(text.partition(".")[0], None)
        else:
            ref = parse_ref(text)
            fields[ref.key] = ref
    asked = {key: ref for key, ref in fields.items() if ref}
    return tuple(Output(key, ref) for key, ref in (asked | aliased).items()) if asked else ()


def _aliases(query: Query, names: Iterable[str], collection: Collection) -> dict[str, FieldRef]:
    found = {name: parse_ref(query.alias[name]) for name in names}
    return {name: ref for name, ref in found.items() if ref.name in collection.by_name}


def _emptied(query: Query) -> bool:
    """Whether figures were asked for, but none of any field: Directus then reads no field at all."""
    return bool(query.aggregate) and not query.aggregated
