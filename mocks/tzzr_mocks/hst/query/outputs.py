"""Which columns an answer has: ``fields``, ``*``, aliases and functions, in the order in which they were asked for."""

from __future__ import annotations

from collections.abc import Collection as Group
from collections.abc import Iterable, Mapping
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


def asked_fields(query: Query) -> tuple[str, ...]:
    """What a query asks for in ``fields``: everything where it does not say, and nothing where it asks for figures.

    Nothing also where it asks for figures, but for none of any field: Directus then reads no field at all.
    """
    if query.aggregated or (query.fields is None and query.aggregate):
        return ()
    return ("*",) if query.fields is None else query.fields


def outputs(
    asked: Iterable[str], alias: Mapping[str, str], collection: Collection, visible: Group[str]
) -> tuple[Output, ...]:
    """The columns of the answer: fields as asked, then aliases.

    A field inside a plain field (``padre.x``) asks for nothing, but keeps the plain one's place if that is asked for too.
    None where no field was asked for beside relations and aliases: the answer is then bare primary keys.
    """
    fields: dict[str, FieldRef | None] = {}
    aliased: dict[str, FieldRef] = {}
    for text in asked:
        if text.startswith("*"):
            fields |= {name: FieldRef(name) for name in collection.by_name if name in visible and name not in alias}
            aliased |= _aliases(alias, alias, collection)
        elif text in alias:
            aliased |= _aliases(alias, (text,), collection)
        elif is_nested(text):
            fields.setdefault(text.partition(".")[0], None)
        else:
            ref = parse_ref(text)
            fields[ref.key] = ref
    found = {key: ref for key, ref in fields.items() if ref}
    return tuple(Output(key, ref) for key, ref in (found | aliased).items()) if found else ()


def _aliases(alias: Mapping[str, str], names: Iterable[str], collection: Collection) -> dict[str, FieldRef]:
    found = {name: parse_ref(alias[name]) for name in names}
    return {name: ref for name, ref in found.items() if ref.name in collection.by_name}
