"""Ten ways to lay an invoice out, written from how Spanish invoices look and what the law wants on them.

Three of them, drawn by lot, are held out: the extractor was never bettered by looking at what it misses on those.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from tzzr_scenarios.quality.invoices.invoice import Invoice, Kind
from tzzr_scenarios.quality.invoices.writing import Writing

from .bilingual import bilingual
from .header_table import header_table
from .intra_community import intra_community
from .key_value import key_value
from .letter import letter
from .per_line_tax import per_line_tax
from .rectifying import rectifying
from .right_totals import right_totals
from .ticket import ticket
from .two_columns import two_columns

__all__ = ["LAYOUTS", "Layout"]


@dataclass(frozen=True, slots=True)
class Layout:
    """A layout: what it is called, the kind of invoice it is for, and how it writes one."""

    name: str
    about: str
    kind: Kind
    write: Callable[[Invoice, Writing], str]
    held_out: bool = False


_ALL: Final = (
    Layout("key_value", "a name and a value on each line", Kind.ORDINARY, key_value),
    Layout("header_table", "boxes with bars for head, concepts and bases", Kind.ORDINARY, header_table),
    Layout("letter", "a letter that bills in sentences", Kind.ORDINARY, letter),
    Layout("ticket", "a thermal ticket, prices with the tax inside", Kind.SIMPLIFIED, ticket),
    Layout("two_columns", "issuer and customer side by side", Kind.ORDINARY, two_columns, held_out=True),
    Layout("right_totals", "no labels for the parties, leaders, totals at the margin", Kind.ORDINARY, right_totals),
    Layout("bilingual", "every label in English and Spanish", Kind.ORDINARY, bilingual, held_out=True),
    Layout("per_line_tax", "a rate on each line, bases and shares in columns", Kind.ORDINARY, per_line_tax),
    Layout("rectifying", "a rectifying invoice with negative amounts", Kind.RECTIFYING, rectifying),
    Layout(
        "intra_community",
        "a delivery to another member state, exempt",
        Kind.INTRA_COMMUNITY,
        intra_community,
        held_out=True,
    ),
)
LAYOUTS: Final[Mapping[str, Layout]] = MappingProxyType({layout.name: layout for layout in _ALL})
"""The layouts by name."""
