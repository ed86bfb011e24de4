"""One paper: an invoice that was laid out, with noise or without, and what is true of it."""

from __future__ import annotations

from dataclasses import dataclass

from .invoice import Invoice
from .layouts import Layout

__all__ = ["Sample"]


@dataclass(frozen=True, slots=True)
class Sample:
    """The invoice, its layout, the noises upon it, and the text that a reader gets."""

    id: str
    invoice: Invoice
    layout: Layout
    noises: tuple[str, ...]
    text: str
