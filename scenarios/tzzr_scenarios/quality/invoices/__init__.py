"""Spanish invoices whose truth is known: as values, and as the text of ten layouts with the noise of real papers."""

from .invoice import Invoice, Kind, Party, Row, Tax
from .layouts import LAYOUTS, Layout
from .noise import NOISES
from .sample import Sample
from .writing import Writing

__all__ = ["LAYOUTS", "NOISES", "Invoice", "Kind", "Layout", "Party", "Row", "Sample", "Tax", "Writing"]
