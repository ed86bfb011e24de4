"""HST's tags, and how they are found: accents and case folded, ranked as contract §5 says. Pure."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from types import NoneType
from typing import Any, Final

LIBRARIES: Final[Mapping[str, str]] = {"hst": "tags_hst", "spe": "tags_spe", "flg": "tags_flg"}
"""Library to its collection (contract §6), in the order in which they are shown."""

_TYPES: Final[Mapping[str, type | tuple[type, ...]]] = {
    "id": object,
    "ref": str,
    "nombre": str,
    "nombre_en": (str, NoneType),
    "descripcion": (str, NoneType),
    "grupo": (str, NoneType),
    "padre": (str, NoneType),
    "nivel": (int, NoneType),
    "orden": (int, NoneType),
    "activo": (int, NoneType),
    "metadatos": object,
    "date_created": (str, NoneType),
    "date_updated": (str, NoneType),
}
FIELDS: Final = tuple(_TYPES)
"""The fields of a tag (contract §6)."""

_WORD: Final = re.compile(r"\w+")


@dataclass(frozen=True)
class Tag:
    """One tag; ``padre`` is the ref of its parent."""

    biblioteca: str
    id: int
    ref: str
    nombre: str
    nombre_en: str | None
    descripcion: str | None
    grupo: str | None
    padre: str | None
    nivel: int | None
    orden: int | None
    activo: bool | None
    metadatos: Any
    date_created: str | None
    date_updated: str | None

    def as_json(self) -> dict[str, Any]:
        """The tag as plain JSON values."""
        return dict(vars(self))


def read_tag(library: str, row: Mapping[str, Any]) -> Tag | None:
    """The tag in a row of Directus; None when a field is missing or not of its type."""
    for name, types in _TYPES.items():
        if name not in row or not isinstance(row[name], types):
            return None
    return Tag(library, **{name: row[name] for name in FIELDS}) if row["ref"] else None


def fold(text: str) -> str:
    """``text`` without case and without accents: ``Ábaco`` and ``ABACO`` are the same."""
    # Twice: a letter's compatible form may be a capital (𝕬), and a folded one may be decomposed (Unicode, D146).
    once = unicodedata.normalize("NFKD", unicodedata.normalize("NFD", text).casefold())
    plain = unicodedata.normalize("NFKD", once.casefold())
    return "".join(char for char in plain if not unicodedata.combining(char))


class Rank(IntEnum):
    """How well a tag fits a query, best first (contract §5)."""

    REF = 0
    NAME = 1
    PREFIX = 2
    WORD = 3
    SUBSTRING = 4


class Entry:
    """A tag with its folded texts, made once per reading."""

    def __init__(self, tag: Tag) -> None:
        self.tag = tag
        self.ref = fold(tag.ref)
        self.name = fold(tag.nombre)
        self._names = (self.name, fold(tag.nombre_en or ""))
        self._rest = (self.ref, *self._names, fold(tag.descripcion or ""))
        self._words = frozenset(word for text in self._rest for word in _WORD.findall(text))

    def rank(self, query: str) -> Rank | None:
        """How this tag fits the folded ``query``; None when it does not."""
        if self.ref == query:
            return Rank.REF
        if query in self._names:
            return Rank.NAME
        if any(name.startswith(query) for name in self._names):
            return Rank.PREFIX
        if query in self._words:
            return Rank.WORD
        return Rank.SUBSTRING if any(query in text for text in self._rest) else None


def search(entries: Iterable[Entry], query: str) -> list[Tag]:
    """Every tag that fits ``query``, best first, then by ref."""
    folded = " ".join(fold(query).split())
    ranked = [(rank, entry.ref, entry.tag) for entry in entries if (rank := entry.rank(folded)) is not None]
    return [tag for *_, tag in sorted(ranked, key=lambda found: (found[0], found[1], found[2].ref))]


def proposals(entries: Iterable[Entry], prefix: str) -> list[str]:
    """Refs for what somebody began to type: those that begin so, then those of tags whose name begins so."""
    folded = fold(prefix.strip())
    by_ref, by_name = [], []
    for entry in entries:
        if entry.ref.startswith(folded):
            by_ref.append(entry.tag.ref)
        elif entry.name.startswith(folded):
            by_name.append(entry.tag.ref)
    return [*sorted(by_ref), *sorted(by_name)]


def nearest(entries: Iterable[Entry], text: str, *, by_name: bool = False) -> Sequence[str]:
    """The refs (or names) that look most like ``text``, at most three."""
    known = {entry.name if by_name else entry.ref: entry.tag for entry in entries}
    close = difflib.get_close_matches(fold(text), known, n=3)
    return [known[each].nombre if by_name else known[each].ref for each in close]
