"""A thermal ticket of forty columns: the factura simplificada of a shop or a bar, prices with the tax inside."""

from __future__ import annotations

from tzzr_scenarios.quality.invoices.invoice import Invoice
from tzzr_scenarios.quality.invoices.writing import Writing

from .page import joined, table

__all__ = ["ticket"]

_WIDTH = 40


def ticket(invoice: Invoice, hand: Writing) -> str:
    """Centred head, pieces with their price, what is due, and the tax that was inside."""
    issuer = invoice.issuer
    rule = hand.word("-", "=", "*") * _WIDTH
    return joined(
        *(line.center(_WIDTH).rstrip() for line in (issuer.name, issuer.street, issuer.town, f"{hand.word('NIF', 'CIF')}: {hand.tax_id(issuer.tax_id)}")),
        "",
        f"{hand.word('FACTURA SIMPLIFICADA', 'Factura simplificada')}: {invoice.number}",
        f"Fecha: {hand.day(invoice.issued)}  {hand.word('Hora: 13:42', '20:05', 'Hora 09:17')}",
        rule,
        table((5, 19, -6, -7), (hand.word("UDS", "CANT"), hand.word("ARTICULO", "DESCRIPCION"), "PRECIO", "IMPORTE"), *_rows(invoice, hand)),
        rule,
        _between(hand.word("TOTAL", "TOTAL A PAGAR", "TOTAL EUR"), hand.due(invoice.total, invoice.currency)),
        _between(hand.word("TARJETA", "EFECTIVO"), hand.figure(invoice.total)),
        "",
        table((9, -10, -10), (hand.word("IVA", "TIPO", "% IVA"), "BASE", "CUOTA"), *_taxes(invoice, hand)),
        "",
        hand.word("IVA INCLUIDO", "Precios con IVA incluido", "GRACIAS POR SU VISITA").center(_WIDTH).rstrip(),
    )  # fmt: skip


def _rows(invoice: Invoice, hand: Writing) -> list[list[str]]:
    return [
        [hand.quantity(row.quantity), row.description, hand.figure(row.price), hand.figure(row.amount)]
        for row in invoice.rows
    ]


def _taxes(invoice: Invoice, hand: Writing) -> list[list[str]]:
    return [[hand.percent(tax.rate), hand.figure(tax.base), hand.figure(tax.amount)] for tax in invoice.taxes]


def _between(left: str, right: str) -> str:
    return f"{left}{right:>{max(1, _WIDTH - len(left))}}"
