"""What kind of value an argument wants, read from its schema."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from tzzr_mocks.llm.choosing.stems import stems
from tzzr_mocks.llm.words import folded

Kind = Literal["number", "choice", "flag", "language", "path", "uri", "binary", "reference", "text", "phrase", "list"]
Unit = Literal["percent", "months", "years", "plain"]
_LONG = 1000
"""From so many characters on a text argument is for documents, not for a phrase."""
_PATH, _URI = re.compile(r"\b(ruta|path|archivo|file)\b"), re.compile(r"\buri\b|\burl\b")
_REFERENCE = re.compile(r"^(ref|referencia|id|codigo|code|identificador)$|_(ref|id)$")


@dataclass(frozen=True)
class Argument:
    """One argument of a tool."""

    name: str
    schema: Mapping[str, Any]
    required: bool

    @property
    def about(self) -> str:
        """Its title, or the first sentence of its description, or its name."""
        told = self.schema.get("title") or str(self.schema.get("description", "")).partition(". ")[0].rstrip(".")
        return str(told) or self.name

    @property
    def told(self) -> str:
        """Everything that its schema says in words."""
        return f"{self.name.replace('_', ' ')} {self.schema.get('title', '')} {self.schema.get('description', '')}"

    @property
    def stems(self) -> frozenset[str]:
        """The stems of those words."""
        return stems(self.told)

    @property
    def kind(self) -> Kind:
        """What kind of value it wants."""
        kind = self.schema.get("type")
        if kind in ("number", "integer"):
            return "number"
        if kind == "boolean":
            return "flag"
        if kind == "array":
            return "list"
        return "choice" if "enum" in self.schema else self._kind_of_text()

    def _kind_of_text(self) -> Kind:
        plain = folded(self.told)
        if "ISO 639" in self.told:
            return "language"
        if "contentEncoding" in self.schema or "base64" in folded(self.name):
            return "binary"
        if _URI.search(folded(f"{self.name} {self.schema.get('title', '')}")):
            return "uri"
        if _PATH.search(plain):
            return "path"
        if _REFERENCE.search(folded(self.name)):
            return "reference"
        return "text" if self.schema.get("maxLength", _LONG) >= _LONG else "phrase"

    @property
    def unit(self) -> Unit:
        """The unit of a number."""
        plain = folded(self.told)
        if "%" in plain or "porcentaje" in plain or "percent" in plain:
            return "percent"
        if re.search(r"months?\b|\bmeses\b", plain) and not self.monthly:
            return "months"
        return "years" if re.search(r"years?\b|\banos\b", plain) else "plain"

    @property
    def monthly(self) -> bool:
        """Whether a number is an amount for each month."""
        return bool(re.search(r"monthly|\bmensual\b|cada mes|al mes", folded(self.told)))

    @property
    def whole(self) -> bool:
        """Whether a number has to be a whole one."""
        return self.schema.get("type") == "integer"


def arguments_of(properties: Mapping[str, Mapping[str, Any]], required: tuple[str, ...]) -> list[Argument]:
    """The arguments of a tool."""
    return [Argument(name, schema, name in required) for name, schema in properties.items()]
