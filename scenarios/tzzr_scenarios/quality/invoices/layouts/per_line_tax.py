"""A wholesaler's invoice: each line has its rate, and the foot breaks bases, IVA or IGIC, recargo and IRPF down."""

from __future__ import annotations

from tzzr_scenarios.quality.invoices.invoice import SURCHARGES, Invoice
from tzzr_scenarios.quality.invoices.writing import Writing

from .page import joined, table

__all__ = ["per_line_tax"]


def per_line_tax(invoice: Invoice, hand: Writing) -> str:
    """Lines with references and rates; a foot with a column per tax."""
    issuer, customer = invoice.issuer, invoice.recipient
    return joined(
        f"{issuer.name}{' ' * 8}FACTURA {hand.word('Nº:', 'núm.', 'N.º')} {invoice.number}",
        f"{issuer.street}",
        f"{issuer.town}{' ' * 8}Fecha: {hand.day(invoice.issued)}",
        f"NIF {hand.tax_id(issuer.tax_id)}",
        "",
        f"{hand.word('Cliente', 'CLIENTE', 'Sr./Sra.')}: {customer.name}" if customer else None,
        f"{customer.street}. {customer.town}" if customer else None,
        f"{hand.word('N.I.F.', 'NIF', 'CIF')}: {hand.tax_id(customer.tax_id)}" if customer else None,
        "",
        table((8, 40, -8, -11, -8, -12), ("Ref.", hand.word("Artículo", "Concepto", "Descripción"), "Cantidad", "Precio",
                                         f"% {invoice.tax}", "Importe"), *_rows(invoice, hand)),
        "",
        _foot(invoice, hand),
        "",
        f"{hand.word('Retención IRPF', 'I.R.P.F.', 'Retención')} {hand.percent(invoice.withheld_rate)}    {hand.figure(-invoice.withheld)}" if invoice.withheld_rate else None,
        f"{hand.word('TOTAL FACTURA', 'TOTAL A PAGAR', 'Importe total')}    {hand.due(invoice.total, invoice.currency)}",
        "",
        f"{hand.word('Vencimientos', 'Vencimiento', 'Fecha de pago')}: {hand.day(invoice.due)}    {hand.money(invoice.total, invoice.currency)}" if invoice.due else None,
        f"{hand.word('Banco', 'IBAN', 'Domiciliación')}: {hand.account(invoice.iban)}" if invoice.iban else None,
    )  # fmt: skip


def _rows(invoice: Invoice, hand: Writing) -> list[list[str]]:
    return [
        [f"{chr(65 + place)}{310 + 7 * place}", row.description, hand.quantity(row.quantity), hand.figure(row.price),
         hand.quantity(row.rate) if row.rate is not None else "-", hand.figure(row.amount)]
        for place, row in enumerate(invoice.rows)
    ]  # fmt: skip


def _foot(invoice: Invoice, hand: Writing) -> str:
    if not invoice.taxes:
        return f"Base exenta (art. 20 LIVA)    {hand.figure(invoice.base)}"
    heads = [
        hand.word("Base imponible", "Base", "B. imponible"),
        f"% {invoice.tax}",
        hand.word(f"Cuota {invoice.tax}", "Cuota"),
    ]
    rows = [[hand.figure(tax.base), hand.quantity(tax.rate), hand.figure(tax.amount)] for tax in invoice.taxes]
    if invoice.surcharged:
        heads += ["% R.E.", "Cuota R.E."]
        for row, tax, own in zip(rows, invoice.taxes, invoice.surcharges, strict=True):
            row += [hand.quantity(SURCHARGES[tax.rate]), hand.figure(own.amount)]
    return table([-16, -8, -14, -8, -12][: len(heads)], heads, *rows)
