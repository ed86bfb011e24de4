"""The labels that say who issues an invoice and who receives it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from .page import Cell, Page

__all__ = ["Role", "RoleLabel", "role_labels", "role_of_tax_label"]


class Role(Enum):
    """A side of the invoice."""

    ISSUER = "emisor"
    RECIPIENT = "receptor"


@dataclass(frozen=True, slots=True)
class RoleLabel:
    """A role's label: its cell, and where its own text ends (behind a colon, if there is one)."""

    role: Role
    cell: Cell
    end: int


_ISSUER = (
    r"(?:datos\s+(?:del?\s+)?(?:la\s+)?)?(?:emisora?|proveedora?|vendedora?|expedidora?|arrendadora?|prestadora?|acreedora?|empresa\s+emisora|"
    r"facturado\s+por|emitid[ao]\s+por|expedid[ao]\s+por|remitente|profesional|autonomo|seller|supplier|from|issuer|vendor|obligado\s+a\s+expedir\w*)"
)
_RECIPIENT = (
    r"(?:datos\s+(?:de\s+(?:la\s+)?|del\s+)?)?(?:clientes?|receptora?|destinatari[oa]|comprador|adquirente|arrendatari[oa]|titular|pacientes?|alumn[oa]|suscriptor|"
    r"facturad[oa]s?\s+a|(?:emitid|expedid|dirigid)[ao]\s+a|a\s+favor\s+de|facturar\s+a|factura\s+(?:a|para)|cargar\s+a|a\s+nombre\s+de|customer|bill(?:ed)?\s+to|client|buyer|invoice\s+to|"
    r"senores?|sres?\b\.?(?:/\s?s?r?as?\b\.?)?|sr\b\.?(?:/\s?s?r?a\b\.?)?|deudor|pagador|sold\s+to|(?:datos\s+(?:de\s+)?)?facturacion)"
)
_SHORT = {
    Role.ISSUER: re.compile(r"(?:from\s*/\s*)?(?:de|empresa|datos\s+fiscales)\s*:"),
    Role.RECIPIENT: re.compile(r"(?:to\s*/\s*)?(?:para|a)\s*:"),
}
_LABEL = {Role.ISSUER: re.compile(_ISSUER), Role.RECIPIENT: re.compile(_RECIPIENT)}
_TAIL = re.compile(
    r"(?:\s*\(?(?:a|as|es)\)?(?!\w))?(?:\s+(?:de\s+la\s+factura|de\s+facturacion|fiscales))?(?:\s*/\s*(?:customer|client|supplier|seller|issuer|bill\s+to|destinatari[oa]|cliente|receptora?|emisora?|proveedora?))?\s*(?P<stop>[:.]|-(?=\s)|$)\s*"
)
_SPACED = re.compile(r"\s+(?=[A-ZÁÉÍÓÚÑ])")
_TAX_WORD = re.compile(r"(?:nif|cif|nie|dni|vat|f\.)")


def role_labels(page: Page) -> list[RoleLabel]:
    """Every cell of the page that begins with a role's label, in reading order."""
    return [label for line in page.lines for cell in line.cells for label in _labels_in(page, cell)]


def _labels_in(page: Page, cell: Cell) -> Iterator[RoleLabel]:
    folded = page.folded[: cell.end]
    for role, long in _LABEL.items():
        match = long.match(folded, cell.start)
        if match:
            tail = _TAIL.match(folded, match.end())
            spaced = _SPACED.match(page.text[: cell.end], match.end())
            if tail or spaced:
                yield RoleLabel(role, cell, tail.end() if tail else match.end())
                return
        short = _SHORT[role].match(folded, cell.start)
        if short:
            yield RoleLabel(role, cell, short.end())
            return


def role_of_tax_label(before: str) -> Role | None:
    """The role that the label of a tax number names: ``NIF cliente:``, ``CIF del emisor``; folded text before it."""
    words = before[-40:]
    for role, long in _LABEL.items():
        found = list(long.finditer(words))
        if found and _TAX_WORD.search(words[: found[-1].start()]):
            return role
    return None
