"""Boxes: a table of the invoice's own particulars on top, one of concepts, one of bases and shares at the foot."""

from __future__ import annotations

from tzzr_scenarios.quality.invoices.invoice import Invoice
from tzzr_scenarios.quality.invoices.writing import Writing

from .page import joined, ruled

__all__ = ["header_table"]


def header_table(invoice: Invoice, hand: Writing) -> str:
    """As programs for small firms print, with bars for the boxes."""
    issuer = invoice.issuer
    return joined(
        issuer.name,
        f"{issuer.street} · {issuer.town}",
        f"{hand.word('CIF', 'NIF', 'N.I.F.')} {hand.tax_id(issuer.tax_id)}  Tel. 91{zero(invoice)}",
        "",
        _head(invoice, hand),
        "",
        *_customer(invoice, hand),
        ruled(("Código", "Descripción", "Cant.", "Precio", "Importe"), *_rows(invoice, hand)),
        "",
        *_foot(invoice, hand),
        f"Forma de pago: transferencia a la cuenta {hand.account(invoice.iban)}" if invoice.iban else "Forma de pago: contado",
    )  # fmt: skip


def zero(invoice: Invoice) -> str:
    """Seven digits for a telephone, made of the number of the issuer."""
    digits = "".join(mark for mark in invoice.issuer.tax_id if mark.isdigit())
    return f"{digits:0>7}"[-7:]


def _head(invoice: Invoice, hand: Writing) -> str:
    heads, cells = (
        [hand.word("Factura", "Nº factura", "Núm. factura"), "Fecha"],
        [invoice.number, hand.day(invoice.issued)],
    )
    if invoice.due:
        heads, cells = [*heads, hand.word("Vencimiento", "Vto.", "Fecha vto.")], [*cells, hand.day(invoice.due)]
    return ruled([*heads, "Página"], [*cells, "1/1"])


def _customer(invoice: Invoice, hand: Writing) -> list[str]:
    party = invoice.recipient
    if party is None:
        return []
    return [
        hand.word("CLIENTE", "DATOS DEL CLIENTE", "FACTURAR A"),
        party.name,
        party.street,
        party.town,
        f"{hand.word('NIF', 'CIF', 'NIF/CIF')}: {hand.tax_id(party.tax_id)}",
        "",
    ]


def _rows(invoice: Invoice, hand: Writing) -> list[list[str]]:
    return [
        [f"{place:03d}", row.description, hand.quantity(row.quantity), hand.figure(row.price), hand.figure(row.amount)]
        for place, row in enumerate(invoice.rows, start=101)
    ]


def _foot(invoice: Invoice, hand: Writing) -> list[str]:
    share = hand.word("Cuota", f"Cuota {invoice.tax}", "Importe IVA" if invoice.tax == "IVA" else "Cuota")
    shares = [[hand.figure(tax.base), hand.percent(tax.rate), hand.figure(tax.amount)] for tax in invoice.taxes]
    lines = [ruled(["Base imponible", f"% {invoice.tax}", share], *shares), ""] if shares else []
    lines += [f"Base exenta: {hand.money(invoice.base, invoice.currency)}  (art. 20 LIVA)", ""] if not shares else []
    lines += [f"Rec. equivalencia {hand.percent(tax.rate)}  {hand.figure(tax.amount)}" for tax in invoice.surcharges]
    if invoice.withheld_rate:
        lines.append(f"Retención {hand.percent(invoice.withheld_rate)} IRPF  {hand.figure(-invoice.withheld)}")
    return [
        *lines,
        f"{hand.word('TOTAL FACTURA', 'TOTAL', 'IMPORTE TOTAL')}  {hand.due(invoice.total, invoice.currency)}",
        "",
    ]
