"""The document types that CLASSIFIER knows by itself, and the themes it knows when a caller names them."""

from __future__ import annotations

from functools import cache

from .lexicon import sections
from .words import fold

__all__ = ["document_types", "topics", "type_named"]


@cache
def document_types() -> dict[str, dict[str, float]]:
    """Document type to the terms that speak for it and their weights, from 1 (usual) to 5 (names it)."""
    types: dict[str, dict[str, float]] = {}
    for heading, body in sections("taxonomy"):
        terms = types[heading.split(", ")[0]] = {}
        for line in body:
            weight, _, listed = line.partition(": ")
            terms.update(dict.fromkeys(listed.split(", "), float(weight)))
    return types


@cache
def topics() -> dict[str, tuple[str, ...]]:
    """A word of a theme's name to the words that speak for the theme."""
    return {name: tuple(" ".join(body).split()) for heading, body in sections("topics") for name in heading.split()}


def type_named(name: str) -> str | None:
    """The document type that ``name`` means, in singular or plural or by another of its names; None for no type."""
    folded = fold(name)
    for form in (folded, folded.removesuffix("es"), folded.removesuffix("s")):
        if form in _types_by_name():
            return _types_by_name()[form]
    return None


@cache
def _types_by_name() -> dict[str, str]:
    headings = [heading.split(", ") for heading, _ in sections("taxonomy")]
    return {fold(name): names[0] for names in headings for name in names}
