"""A rectifying invoice (Real Decreto 1619/2012, article 15): it names the one it corrects, and gives money back."""

from __future__ import annotations

from datetime import timedelta

from tzzr_scenarios.quality.invoices.invoice import Invoice
from tzzr_scenarios.quality.invoices.writing import Writing

from .page import joined, table

__all__ = ["rectifying"]


def rectifying(invoice: Invoice, hand: Writing) -> str:
    """The number of the corrected invoice and the reason stand beside its own."""
    issuer, customer = invoice.issuer, invoice.recipient
    of = f"{invoice.rectifies} de fecha {hand.day(invoice.issued - timedelta(days=45))}"
    return joined(
        hand.word("FACTURA RECTIFICATIVA", "Factura rectificativa", "FACTURA DE ABONO (rectificativa)"),
        f"{hand.word('Nº', 'Número', 'Serie y número')}: {invoice.number}",
        f"{hand.word('Fecha de expedición', 'Fecha', 'Fecha de emisión')}: {hand.day(invoice.issued)}",
        f"{hand.word('Rectifica la factura', 'Factura rectificada', 'Factura que se rectifica')}: {of}",
        f"{hand.word('Motivo', 'Causa')}: {hand.word('devolución de mercancía', 'error en el precio', 'descuento posterior')}",
        "",
        f"{hand.word('Emisor', 'Expedidor', 'Emitida por')}: {issuer.name}, NIF {hand.tax_id(issuer.tax_id)}",
        f"{issuer.street}, {issuer.town}",
        f"{hand.word('Destinatario', 'Cliente', 'Emitida a')}: {customer.name}, NIF {hand.tax_id(customer.tax_id)}" if customer else None,
        f"{customer.street}, {customer.town}" if customer else None,
        "",
        table((40, -8, -12, -14), ("Concepto", "Cant.", "Precio", "Importe"), *(
            (row.description, hand.quantity(row.quantity), hand.figure(row.price), hand.figure(row.amount)) for row in invoice.rows)),
        "",
        f"{hand.word('Base imponible rectificada', 'Base imponible', 'Rectificación de la base')}   {hand.money(invoice.base, invoice.currency)}",
        *(f"Cuota {invoice.tax} {hand.percent(tax.rate)}{f' sobre {hand.figure(tax.base)}' if len(invoice.taxes) > 1 else ''}   {hand.money(tax.amount, invoice.currency)}" for tax in invoice.taxes),
        *(f"Recargo equivalencia {hand.percent(tax.rate)}   {hand.money(tax.amount, invoice.currency)}" for tax in invoice.surcharges),
        f"Retención IRPF {hand.percent(invoice.withheld_rate)}   {hand.money(-invoice.withheld, invoice.currency)}" if invoice.withheld_rate else None,
        f"{hand.word('Total', 'Total a devolver', 'Importe a su favor')}   {hand.due(invoice.total, invoice.currency)}",
        "",
        f"Abono en la cuenta {hand.account(invoice.iban)}" if invoice.iban else None,
        f"Fecha prevista del abono (vencimiento): {hand.day(invoice.due)}" if invoice.due else None,
    )  # fmt: skip
