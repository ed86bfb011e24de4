"""The labels of an invoice's sums, and where they stand on the page."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from .page import Line, Page

__all__ = ["Concept", "Label", "heads_items", "is_filler", "labels_of"]


class Concept(Enum):
    """What an amount of the summary is."""

    BASE = "base"
    RATE = "rate"
    VAT = "vat"
    RETENTION = "retention"
    EXTRA = "extra"
    TOTAL = "total"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Label:
    """A label: its concept, how plainly it names it (1 to 3), and its span."""

    concept: Concept
    strength: int
    start: int
    end: int

    @property
    def middle(self) -> float:
        """The centre of the label, as an offset in the text."""
        return (self.start + self.end) / 2


_IVA = r"(?:i\.\s?v\.\s?a\b\.?|iva\b|igic\b|i\.g\.i\.c\b\.?|vat\b)"
_IRPF = r"(?:i\.\s?r\.\s?p\.\s?f\b\.?|irpf\b)"
_OF = r"(?:\s+(?:de|del|al|a\s+cuenta\s+del?|por|sobre))*"
_TAX_SAYS_NO_AMOUNT = "|".join(
    (
        rf"(?:sin|exent[oa]s?\s+de|nif[-\s/]|n\.?º\s*|numero\s+de\s+|no\s+sujet[oa]\s+a)\s*{_IVA}",
        rf"{_IVA}\s+(?:no\s+incluido|exent[oa]|number|no\b|id\b|intracom\w*)",
        rf"cuota\s+(?:mensual|anual|fija|de\s+(?!{_IVA})\w+)",
    )
)
_SUM_OF_SOMETHING_ELSE = "|".join(
    (
        r"total\s+(?:unidades|horas|lineas|bultos|articulos|uds|kilos|kg|descuentos?|dtos?|pagado|a\s+cuenta)",
        r"descuento|dto\b|anticipos?|entregas?\s+a\s+cuenta|pagado|pendiente|saldo|portes|ya\s+abonado|provision",
    )
)
_TOTAL_WITH_TAXES = (
    rf"(?:importe\s+)?total(?:\s+(?:factura|importe))?\s*\(?\s*"
    rf"(?:con\s+{_IVA}|{_IVA}\s+incl\w*\.?|impuestos\s+incl\w*\.?)\)?"
)
_TOTAL_DUE = "|".join(
    (
        r"total\s+a\s+(?!cuenta)\w+",
        r"(?:importe\s+)?total\s+(?:importe\s+)?(?:de\s+)?(?:la\s+)?(?:factura|fra)\b\.?(?:\s+rectificativa)?",
        r"importe\s+total",
        r"total\s+(?:general|documento|importe|rectificacion|abono|recibo|amount|due|euros?\b|eur\b|final)",
        r"(?:neto|liquido|importe)\s+a\s+(?:pagar|percibir|cobrar|ingresar|abonar|devolver|(?:su|tu|nuestro)\s+favor)",
        r"liquido\b|amount\s+due|\ba\s+(?:pagar|percibir|devolver|ingresar)\b",
    )
)
_TAXABLE_BASE = "|".join(
    (
        rf"(?:(?:total|suma)\s+(?:de\s+)?)?bases?\s+(?:imponibles?|imp\b\.?|{_IVA}|de{_OF}\s*{_IVA}|sujeta)",
        r"(?:total|suma)\s+(?:de\s+)?(?:las\s+)?bases?\b",
        r"\bb\.\s?i\b\.?|\bbi\b|\bb\.?\s?imp(?:onible)?\b\.?|taxable\s+(?:amount|base)",
    )
)
_SUBTOTAL = "|".join(
    (
        rf"sub\s?-?total|(?:total|importe)\s+(?:sin|antes\s+de)\s+(?:{_IVA}|impuestos)",
        r"(?:importe|total)\s+(?:neto|bruto)|\bbases?\b",
    )
)
_NET = r"\bneto\b|\bbruto\b|\bsuma\b(?!\s+(?:de\s+)?(?:las\s+)?(?:cuotas|iva))|suma\s+de\s+importes"
_WITHHELD = rf"(?:(?:total|importe|cuota){_OF}\s+)?(?:retencion(?:es)?|reten\b\.?|ret\b\.?)(?:{_OF}\s*{_IRPF})?|{_IRPF}"
_SURCHARGE = (
    r"(?:total\s+)?(?:recargo(?:\s+de)?\s+equivalencia|recargo\s+equiv\b\.?|rec\.?\s*(?:de\s+)?eq\w*\b\.?|"
    r"r\.\s?e\b\.?|suplidos?|tasas?)"
)
_TAX_RATE = "|".join(
    (
        rf"(?<!\d)(?<!\d )%\s*(?:de\s+)?{_IVA}",
        rf"{_IVA}\s?%(?=\s\s|\s*$)",
        rf"tipos?\s*(?:de\s+)?(?:{_IVA}|impositivos?|gravamen)?\b(?!\s+(?:general|reducido|superreducido))|\brate\b",
    )
)
_TAX = "|".join((
    rf"(?:(?:total|sumas?|importe|cuotas?){_OF}\s+)*{_IVA}(?:\s+repercutido)?(?:\s*/\s*vat\b)?",
    r"(?:(?:total|sumas?)\s+(?:de\s+)?(?:las\s+)?)?cuotas?\b(?:\s+(?:tributaria|repercutida))?",
    r"(?:total\s+)?impuestos\b",
))  # fmt: skip
_PATTERNS: tuple[tuple[Concept, int, str], ...] = (
    (Concept.OTHER, 1, _TAX_SAYS_NO_AMOUNT),
    (Concept.OTHER, 1, _SUM_OF_SOMETHING_ELSE),
    (Concept.TOTAL, 3, _TOTAL_WITH_TAXES),
    (Concept.TOTAL, 3, _TOTAL_DUE),
    (Concept.BASE, 3, _TAXABLE_BASE),
    (Concept.BASE, 2, _SUBTOTAL),
    (Concept.BASE, 1, _NET),
    (Concept.RETENTION, 3, _WITHHELD),
    (Concept.EXTRA, 2, _SURCHARGE),
    (Concept.RATE, 3, _TAX_RATE),
    (Concept.VAT, 3, _TAX),
    (Concept.TOTAL, 2, r"\btotal\b"),
)
# Two blanks part cells, so the words of one label are never further apart than one.
_LABEL = re.compile(
    "|".join(
        f"(?P<p{place}>(?<!\\w)(?:{pattern}))".replace(r"\s+", r"\s") for place, (_, _, pattern) in enumerate(_PATTERNS)
    )
)
_FILLER = re.compile(
    r"(?:[\s:.,;=()\[\]/*+€$£%|«»\"'>-]|[–—−·•→ºª]|\b(?:de|del|al|a|sobre|s|la|el|los|las|en|y|por|con|eur|euros?|usd|gbp|general|normal|"
    r"ordinario|reducido|super|superreducido|superred|red|gral|gen|tipo|iva|i\.v\.a|igic|vat|tax|taxable|amount|importe|cuota|irpf|i\.r\.p\.f|"
    r"base|imponible|total|factura|repercutido|incluido|incl|inc|suma|c|rate|prof|profesional|profesionales|aplicable|cuenta|retencion|"
    r"art(?:iculos?|s)?|ley|liva|rectificad[ao]s?|rectificacion|operacion|operaciones|cantidad|importa|devolver|"
    r"desglose|impuestos?|resumen|totales|exento|exenta|no|sujeto|pagar|fra|net|x|es|son|asciende|arrendamiento|alquiler|anterior)\b)*"
)
_ITEM_WORD = re.compile(
    r"\b(?:descripcion|concepto|detalle|articulo|producto|servicio|cantidad|cant|uds?|unidades|precio|p\.?\s?u(?:nit\w*)?|pvp|"
    r"trabajo|referencia|codigo|designacion|description|quantity|qty|price|horas)\b"
)


def labels_of(page: Page, line: Line) -> list[Label]:
    """The labels of one line, left to right."""
    labels: list[Label] = []
    for match in _LABEL.finditer(page.folded, line.start, line.end):
        concept, strength, _ = _PATTERNS[int(str(match.lastgroup)[1:])]
        label = Label(concept, strength, match.start(), match.end())
        before = page.folded[labels[-1].end if labels else _cell_start(line, label.start) : label.start]
        if strength == 3 or is_filler(re.sub(r"[\d.,]+", "", before)):
            labels.append(label)
    return labels


def is_filler(text: str) -> bool:
    """Whether folded text holds nothing but punctuation and the small words that stand around amounts."""
    return _FILLER.fullmatch(text) is not None


def heads_items(page: Page, line: Line) -> bool:
    """Whether a line is the heading of the table of items."""
    return _ITEM_WORD.search(page.folded, line.start, line.end) is not None


def _cell_start(line: Line, place: int) -> int:
    return max((cell.start for cell in line.cells if cell.start <= place), default=line.start)
