"""A name and a value on each line, as web shops and accounting programs print: the plainest of all."""

from __future__ import annotations

from tzzr_scenarios.quality.invoices.invoice import Invoice, Party
from tzzr_scenarios.quality.invoices.writing import Writing

from .page import joined, table

__all__ = ["key_value"]


def key_value(invoice: Invoice, hand: Writing) -> str:
    """``Número de factura: 2026-17``, and so on down to the total."""
    return joined(
        "FACTURA",
        "",
        f"{hand.word('Número de factura', 'Nº de factura', 'Factura nº', 'Factura número')}: {invoice.number}",
        f"{hand.word('Fecha de expedición', 'Fecha de emisión', 'Fecha factura', 'Fecha')}: {hand.day(invoice.issued)}",
        f"{hand.word('Fecha de vencimiento', 'Vencimiento', 'Pagar antes del')}: {hand.day(invoice.due)}" if invoice.due else None,
        "",
        *_party(hand.word("Emisor", "Proveedor", "Expedidor"), invoice.issuer, hand),
        *(_party(hand.word("Cliente", "Destinatario", "Receptor"), invoice.recipient, hand) if invoice.recipient else ()),
        _rows(invoice, hand),
        "",
        *_sums(invoice, hand),
    )  # fmt: skip


def _party(role: str, party: Party, hand: Writing) -> list[str]:
    return [
        f"{role}: {party.name}",
        f"{hand.word('NIF', 'CIF/NIF', 'N.I.F.')}: {hand.tax_id(party.tax_id)}",
        f"{hand.word('Domicilio', 'Dirección')}: {party.street}, {party.town}",
        "",
    ]


def _rows(invoice: Invoice, hand: Writing) -> str:
    cells = [(row.description, hand.quantity(row.quantity), hand.figure(row.price), hand.figure(row.amount))
             for row in invoice.rows]  # fmt: skip
    return table((44, -9, -12, -12), ("Concepto", "Cantidad", "Precio", "Importe"), *cells)


def _sums(invoice: Invoice, hand: Writing) -> list[str]:
    currency = invoice.currency
    lines = [f"Base imponible: {hand.money(invoice.base, currency)}"]
    for tax in invoice.taxes:
        of = f" (sobre {hand.money(tax.base, currency)})" if len(invoice.taxes) > 1 else ""
        lines.append(f"{invoice.tax} {hand.percent(tax.rate)}{of}: {hand.money(tax.amount, currency)}")
    lines += [
        f"Recargo de equivalencia {hand.percent(tax.rate)}: {hand.money(tax.amount, invoice.currency)}"
        for tax in invoice.surcharges
    ]
    if not invoice.taxes:
        lines.append("Operación exenta de IVA según el artículo 20 de la Ley 37/1992")
    if invoice.withheld_rate:
        lines.append(f"Retención IRPF {hand.percent(invoice.withheld_rate)}: {hand.money(-invoice.withheld, currency)}")
    lines.append(f"{hand.word('Total', 'Total factura', 'Total a pagar')}: {hand.due(invoice.total, currency)}")
    if invoice.iban:
        lines.append(f"IBAN: {hand.account(invoice.iban)}")
    return lines
